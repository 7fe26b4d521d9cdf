"""Journals gone through again: what the memory lost is in them."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from gitmem.actions.checking.vanished import journals_of_vanished
from gitmem.errors import FormatTooNew
from gitmem.model import event as events
from gitmem.model import record as records
from gitmem.model.counting import counted
from gitmem.store.local.journal import Entry
from gitmem.store.local.lock import locked
from gitmem.store.trees.memory import Memory
from gitmem.workspace import Workspace


def vanished(workspace: Workspace) -> Iterator[str]:
    """The sessions of journals whose marks name none that is there."""
    with locked(workspace.store.lock):
        names = journals_of_vanished(workspace, workspace.store.memory())
        for name in names:
            _take_back(workspace, name, None)
    workspace.store.drain()
    memory = workspace.store.memory()
    for name in names:
        found = workspace.store.journal.mark_of(name).session_id
        if found and memory.entry(found):
            yield f"{found} is in the memory again"
        else:
            yield f"the journal {name} has nothing that makes a session"


def waiting(workspace: Workspace) -> Iterator[str]:
    """What waits in journals gets its commits."""
    workspace.store.drain()
    yield "what waited in the journal is in the memory"


def take_back_older(workspace: Workspace) -> int:
    """Let journals drain again that know of more than their sessions do; how many.

    By whoever holds the store's lock, after the memory went back to an earlier state.
    """
    memory, journal = workspace.store.memory(), workspace.store.journal
    taken_back = 0
    for name in journal.names():
        marked = journal.mark_of(name)
        if marked.offset and _knows_more(workspace, memory, name, marked.session_id):
            is_there = marked.session_id and memory.entry(marked.session_id)
            _take_back(workspace, name, marked.session_id if is_there else None)
            taken_back += 1
    return taken_back


def drained(workspace: Workspace) -> Iterator[str]:
    """What the memory has of journals that were taken back."""
    before = _count(workspace.store.memory())
    workspace.store.drain()
    if more := _count(workspace.store.memory()) - before:
        yield f"{counted(more, 'session')} came back from the journal"


def _take_back(workspace: Workspace, name: str, session_id: str | None) -> None:
    workspace.store.journal.mark(Entry(name, "", 0), session_id)


def _knows_more(
    workspace: Workspace, memory: Memory, name: str, session_id: str | None
) -> bool:
    session = memory.readable(session_id) if session_id else None
    newest = _newest(workspace.store.journal.lines(name))
    return newest is not None and (session is None or newest >= session.updated_at)


def _newest(lines: list[str]) -> datetime | None:
    """When the last thing happened that a journal tells of."""
    for line in reversed(lines):
        with suppress(FormatTooNew):
            if event := events.from_json(line):
                return event.at
            if record := records.from_json(line):
                return record.checkpoint.at
    return None


def _count(memory: Memory) -> int:
    return sum(1 for _ in memory.ids())
