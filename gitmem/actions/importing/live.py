"""Save a conversation that hooks saw, with what was said in it.

The journal of one held elsewhere has the folder it is held in as `root`, so that its
transcript is found, and no tool call here is taken for its own.
"""

from contextlib import suppress
from datetime import timedelta

from gitmem.actions.importing.batch import Batch, Known
from gitmem.actions.importing.derive_session import derived_session, is_of_our_time
from gitmem.actions.importing.removed_work_trees import removed_trees
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.conversation import Conversation, was_forgotten
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.actions.saving.live_transcript import (
    event_of,
    first_touch,
    transcript_of,
    transcript_of_events,
)
from gitmem.actions.saving.touching_turns import part_touching
from gitmem.assistants.assistant import LAUNCHER, TURN
from gitmem.assistants.known import reader_of
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.transcript_files import find_transcript
from gitmem.config import EVERYWHERE_SETTING
from gitmem.documents.event import (
    Client,
    End,
    Event,
    Interrupted,
    Start,
    Trigger,
    WorkTreeState,
)
from gitmem.documents.event_log import forked_at, last_sign
from gitmem.documents.names import clean_client_id
from gitmem.git.config import is_on
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


_OVER = {Trigger.SESSION_END: End, Trigger.OBSERVED: Interrupted}
"""What is noted of a conversation that is over, by what is saved then."""


def takes_part(workspace: Workspace) -> bool:
    """Tell whether its user agreed to a memory here, by `ocm init` or by a setting."""
    git = workspace.repository
    is_installed = (git.common_dir / LAUNCHER).is_file()
    return is_on(git, EVERYWHERE_SETTING, by_default=is_installed)


def save_held_elsewhere(
    workspace: Workspace, about: Event, transcript: str, trigger: Trigger | None
) -> None:
    """Save what a conversation did here; `trigger` is None where its turn ends.

    `about` tells whose it is and where it is held. Nothing where it touched nothing.
    """
    client_id, journal = about.client_session_id, workspace.store.journal
    conversation = Conversation(about.tool, client_id, None)
    if not keeps_conversations(workspace) or was_forgotten(workspace, conversation):
        return
    if not _is_begun(workspace, about, transcript):
        return
    if trigger is None:
        capture(workspace, client_id, Trigger.OBSERVED, transcript)
        return
    over, newest = _OVER.get(trigger), last_sign(journal.newest_events(client_id))
    if over and not isinstance(newest, End | Interrupted):
        journal.note(event_of(about, over, workspace.now()))
    save_conversation(workspace, about.tool, client_id, transcript, trigger)


def _is_begun(workspace: Workspace, about: Event, transcript: str) -> bool:
    """Note the beginning of a conversation that is not known here."""
    journal = workspace.store.journal
    if journal.events(about.client_session_id):
        return True
    at = first_touch(workspace, about, transcript)
    if at is None:
        return False
    head = workspace.repository.head()
    before = at - timedelta(seconds=1)  # the turn may have committed in its first one
    head_before = workspace.repository.rev_parse(f"HEAD@{{{before.isoformat()}}}")
    client = {"pid": 0, "started": "", "transcript": transcript}
    state = {"branch": head.branch, "head": head_before, "dirty": ()}
    journal.note(event_of(about, Start, at, source=TURN))
    journal.note(event_of(about, Client, at, **client))
    journal.note(event_of(about, WorkTreeState, at, **state))
    return True
