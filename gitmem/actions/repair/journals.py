"""Repair from the journals, which have what the memory lost."""

from collections.abc import Container, Iterator

from gitmem.actions.doctor.vanished import journals_of_vanished
from gitmem.documents.session.event import events_in
from gitmem.documents.session.record import checkpoints_in
from gitmem.store.journal.journal import Entry
from gitmem.store.lock import locked
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace


def vanished(workspace: Workspace) -> Iterator[str]:
    """The sessions of journals whose marks name none that is there."""
    for found in filter(None, replayed_again(workspace).values()):
        yield f"{found} is in the memory again"


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
            journal.mark(Entry(name, "", 0), None)
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
    """Let journals be replayed that know of more than their sessions do; how many.

    By whoever holds the store's lock, for the earlier state that it is going back to.
    """
    journal = workspace.store.journal
    taken_back = 0
    for name in journal.names():
        mark = journal.position_of(name)
        if mark.offset and _knows_more(workspace, memory, name, mark.session_id):
            journal.mark(Entry(name, "", 0), mark.session_id)
            taken_back += 1
    return taken_back


def _knows_more(
    workspace: Workspace, memory: SessionTree, name: str, session_id: str | None
) -> bool:
    """Whether the journal tells of something at, or after, the session's last time."""
    lines = workspace.store.journal.lines(name)
    times = [event.at for event in events_in(lines)[-1:]]
    times += [made.at for made in checkpoints_in(lines)[-1:]]
    session = memory.readable(session_id) if session_id else None
    return bool(times) and (session is None or max(times) >= session.updated_at)
