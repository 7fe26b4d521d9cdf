"""Conversations held elsewhere that touch this repository: they become sessions here.

Their journal here has the folder they are held in as `root`, so that their transcript
is found, and no tool call here is taken for theirs.
"""

from datetime import timedelta

from gitmem.actions.importing.live import save_conversation
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.conversation import Conversation, was_forgotten
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.actions.saving.live_transcript import event_of, first_touch
from gitmem.assistants.assistant import LAUNCHER, TURN
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
from gitmem.documents.event_log import last_sign
from gitmem.git.config import is_on
from gitmem.workspace import Workspace

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
