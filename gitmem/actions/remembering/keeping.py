"""What one statement makes of the memories that are there."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from gitmem.actions.remembering.similar import Similar
from gitmem.actions.remembering.statement import NewMemory
from gitmem.documents.memory.kind import Stated
from gitmem.documents.memory.memory import (
    Memory,
    MemoryStatus,
    Relate,
    Relation,
    RelationType,
    ids_of,
    merged_text,
)
from gitmem.errors import Busy, InvalidInput, NoPermission
from gitmem.frozen import frozen
from gitmem.store.document_store import ChangeStore
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tombstones import is_forgotten

Tree = DocumentTree[Memory]


class Action(StrEnum):
    """Change that a statement made."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    SUPPORTED = "supported"
    MERGED = "merged"
    UPDATED = "updated"
    SUPERSEDED = "superseded"


@frozen
class SavedMemory:
    memory: Memory
    action: Action
    similar: tuple[Similar, ...] = ()
    """Active memories that are like a new one."""
    unknown_files: tuple[str, ...] = ()
    """Files that are not in the repository, which were passed over."""


@frozen
class Keeping:
    """Puts one statement into the store of its place."""

    store: ChangeStore[Memory, Stated]
    tree: Tree
    statement: Memory
    request: NewMemory
    same: Memory | None
    """The active memory that says the same already."""

    def related(self, memory: Memory, relation: Relate) -> SavedMemory:
        """What becomes of it beside a memory that it was said to be about."""
        match relation:
            case Relate.SUPPORT:
                return self._supports(memory)
            case Relate.MERGE:
                text = merged_text(memory.text, self.statement.text)
                return self._instead_of_same(memory, text, Action.MERGED)
            case Relate.UPDATE:
                text = self.statement.text or memory.text
                return self._instead_of_same(memory, text, Action.UPDATED)
            case Relate.SUPERSEDE:
                new = self.created(RelationType.SUPERSEDES, memory)
                self._replace(memory, new)
                return SavedMemory(new, Action.SUPERSEDED)
            case Relate.CONTRADICT:
                new = self.created(RelationType.CONTRADICTS, memory)
                self._write(_linked(memory, RelationType.CONTRADICTS, new))
                return SavedMemory(new, Action.CREATED)
        return SavedMemory(
            self.created(RelationType.CONTEXT_OF, memory), Action.CREATED
        )

    def instead_of(self, holder: Memory) -> SavedMemory:
        """The new statement of a key; the old text stays in the history."""
        if holder.pinned:
            return self.related(holder, Relate.CONTEXT)
        return self._updated(holder, self.statement.text, Action.SUPERSEDED)

    def added_to(self, memory: Memory, *, is_anew: bool) -> SavedMemory:
        """What the same words say more than they did, or anew after their opposite."""
        updated = self._amended(memory)
        if updated != memory:
            return self._updated(updated, memory.text, Action.MERGED)
        if is_anew:
            return self._updated(memory, memory.text, Action.SUPPORTED)
        return self._supports(memory)

    def created(
        self, link: RelationType | None = None, linked: Memory | None = None
    ) -> Memory:
        """The statement as a memory, with what it is to another one."""
        relations = (Relation(link, linked.id),) if link and linked else ()
        if self.same:
            updated = self._amended(self.same)
            stated = replace(updated, relations=updated.relations + relations)
            self._write(stated)
            return stated
        statement = self.statement
        is_same_key = (
            link is RelationType.CONTEXT_OF and linked and statement.key == linked.key
        )
        ids = ids_of(statement.text, statement.branch)
        new = replace(
            statement,
            id=next(memory_id for memory_id in ids if not self._is_taken(memory_id)),
            key="" if is_same_key else statement.key,
            relations=relations,
        )
        self._write(new)
        return new

    def _replace(self, old: Memory, new: Memory) -> None:
        linked = _linked(old, RelationType.SUPERSEDED_BY, new)
        self._write(replace(linked, status=MemoryStatus.SUPERSEDED))

    def _is_taken(self, document_id: str) -> bool:
        is_known = self.tree.entry(document_id) is not None
        return is_known or is_forgotten(self.tree, document_id)

    def _amended(self, memory: Memory) -> Memory:
        """Return a memory with what the statement says beside its text."""
        request, statement = self.request, self.statement
        fields: dict[str, Any] = {
            "kind": request.kind,
            "key": request.key or None,
            "why": request.why or None,
            "expires": request.expires,
            "pinned": request.pinned,
            "importance": request.importance,
            "confidence": request.confidence,
        }
        return replace(
            memory,
            **{name: value for name, value in fields.items() if value is not None},
            facts=memory.facts + statement.facts,
            tags=memory.tags + statement.tags,
            files=memory.files + statement.files,
        )

    def _supports(self, memory: Memory) -> SavedMemory:
        supported = replace(memory, sources=memory.sources + self.statement.sources)
        if supported == memory:
            return SavedMemory(memory, Action.UNCHANGED)
        self._write(supported)
        return SavedMemory(supported, Action.SUPPORTED)

    def _instead_of_same(
        self, memory: Memory, text: str, action: Action
    ) -> SavedMemory:
        """Update a memory, which replaces another one with the words of the new."""
        if memory.pinned and self.request.pinned is None and text != memory.text:
            raise InvalidInput(
                f"{memory.id} is pinned.", hint="Say as well whether it stays pinned."
            )
        updated = self._updated(memory, text, action)
        if self.same and self.same.id != memory.id:
            self._replace(self.same, updated.memory)
        return updated

    def _updated(self, memory: Memory, text: str, action: Action) -> SavedMemory:
        updated = self._amended(memory)
        later = memory.updated_at + timedelta(seconds=1)  # whatever the clock says
        restated = replace(
            updated,
            text=text,
            sources=updated.sources + self.statement.sources,
            updated_at=max(self.statement.updated_at, later),
        )
        self._write(restated)
        return SavedMemory(restated, action)

    def _write(self, memory: Memory) -> None:
        """Acknowledge a version, and commit it; an old one is committed later."""
        self.store.append(Stated(self.statement.updated_at, memory))
        with suppress(NoPermission, Busy):
            self.store.replay()


def _linked(memory: Memory, link: RelationType, new: Memory) -> Memory:
    return replace(memory, relations=(*memory.relations, Relation(link, new.id)))
