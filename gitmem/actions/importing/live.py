"""Save a conversation that hooks saw, with what was said in it."""

from contextlib import suppress

from gitmem.actions.importing.batch import Batch, Known
from gitmem.actions.importing.derive_session import derived_session, is_of_our_time
from gitmem.actions.importing.removed_work_trees import removed_trees
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.actions.saving.live_transcript import transcript_of, transcript_of_events
from gitmem.actions.saving.touching_turns import part_touching
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
    if whole:
        trees = removed_trees(folders, whole, workspace.repository)
        folders = folders.joined(tree for tree, is_ours in trees.items() if is_ours)
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
    events = workspace.store.journal.events(client_id)
    file = transcript_of(workspace.environment, events, path) if events else None
    file = file or find_transcript(
        path, transcript_folders(workspace, reader), reader.pattern
    )
    forked = forked_at(events)
    with suppress(OSError):  # the file is gone meanwhile
        for part in reader.since(forked).read(file) if file else ():
            if not isinstance(part, Transcript):
                continue
            if clean_client_id(part.client_session_id) == client_id:
                own_part = Known(workspace).without_copy(part)
                is_plausible = is_of_our_time(own_part, workspace)
                return _part_here(workspace, own_part) if is_plausible else None
    return None


def _part_here(workspace: Workspace, transcript: Transcript) -> Transcript:
    """Return the turns that touched this repository, all if it is held here.

    Hooks know where one without a folder is held.
    """
    folders = repository_folders(workspace)
    if not transcript.folder or folders.holds(transcript.folder):
        return transcript
    return part_touching(transcript, folders, workspace.repository)
