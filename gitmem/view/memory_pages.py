"""Memories by kind and scope, and one of them with all that is known of it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from gitmem.actions.remembering.answering import changed_files
from gitmem.actions.remembering.listing import fitting_memories
from gitmem.actions.remembering.recall import RecallQuery
from gitmem.actions.remembering.statement import BRANCH, PRIVATE, PROJECT, USER
from gitmem.documents.authors import name_in
from gitmem.documents.memory.memory import (
    Category,
    Memory,
    MemoryStatus,
    RelationType,
    confidence_of,
)
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.store.recall_counts import RecallCount, recall_counts
from gitmem.workspace import Workspace

_MOST = 300
"""Memories of a list."""
_KINDS = [*Category]


@frozen
class MemoryRow:
    memory: Memory
    scope: str
    status: str
    author: str
    """The name of another person; "" for the user."""
    changed: int
    """How many of its files changed since."""
    recalls: RecallCount | None
    """None where it was never recalled on this machine."""


def list_values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    unreachable: list[str] = []
    query = RecallQuery(text=parameters.get("q", ""))
    rows = [*memory_rows(workspace, query, unreachable)]
    return listed_values(rows, parameters) | {"unreachable": unreachable}


def listed_values(
    all_rows: Sequence[MemoryRow], parameters: Mapping[str, str]
) -> dict[str, Any]:
    """Return what fills the list of memories, without those that cannot be read."""
    query, kind, scope, past = map(parameters.get, ("q", "kind", "scope", "past"))
    active = [row for row in all_rows if past or row.status == MemoryStatus.ACTIVE]
    rows = [
        row
        for row in active
        if kind in (None, "", row.memory.kind) and scope in (None, "", row.scope)
    ]
    rows.sort(key=lambda row: -row.memory.updated_at.timestamp())
    rows.sort(key=lambda row: (_KINDS.index(row.memory.kind), not row.memory.pinned))
    return {
        "text": query or "",
        "chosen": {"q": query, "kind": kind, "scope": scope, "past": past},
        "kinds": Counter(row.memory.kind.value for row in active),
        "scopes": Counter(row.scope for row in active),
        "past_count": sum(row.status != MemoryStatus.ACTIVE for row in all_rows),
        "groups": [
            (kind, [*group])
            for kind, group in groupby(rows[:_MOST], lambda row: row.memory.kind)
        ],
        "hidden": max(len(rows) - _MOST, 0),
        "unreachable": [],
    }


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    rows = {row.memory.id: row for row in memory_rows(workspace, RecallQuery(), [])}
    row = rows.get(parameters["name"])
    if row is None:
        raise NotFound(f"No memory is named {parameters['name']!r}.")
    return memory_values(row, rows)


def memory_values(row: MemoryRow, rows: Mapping[str, MemoryRow]) -> dict[str, Any]:
    """Return what fills the page of a memory, beside the rows of all by id."""
    memory = row.memory
    return {
        "row": row,
        "confidence": confidence_of(memory),
        "chain": [rows[memory_id] for memory_id in _chain(memory, rows)],
        "related": [
            (relation.link, rows[relation.memory_id])
            for relation in memory.relations
            if relation.link not in _REPLACING and relation.memory_id in rows
        ],
        "sources": [source.partition(":") for source in memory.sources],
        "kinds": _KINDS,
    }


def new_values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    scopes = [PROJECT, *([BRANCH] if workspace.repository.head().branch else []), USER]
    return {"kinds": _KINDS, "scopes": [*scopes, PRIVATE]}


_REPLACING = (RelationType.SUPERSEDES, RelationType.SUPERSEDED_BY, RelationType.MERGES)


def _chain(memory: Memory, rows: Mapping[str, MemoryRow]) -> list[str]:
    """Return the memories that replaced each other and this one, the newest first."""
    chain, waiting = {memory.id}, [memory]
    while waiting:
        for relation in waiting.pop().relations:
            related_id = relation.memory_id
            is_new = related_id in rows and related_id not in chain
            if is_new and relation.link in _REPLACING:
                chain.add(related_id)
                waiting.append(rows[related_id].memory)
    in_order = sorted(chain, key=lambda id_: rows[id_].memory.created_at, reverse=True)
    return in_order if len(in_order) > 1 else []


def memory_rows(
    workspace: Workspace, query: RecallQuery, unreachable: list[str]
) -> Iterator[MemoryRow]:
    counts = recall_counts(workspace.own_dir)
    for memory, answer in fitting_memories(workspace, query, unreachable):
        yield MemoryRow(
            memory,
            str(answer["scope"]),
            str(answer["status"]),
            name_in(str(answer.get("author", ""))),
            changed_files(workspace.repository, memory),
            counts.get(memory.id),
        )
