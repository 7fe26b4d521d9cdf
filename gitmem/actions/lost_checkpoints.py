"""Journals with committed checkpoints that the memory lacks."""

from collections.abc import Container

from gitmem.documents.event_log import first_event
from gitmem.documents.session.checkpoint import apply, without_facts
from gitmem.documents.session.record import records_in
from gitmem.store.journal.journal import Entry, Journal
from gitmem.store.lock import locked
from gitmem.store.trees.session_tree import (
    SessionTree,
    is_conversation_forgotten,
    of_conversation,
)
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.workspace import Workspace


def journals_of_vanished(workspace: Workspace, memory: SessionTree) -> list[str]:
    """Return the journals with lost checkpoints; archives keep none."""
    journal = workspace.store.journal
    return [
        name
        for name in journal.names()
        if journal.past.get(name) is None
        and journal.position_of(name).offset
        and _is_lost(memory, journal, name)
    ]


def mark_for_replay(
    workspace: Workspace, memory: SessionTree, only: Container[str] | None = None
) -> list[str]:
    """Have the journals of what `memory` lacks replayed; return their names.

    `only` limits it to these ids. The caller holds the store's lock.
    """
    journal, names = workspace.store.journal, list[str]()
    for name in journals_of_vanished(workspace, memory):
        session_id = journal.position_of(name).document_id
        if only is None or session_id in only:
            journal.mark(Entry(name, "", 0), session_id)
            names.append(name)
    return names


def replayed_again(
    workspace: Workspace, only: Container[str] | None = None
) -> list[str]:
    """Replay the journals of lost sessions; return the ids of those restored."""
    with locked(workspace.store.lock):
        names = mark_for_replay(workspace, workspace.store.memory(), only)
    workspace.store.replay()
    memory, journal = workspace.store.memory(), workspace.store.journal
    ids = filter(None, (journal.position_of(name).document_id for name in names))
    return [session_id for session_id in ids if memory.entry(session_id)]


def _is_lost(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Tell whether the session is gone, or was never given its last checkpoint.

    Neither is what was forgotten, or renamed by a merge.
    """
    mark = journal.position_of(name)
    lines = [each.line for each in journal.entries(name) if 0 < each.end <= mark.offset]
    last, session_id = next(records_in(reversed(lines)), None), mark.document_id
    owner = last or first_event(lines)
    if owner is None or session_id is None or is_forgotten(memory, session_id):
        return False
    client_id = owner.client_session_id
    if is_conversation_forgotten(memory, owner.tool, client_id):
        return False
    if memory.entry(session_id):
        session = memory.readable(session_id)
    else:
        session = of_conversation(memory, client_id, session_id[:10])
        if session is None:
            return True
    if session is None or last is None or last.checkpoint.at <= session.updated_at:
        return False
    return apply(session, without_facts(last.checkpoint)) != session
