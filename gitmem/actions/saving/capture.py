"""A checkpoint that nobody wrote: what hooks saw, and what git says."""

from gitmem.actions.reading.documents import session_of
from gitmem.actions.saving.checkpoint import committed, time_after
from gitmem.actions.saving.conversation import Conversation, was_forgotten
from gitmem.actions.saving.facts import with_facts
from gitmem.actions.saving.hook_events import checkpoints_of, read_on
from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.observed import has_content, observed, status_after
from gitmem.documents.session.session import Session
from gitmem.workspace import Workspace


def capture(
    workspace: Workspace,
    client_session_id: str,
    trigger: Trigger,
    transcript: str = "",
) -> Session | None:
    """Save what is known of a conversation that hooks saw; gives its session.

    Its transcript is read on first; `transcript` is the path, where a hook was told.
    None where there is nothing worth a session, and where it was forgotten.
    """
    workspace.current_sessions(with_observed=False)
    read_on(workspace, client_session_id, named=transcript)
    events = workspace.store.journal.events(client_session_id)
    if not events:
        return None
    session = session_of(workspace, client_session_id)
    written = checkpoints_of(workspace, client_session_id)
    made = Checkpoint(
        at=time_after(workspace, session),
        trigger=trigger,
        status=status_after(events, written),
    )
    made = with_facts(workspace, client_session_id, session, made)
    seen = observed(events, (), written)
    if session is None and not (has_content(made) or has_content(seen)):
        return None
    conversation = Conversation(events[-1].tool, client_session_id, session)
    if session is None and was_forgotten(workspace, conversation):
        return None
    return committed(workspace, conversation, made)
