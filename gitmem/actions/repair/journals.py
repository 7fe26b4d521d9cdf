"""Repair from the journals, which have what the memory lost."""

from collections.abc import Container, Iterator

from gitmem.actions.doctor.vanished import journals_of_vanished
from gitmem.store.journal.journal import Entry
from gitmem.store.journal.pending import owner_in
from gitmem.store.lock import locked
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace


def vanished(workspace: Workspace) -> Iterator[str]:
    for session_id in replayed_again(workspace):
        yield f"{session_id} is in the memory again"


def replayed_again(
    workspace: Workspace, only: Container[str] | None = None
) -> list[str]:
    """Replay the journals of lost sessions, and return the ids of those that are back.

    `only` are ids that they had.
    """
    journal = workspace.store.journal
    with locked(workspace.store.lock):
        names = journals_of_vanished(workspace, workspace.store.memory())
        if only is not None:
            names = [n for n in names if journal.position_of(n).document_id in only]
        for name in names:
            journal.mark(Entry(name, "", 0), None)
    workspace.store.replay()
    memory = workspace.store.memory()
    ids = filter(None, (journal.position_of(name).document_id for name in names))
    return [session_id for session_id in ids if memory.entry(session_id)]


def waiting(workspace: Workspace) -> Iterator[str]:
    """Commit the checkpoints that wait in journals."""
    workspace.store.replay()
    yield "what waited in the journal is in the memory"


def mark_for_replay(workspace: Workspace, memory: SessionTree) -> int:
    """Reset the journals that have more than their sessions in `memory`; how many.

    `memory` is the earlier state that the ref goes back to. Under the store's lock.
    """
    journal = workspace.store.journal
    count = 0
    for name in journal.names():
        mark = journal.position_of(name)
        if mark.offset and _has_more(workspace, memory, name, mark.document_id):
            journal.mark(Entry(name, "", 0), mark.document_id)
            count += 1
    return count


def _has_more(
    workspace: Workspace, memory: SessionTree, name: str, session_id: str | None
) -> bool:
    """Whether the journal has something of the session's last time, or after it."""
    lines = workspace.store.journal.lines(name)
    last = owner_in(reversed(lines))
    session = memory.readable(session_id) if session_id else None
    return last is not None and (session is None or last.at >= session.updated_at)
