"""A checkpoint that nobody wrote: what hooks saw, and what git says."""

from gitmem.actions.reading.naming import find_conversation
from gitmem.actions.saving.checkpoint import committed
from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.facts import with_facts
from gitmem.actions.saving.seen import checkpoints_of, events_of
from gitmem.model.checkpoint import Checkpoint
from gitmem.model.observed import has_content, observed, status_after
from gitmem.model.session import Session, Trigger
from gitmem.workspace import Workspace


def capture(
    workspace: Workspace, client_session_id: str, trigger: Trigger
) -> Session | None:
    """Save what is known of a conversation that hooks saw; gives its session.

    None where there is nothing worth a session.
    """
    memory = workspace.drained_memory(with_seen=False)
    events = events_of(workspace, client_session_id)
    if not events:
        return None
    session_id = find_conversation(workspace, client_session_id)
    session = memory.session(session_id) if session_id else None
    written = checkpoints_of(workspace, client_session_id)
    now = workspace.now()
    made = Checkpoint(
        at=max(now, session.updated_at) if session else now,  # clocks may jump back
        trigger=trigger,
        status=status_after(events, written),
    )
    made = with_facts(workspace, client_session_id, session, made)
    seen = observed(events, (), written)
    if session is None and not (has_content(made) or has_content(seen)):
        return None
    conversation = Conversation(events[-1].tool, client_session_id, session)
    return committed(workspace, conversation, made)
