"""Journals gone through again: what the memory lost is in them."""

from collections.abc import Container, Iterator
from contextlib import suppress
from datetime import datetime

from gitmem.actions.doctor.vanished import journals_of_vanished
from gitmem.documents.session import event as events
from gitmem.documents.session import record as records
from gitmem.errors import FormatTooNew
from gitmem.store.journal.journal import Entry
from gitmem.store.lock import locked
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace


def vanished(workspace: Workspace) -> Iterator[str]:
    """The sessions of journals whose marks name none that is there."""
    for name, found in replayed_again(workspace).items():
        if found:
            yield f"{found} is in the memory again"
        else:
            yield f"the journal {name} has nothing that makes a session"


def replayed_again(
    workspace: Workspace, only: Container[str] | None = None
) -> dict[str, str | None]:
    """The sessions that are in the memory again, by the names of their journals.

    `only` are ids that they had.
    """
    journal = workspace.store.journal
    with locked(workspace.store.lock):
        names = journals_of_vanished(workspace, workspace.store.memory())
        if only is not None:
            names = [n for n in names if journal.position_of(n).session_id in only]
        for name in names:
            _take_back(workspace, name, None)
    workspace.store.replay()
    memory = workspace.store.memory()
    marked = {name: journal.position_of(name).session_id for name in names}
    return {
        n: each if each and memory.entry(each) else None for n, each in marked.items()
    }


def waiting(workspace: Workspace) -> Iterator[str]:
    """What waits in journals gets its commits."""
    workspace.store.replay()
    yield "what waited in the journal is in the memory"


def take_back_older(workspace: Workspace, memory: SessionTree) -> int:
    """Have journals replayed that know more than their sessions; return how many.

    By whoever holds the store's lock, for the earlier state that it is going back to.
    """
    journal = workspace.store.journal
    taken_back = 0
    for name in journal.names():
        marked = journal.position_of(name)
        if marked.offset and _knows_more(workspace, memory, name, marked.session_id):
            _take_back(workspace, name, marked.session_id)
            taken_back += 1
    return taken_back


def replayed(workspace: Workspace) -> Iterator[str]:
    """What the memory has of journals that were taken back."""
    before = set(workspace.store.memory().ids())
    workspace.store.replay()
    for session_id in sorted(set(workspace.store.memory().ids()) - before):
        yield f"{session_id} came back from the journal"


def _take_back(workspace: Workspace, name: str, session_id: str | None) -> None:
    workspace.store.journal.mark(Entry(name, "", 0), session_id)


def _knows_more(
    workspace: Workspace, memory: SessionTree, name: str, session_id: str | None
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
