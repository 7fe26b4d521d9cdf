"""Which conversation another goes on from: as a fork of it, or handed over."""

from collections.abc import Sequence
from contextlib import suppress

from gitmem.actions.saving.live_transcript import event_of, transcript_of
from gitmem.assistants.known import reader_of
from gitmem.documents.event import FORKED, Event, Fork, Start
from gitmem.documents.names import clean_client_id
from gitmem.store.handoffs import Handoff, Handoffs
from gitmem.workspace import Workspace

_NOT_NEW = ("resume", "compact", FORKED)
"""How a conversation begins that has a history of its own."""


def note_parent(workspace: Workspace, client_session_id: str) -> None:
    """Note of a fork whose it is, once; nothing where that cannot be found."""
    events = workspace.store.journal.events(client_session_id)
    file = transcript_of(workspace, events) if events else None
    if file is None or any(isinstance(each, Fork) for each in events):
        return
    newest, parent = events[-1], ""
    reader = reader_of(newest.tool)
    with suppress(OSError):  # gone meanwhile
        if reader and reader.parent_in:
            parent = clean_client_id(reader.parent_in(file, client_session_id) or "")
    if parent:
        fork = event_of(newest, Fork, workspace.now(), parent=parent)
        workspace.store.journal.note(fork)


def note_handoff(workspace: Workspace, client_session_id: str, tool: str) -> None:
    """Note of a new conversation which one was handed to its assistant here.

    Only one conversation is noted to go on from it, and none that began before.
    """
    journal, now = workspace.store.journal, workspace.now()
    handoffs = Handoffs(workspace.own_dir)
    handoff = handoffs.get(tool, workspace.root, now)
    if handoff is None or handoff.parent == client_session_id:
        return
    events = journal.events(client_session_id)
    if _is_new(events, handoff) and handoffs.take(tool, workspace.root):
        fork = Fork(
            at=now,
            tool=tool,
            client_session_id=client_session_id,
            root=str(workspace.root),
            parent=handoff.parent,
        )
        journal.note(fork)


def _is_new(events: Sequence[Event], handoff: Handoff) -> bool:
    """Whether a conversation began after the handoff; hooks may not have seen it."""
    sources = {each.source for each in events if isinstance(each, Start)}
    began_before = bool(events) and events[0].at < handoff.at
    return not began_before and sources.isdisjoint(_NOT_NEW)
