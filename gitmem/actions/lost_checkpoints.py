"""Journals with committed checkpoints that the memory lacks."""

from collections.abc import Container

from gitmem.documents.event_log import first_event
from gitmem.documents.session.checkpoint import apply, without_facts
from gitmem.documents.session.record import records_in
from gitmem.store.journal.journal import Entry, Journal
from gitmem.store.lock import locked
from gitmem.store.trees.session_tree import (
    SessionTree,
    id_of_conversation,
    is_conversation_forgotten,
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
    return [*filter(None, map(memory.id_like, ids))]


def _is_lost(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Tell whether the session is gone, or was never given its last checkpoint.

    What was forgotten is not lost.
    """
    mark = journal.position_of(name)
    lines = [
        entry.line for entry in journal.entries(name) if 0 < entry.end <= mark.offset
    ]
    last, session_id = next(records_in(reversed(lines)), None), mark.document_id
    owner = last or first_event(lines)
    if owner is None or session_id is None or is_forgotten(memory, session_id):
        return False
    client_id = owner.client_session_id
    if is_conversation_forgotten(memory, owner.tool, client_id):
        return False
    present_id = memory.id_like(session_id) or id_of_conversation(
        memory, [owner.tool], client_id
    )
    if present_id is None:
        return True
    session = memory.readable(present_id)
    if session is None or last is None or last.checkpoint.at <= session.updated_at:
        return False
    return apply(session, without_facts(last.checkpoint)) != session
