"""Save a conversation that hooks saw, with what was said in it."""

from contextlib import suppress

from gitmem.actions.importing.batch import Batch, Known
from gitmem.actions.importing.derive_session import derived_session, is_of_our_time
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.actions.saving.live_transcript import transcript_of_events
from gitmem.assistants.known import reader_of
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.transcript_files import find_transcript
from gitmem.documents.event import Trigger
from gitmem.documents.event_log import forked_at
from gitmem.documents.names import clean_client_id
from gitmem.work_trees import repository_folders, transcript_folders
from gitmem.workspace import Workspace


def save_conversation(
    workspace: Workspace, tool: str, client_id: str, transcript: str, trigger: Trigger
) -> None:
    """Save a conversation that hooks saw, and what was said in it.

    `transcript` is a hostile path, "" for none. Without a session, nothing is kept.
    """
    session = capture(workspace, client_id, trigger, transcript)
    whole = _transcript_of(workspace, tool, client_id, transcript) if session else None
    folders = repository_folders(workspace)
    derived = derived_session(whole, workspace, folders) if whole else None
    if whole and derived:
        workspace.current_sessions()
        batch = Batch(workspace.store, lambda _: None)
        batch.add(derived, whole.turns)
        batch.save()


def _transcript_of(
    workspace: Workspace, tool: str, client_id: str, path: str
) -> Transcript | None:
    """Return the named transcript if an import would take it.

    Without a reader it is what hooks noted.
    """
    reader = reader_of(tool)
    if not keeps_conversations(workspace):
        return None
    if not reader:
        events = workspace.store.journal.events(client_id)
        return transcript_of_events(events) if events else None
    if not path:
        return None
    file = find_transcript(path, transcript_folders(workspace, reader), reader.pattern)
    forked = forked_at(workspace.store.journal.events(client_id))
    with suppress(OSError):  # the file is gone meanwhile
        for part in reader.since(forked).read(file) if file else ():
            if not isinstance(part, Transcript):
                continue
            if clean_client_id(part.client_session_id) == client_id:
                own_part = Known(workspace).without_copy(part)
                # Hooks know where one without a folder is held.
                folder = own_part.folder
                is_here = not folder or repository_folders(workspace).holds(folder)
                is_plausible = is_of_our_time(own_part, workspace)
                return own_part if is_here and is_plausible else None
    return None
