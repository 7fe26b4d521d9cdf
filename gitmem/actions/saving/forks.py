"""Which conversation another is a fork of."""

from contextlib import suppress

from gitmem.actions.saving.live_transcript import event_of, transcript_of
from gitmem.assistants.known import reader_of
from gitmem.documents.event import Fork
from gitmem.documents.names import clean_client_id
from gitmem.workspace import Workspace


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
