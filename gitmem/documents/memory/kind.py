"""Memories as a kind of documents."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from gitmem.documents.index_entry import Field, IndexEntry, Role
from gitmem.documents.kind import ChangedKind
from gitmem.documents.memory.format import parse, render
from gitmem.documents.memory.memory import ID, LISTS, Memory, MemoryStatus, RelationType
from gitmem.documents.names import digest
from gitmem.errors import FormatTooNew
from gitmem.frozen import frozen
from gitmem.redaction.redact import Redacted, seal
from gitmem.text.calendar import read_time
from gitmem.text.markdown import one_line

_VERSION = 1
_SUBJECT_LENGTH = 72
_STANDINGS = tuple(MemoryStatus)
ACTIVE = f"status:{MemoryStatus.ACTIVE}"
"""The label of memories that nothing replaced."""


@frozen
class Stated:
    """A version of a memory, which is merged with what there is of it."""

    at: datetime
    memory: Memory


class MemoryKind(ChangedKind[Memory, Stated]):
    name, ref, root = "memory", "refs/ocm/memories", "memories"
    most_bytes = room = 200_000
    can_end = True
    folders = (re.compile("[0-9a-f]{2}"),)

    parse = staticmethod(parse)
    render = staticmethod(render)

    def is_id(self, text: str) -> bool:
        return ID.fullmatch(text) is not None

    def path(self, document_id: str) -> str:
        return f"{self.root}/{document_id[2:4]}/{document_id}.md"

    def began_at(self, document: Memory) -> datetime:
        return document.updated_at

    def merge(self, one: Memory, other: Memory) -> Memory:
        """Lists are unions; what superseded one stays; the rest follows the newer."""
        versions = (one, other)
        oldest = min(
            versions, key=lambda version: (_moment(version.created_at), version.author)
        )
        united: dict[str, Any] = {
            name: getattr(one, name) + getattr(other, name) for name in LISTS
        }
        return replace(
            max(versions, key=_newness),
            created_at=oldest.created_at,
            author=oldest.author,
            status=max((version.status for version in versions), key=_STANDINGS.index),
            **united,
        )

    def items(self, document: Memory) -> Iterator[tuple[str, str]]:
        for item in (*document.facts, *document.tags):
            yield _item_subject(document, item), item

    def without_items(self, document: Memory, is_gone: Callable[[str], bool]) -> Memory:
        remaining: dict[str, Any] = {
            name: tuple(
                item
                for item in getattr(document, name)
                if not is_gone(_item_subject(document, item))
            )
            for name in ("facts", "tags")
        }
        return replace(document, **remaining)

    def in_use(self, document: Memory) -> Memory:
        return replace(document, status=MemoryStatus.ACTIVE)

    def successors(self, document: Memory) -> tuple[str, ...]:
        return tuple(
            relation.memory_id
            for relation in document.relations
            if relation.link is RelationType.SUPERSEDED_BY
        )

    def entry(self, document: Memory) -> IndexEntry:
        is_active = document.status is MemoryStatus.ACTIVE
        title, _, rest = document.text.partition("\n")
        paths = tuple(file.path for file in document.files)
        return IndexEntry(
            kind=self.name,
            id=document.id,
            names=(document.key,) if document.key and is_active else (),
            title=title,
            at=document.updated_at,
            branch=document.branch,
            author=document.author,
            status=document.status,
            paths=paths,
            labels=labels(document),
            fields=(
                Field("text", Role.GOAL, (title,)),
                Field("text", Role.DECISIONS, (rest, *document.facts)),
                Field("key", Role.TODOS, (document.key, *document.tags)),
                Field("files", Role.PATHS, paths),
                Field("why", Role.TEXT, (document.why,)),
            ),
            passages=(document.text, document.why, *document.facts),
        )

    def encode(self, change: Stated) -> str:
        memory = change.memory
        return json.dumps(
            {
                "v": _VERSION,
                "at": change.at.isoformat(),
                "id": memory.id,
                "document": render(memory),
            }
        )

    def decode(self, line: str) -> Stated | None:
        try:
            data = json.loads(line)
            if data["v"] > _VERSION:
                raise FormatTooNew(
                    "The journal has a memory that a newer gitmem wrote.",
                    hint="Upgrade gitmem: `pipx upgrade git-ocm`.",
                )
            memory_id, at = data["id"], read_time(data["at"])
            if not self.is_id(memory_id) or at.tzinfo is None:
                return None
            return Stated(at, parse(memory_id, data["document"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def target(self, change: Stated) -> str:
        return change.memory.id

    def changed_at(self, change: Stated) -> datetime:
        return change.at

    def apply(self, before: Memory | None, change: Stated) -> Memory:
        return self.merge(before, change.memory) if before else change.memory

    def message(self, before: Memory | None, after: Memory, change: Stated) -> Redacted:
        return seal((_news(before, after), after.title, after.id), _message)


MEMORY = MemoryKind()


def labels(memory: Memory) -> tuple[str, ...]:
    """Return what a search can require of a memory."""
    return (
        f"kind:{memory.kind}",
        f"status:{memory.status}",
        f"branch:{memory.branch}",
        *(f"tag:{tag.casefold()}" for tag in memory.tags),
        *{f"file:{file.path}" for file in memory.files},
    )


def _item_subject(memory: Memory, item: str) -> str:
    return f"{memory.id}\0{item}"


def _newness(memory: Memory) -> tuple[str, str, str]:
    """What the newer version has more of; the digest decides between equal times."""
    differing: dict[str, Any] = dict.fromkeys(LISTS, ())
    differing |= {
        "created_at": memory.updated_at,
        "author": "",
        "status": MemoryStatus.ACTIVE,
    }
    bare = replace(memory, **differing)
    return *_moment(memory.updated_at), digest(render(bare))


def _moment(time: datetime) -> tuple[str, str]:
    """Its place among others; the offset decides where they are the same moment."""
    return f"{time.timestamp():020.0f}", time.isoformat()


def _news(before: Memory | None, after: Memory) -> str:
    if before is None:
        return "remember"
    if before.status is not after.status:
        return {
            MemoryStatus.SUPERSEDED: "supersede",
            MemoryStatus.REJECTED: "reject",
        }.get(after.status, "remember")
    statement_before = before.text, before.why
    return "update" if statement_before != (after.text, after.why) else "add to"


def _message(statement: tuple[str, str, str]) -> str:
    news, title, memory_id = statement
    subject = f"{news}: {one_line(title, _SUBJECT_LENGTH - len(news) - 2)}"
    return f"{subject}\n\nMemory: {memory_id}"
