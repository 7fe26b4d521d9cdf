"""Reading sessions: the newest ones, one document, its files, its readable copy."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from gitmem.actions.reading.authors import circle
from gitmem.actions.reading.naming import find_session
from gitmem.actions.reading.newest import newest
from gitmem.assistants.known import tool_named
from gitmem.errors import InvalidInput, NotFound
from gitmem.model.session import FileChange, Session
from gitmem.workspace import Workspace

MOST_LISTED = 1000


@dataclass(frozen=True, slots=True)
class Listed:
    session: Session
    is_own: bool
    """Whether the user began it."""
    markdown_path: Path | None


@dataclass(frozen=True, slots=True)
class Document:
    session_id: str
    text: str
    """As it is stored, whoever wrote it."""
    markdown_path: Path | None


def list_sessions(
    workspace: Workspace, *, limit: int = 10, tool: str | None = None
) -> list[Listed]:
    """The newest first, those of the future last.

    Raises InvalidInput for a limit that makes no sense.
    """
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInput(f"limit must be from 1 to {MOST_LISTED}.")
    wanted = tool_named(tool) if tool else None
    sessions = (
        session
        for session in newest(workspace, workspace.drained_memory())
        if wanted in (None, session.tool)
    )
    return listed(workspace, islice(sessions, limit))


def listed(workspace: Workspace, sessions: Iterable[Session]) -> list[Listed]:
    """Sessions of the memory, with their copies and whose they are."""
    own = circle(workspace)
    return [
        Listed(
            session,
            own.owns(session.author),
            readable_copy(workspace, session.id, workspace),
        )
        for session in sessions
    ]


def read_document(workspace: Workspace, name: str) -> Document:
    """The document of the session that `name` means; see find_session for errors."""
    session_id = find_session(workspace, name)
    text = workspace.store.memory().document(session_id)
    if text is None:
        raise NotFound(f"There is no session {session_id}")
    return Document(session_id, text, workspace.copy(session_id, text, workspace))


def session_files(workspace: Workspace, name: str) -> tuple[FileChange, ...]:
    """Created files first, then modified, then deleted ones."""
    session = workspace.store.memory().session(find_session(workspace, name))
    return session.files if session else ()


def readable_copy(
    workspace: Workspace, session_id: str, reader: Workspace
) -> Path | None:
    """Write the copy of a session where the assistant at work in `reader` may read."""
    text = workspace.store.memory().document(session_id)
    return None if text is None else workspace.copy(session_id, text, reader)
