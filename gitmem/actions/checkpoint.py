"""Saving a checkpoint: whose session it is, what git knows, journal, commit, copy."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.conversation import Caller, Conversation, conversation_of
from gitmem.actions.facts import with_facts
from gitmem.actions.reading import readable_copy
from gitmem.actions.request import Request
from gitmem.errors import Busy, InvalidInput
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
    workspace.memory()
    conversation = conversation_of(workspace, request, caller)
    session = conversation.session
    if session is None and not request.says_something:
        return Saved(None, None, Status.OPEN, conversation)
    _require_room(workspace, session)
    now = workspace.now()
    at = max(now, session.updated_at) if session else now  # clocks may jump back
    checkpoint = with_facts(workspace, session, request.checkpoint(at))
    journal = workspace.store.append(
        Record(
            tool=conversation.tool,
            project=workspace.project,
            client_session_id=conversation.client_session_id,
            session_id=session.id if session else None,
            checkpoint=checkpoint,
        )
    )
    after = _drained(workspace, journal)
    path = readable_copy(workspace, after.id, workspace)
    return Saved(after.id, path, after.status, conversation)


def _drained(workspace: Workspace, journal: str) -> Session:
    """The session of a journal, once a commit holds all of it."""
    with suppress(Busy):
        workspace.store.drain()
    session_id = workspace.store.journal.mark_of(journal).session_id
    session = workspace.store.memory().session(session_id or "")
    if session is None or any(workspace.store.journal.pending_in(journal)):
        raise Busy(
            "The checkpoint is safe in the journal, but no commit holds it yet.",
            hint="The next command makes it; `ocm status` says what is waiting.",
        )
    return session


def _require_room(workspace: Workspace, session: Session | None) -> None:
    if session is None:
        return
    document = workspace.store.memory().document(session.id) or ""
    if len(document.encode()) > DOCUMENT_LIMIT:
        raise InvalidInput(
            f"Session {session.id} has grown past {DOCUMENT_LIMIT:,} bytes.",
            hint="Go on in a new session.",
        )
