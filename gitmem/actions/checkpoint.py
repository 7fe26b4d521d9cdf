"""Saving a checkpoint: whose session it is, what git knows, journal, commit, copy."""

from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.conversation import Caller, Conversation, conversation_of
from gitmem.actions.facts import with_facts
from gitmem.actions.request import Request
from gitmem.errors import Damaged, InvalidInput
from gitmem.model.record import Record
from gitmem.model.session import Session, Status
from gitmem.workspace import Workspace

DOCUMENT_LIMIT = 16_000_000
"""Bytes of one document. Hosts refuse large files, and nobody reads them."""


@dataclass(frozen=True, slots=True)
class Saved:
    session_id: str | None
    """None when there was nothing to save yet."""
    markdown_path: Path | None
    status: Status
    conversation: Conversation


def save(workspace: Workspace, request: Request, caller: Caller) -> Saved:
    """Save a checkpoint; when this returns, it is on the disk.

    An empty one is accepted; it makes no commit unless git has news, and no session.
    """
    workspace.store.drain()
    conversation = conversation_of(workspace, request, caller)
    session = conversation.session
    if session is None and not request.says_something:
        return Saved(None, None, Status.OPEN, conversation)
    _require_room(workspace, session)
    checkpoint = with_facts(workspace, session, request.checkpoint(workspace.now()))
    journal = workspace.store.append(
        Record(
            tool=conversation.tool,
            project=workspace.project,
            client_session_id=conversation.client_session_id,
            session_id=session.id if session else None,
            checkpoint=checkpoint,
        )
    )
    workspace.store.drain()
    session_id = workspace.store.journal.mark_of(journal).session_id
    after = workspace.store.memory().session(session_id or "")
    if session_id is None or after is None:
        raise Damaged(
            "The checkpoint is in the journal, but its document cannot be read.",
            hint="`ocm status` says what is waiting.",
        )
    document = workspace.store.memory().document(session_id) or ""
    path = workspace.copy(session_id, document, workspace)
    return Saved(session_id, path, after.status, conversation)


def _require_room(workspace: Workspace, session: Session | None) -> None:
    if session is None:
        return
    document = workspace.store.memory().document(session.id) or ""
    if len(document.encode()) > DOCUMENT_LIMIT:
        raise InvalidInput(
            f"Session {session.id} has grown past {DOCUMENT_LIMIT:,} bytes.",
            hint="Go on in a new session.",
        )
