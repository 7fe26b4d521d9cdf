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
    """What became of a statement."""

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
    made: Memory
    said: NewMemory
    same: Memory | None
    """The active memory that says the same already."""

    def related(self, known: Memory, how: Relate) -> SavedMemory:
        """What becomes of it beside a memory that it was said to be about."""
        match how:
            case Relate.SUPPORT:
                return self._supports(known)
            case Relate.MERGE:
                text = merged_text(known.text, self.made.text)
                return self._instead_of_same(known, text, Action.MERGED)
            case Relate.UPDATE:
                text = self.made.text or known.text
                return self._instead_of_same(known, text, Action.UPDATED)
            case Relate.SUPERSEDE:
                new = self.created(RelationType.SUPERSEDES, known)
                self._replace(known, new)
                return SavedMemory(new, Action.SUPERSEDED)
            case Relate.CONTRADICT:
                new = self.created(RelationType.CONTRADICTS, known)
                self._write(_linked(known, RelationType.CONTRADICTS, new))
                return SavedMemory(new, Action.CREATED)
        return SavedMemory(self.created(RelationType.CONTEXT_OF, known), Action.CREATED)

    def instead_of(self, holder: Memory) -> SavedMemory:
        """The new statement of a key; the old text stays in the history."""
        if holder.pinned:
            return self.related(holder, Relate.CONTEXT)
        return self._updated(holder, self.made.text, Action.SUPERSEDED)

    def added_to(self, known: Memory, *, is_anew: bool) -> SavedMemory:
        """What the same words say more than they did, or anew after their opposite."""
        given = self._given(known)
        if given != known:
            return self._updated(given, known.text, Action.MERGED)
        if is_anew:
            return self._updated(known, known.text, Action.SUPPORTED)
        return self._supports(known)

    def created(
        self, link: RelationType | None = None, other: Memory | None = None
    ) -> Memory:
        """The statement as a memory, with what it is to another one."""
        relations = (Relation(link, other.id),) if link and other else ()
        if self.same:
            known = self._given(self.same)
            stated = replace(known, relations=known.relations + relations)
            self._write(stated)
            return stated
        made = self.made
        is_same_key = (
            link is RelationType.CONTEXT_OF and other and made.key == other.key
        )
        ids = ids_of(made.text, made.branch)
        new = replace(
            made,
            id=next(each for each in ids if not self._is_taken(each)),
            key="" if is_same_key else made.key,
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

    def _given(self, known: Memory) -> Memory:
        """The known memory with what was said of it beside its text."""
        said, made = self.said, self.made
        given: dict[str, Any] = {
            "kind": said.kind,
            "key": said.key or None,
            "why": said.why or None,
            "expires": said.expires,
            "pinned": said.pinned,
            "importance": said.importance,
            "confidence": said.confidence,
        }
        return replace(
            known,
            **{name: value for name, value in given.items() if value is not None},
            facts=known.facts + made.facts,
            tags=known.tags + made.tags,
            files=known.files + made.files,
        )

    def _supports(self, known: Memory) -> SavedMemory:
        after = replace(known, sources=known.sources + self.made.sources)
        if after == known:
            return SavedMemory(known, Action.UNCHANGED)
        self._write(after)
        return SavedMemory(after, Action.SUPPORTED)

    def _instead_of_same(self, known: Memory, text: str, action: Action) -> SavedMemory:
        """Update a memory, which replaces another one with the words of the new."""
        if known.pinned and self.said.pinned is None and text != known.text:
            raise InvalidInput(
                f"{known.id} is pinned.", hint="Say as well whether it stays pinned."
            )
        updated = self._updated(known, text, action)
        if self.same and self.same.id != known.id:
            self._replace(self.same, updated.memory)
        return updated

    def _updated(self, known: Memory, text: str, action: Action) -> SavedMemory:
        given = self._given(known)
        later = known.updated_at + timedelta(seconds=1)  # whatever the clock says
        after = replace(
            given,
            text=text,
            sources=given.sources + self.made.sources,
            updated_at=max(self.made.updated_at, later),
        )
        self._write(after)
        return SavedMemory(after, action)

    def _write(self, memory: Memory) -> None:
        """Acknowledge a version, and commit it; an old one is committed later."""
        self.store.append(Stated(self.made.updated_at, memory))
        with suppress(NoPermission, Busy):
            self.store.replay()


def _linked(known: Memory, link: RelationType, new: Memory) -> Memory:
    return replace(known, relations=(*known.relations, Relation(link, new.id)))
