"""Reading sessions: the newest ones, one document, its files, its diff, its copy."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from gitmem.actions.reading.recent import newest, session_state
from gitmem.assistants.known import ASSISTANTS, PERSON, tool_named
from gitmem.config import CONVERSATIONS_SETTING
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.gist import SessionState, has_work
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.git.files import read_own
from gitmem.git.patches import commit_patches, off_branches
from gitmem.git.values import Commit, FileChange
from gitmem.lookup import find, find_id
from gitmem.store.journal.beside import DIFF
from gitmem.store.trees.committing import configured_trust
from gitmem.workspace import Workspace

MOST_LISTED = 1000


@frozen
class Listed:
    session: Session
    is_own: bool
    """True if the user began it."""
    is_work: bool
    """True if it is more than small talk."""
    state: SessionState
    markdown_path: Path | None


@frozen
class Listing:
    sessions: list[Listed]
    has_more: bool


@frozen
class Document:
    id: str
    text: str
    """The stored text, whoever wrote it."""
    markdown_path: Path | None
    kind: str = SESSION.name
    is_here: bool = True
    """True if it lies in this repository, not in a space."""


@frozen
class ConversationText:
    session: Session
    text: str
    """The stored text, for `gitmem.documents.conversation.conversation` to read."""


def list_sessions(
    workspace: Workspace,
    *,
    limit: int = 10,
    offset: int = 0,
    tool: str | None = None,
    with_small_talk: bool = False,
) -> Listing:
    """The newest first, those of the future last, from the one at `offset` on.

    Sessions without work are left out unless `with_small_talk`.

    Raises InvalidInput for a limit that makes no sense, and for an unknown assistant.
    """
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInput(f"limit must be from 1 to {MOST_LISTED}.")
    only_tool = known_tool(workspace, tool) if tool else None
    sessions = (
        session
        for session in newest(workspace, workspace.current_sessions())
        if only_tool in (None, session.tool) and (with_small_talk or has_work(session))
    )
    page = [*islice(sessions, offset, offset + limit + 1)]
    return Listing(list_entries(workspace, page[:limit]), len(page) > limit)


def known_tool(workspace: Workspace, text: str) -> str:
    """Return the tool of an assistant, or of sessions of the memory.

    Raises InvalidInput for any other.
    """
    tool = tool_named(text)
    tools = [PERSON, *(assistant.name for assistant in ASSISTANTS)]
    if tool not in tools:
        ids = workspace.current_sessions().ids()
        tools += sorted({session_id.split("_")[2] for session_id in ids} - {*tools})
    if tool not in tools:
        raise InvalidInput(
            f"No assistant is called {text!r}.", hint=f"Known are {', '.join(tools)}."
        )
    return tool


def list_entries(workspace: Workspace, sessions: Iterable[Session]) -> list[Listed]:
    """Sessions of the memory, with their copies and whose they are."""
    trust = configured_trust(workspace.repository)
    return [
        Listed(
            session,
            trust.owns(session.author),
            has_work(session),
            session_state(workspace, session),
            readable_copy(workspace, session.id),
        )
        for session in sessions
    ]


def read_document(workspace: Workspace, name: str) -> Document:
    """The document of the session that `name` means; see `find_id` for errors."""
    session_id = find_id(workspace, SESSION, name)
    text = workspace.store.memory().text(session_id)
    if text is None:
        raise NotFound(f"There is no session {session_id}.")
    public_id = SESSION.public_id_in(session_id, text)
    return Document(public_id, text, workspace.copy(public_id, text))


def read_conversation(workspace: Workspace, name: str) -> ConversationText:
    """Return the conversation of the session that `name` means.

    Raises as `find_id` does, and NotFound where it is not known here.
    """
    session = find(workspace, SESSION, name)
    text = workspace.conversations.text_like(session.id)
    if not text:
        raise NotFound(
            f"No conversation of {session.session_id} is kept here.",
            hint=_why_none(workspace),
        )
    return ConversationText(session, text)


def _why_none(workspace: Workspace) -> str:
    git = workspace.repository
    if not is_on(git, CONVERSATIONS_SETTING, by_default=True):
        return f"`git config {CONVERSATIONS_SETTING}` says that none are kept."
    return (
        "`ocm import` brings in what an assistant still has of it; a conversation of"
        " somebody else is here only if they share conversations."
    )


def session_files(workspace: Workspace, name: str) -> tuple[FileChange, ...]:
    """Created files first, then modified, then deleted ones."""
    return find(workspace, SESSION, name).files


def readable_copy(
    workspace: Workspace, session_id: str, *, is_here: bool = True
) -> Path | None:
    """Write the copy of a session for an assistant at work in `workspace` or not."""
    text = workspace.store.memory().text(session_id)
    if text is None:
        return None
    public_id = SESSION.public_id_in(session_id, text)
    return workspace.copy(public_id, text, is_here=is_here)


@frozen
class SessionDiff:
    session_id: str
    patches: str
    """Patches of the files of the session, as `git show` writes them."""
    off_branches: tuple[Commit, ...]
    """Commits of the session that no branch has any more."""
    missing: tuple[Commit, ...]
    uncommitted: str | None
    """None where nothing is kept here."""


def session_diff(workspace: Workspace, name: str, *, is_colored: bool) -> SessionDiff:
    """Return the diff of the session that `name` means; see `find_id` for errors."""
    session = find(workspace, SESSION, name)
    git, paths = workspace.repository, [file.path for file in session.files]
    resolved = [(git.full_name(commit.sha), commit) for commit in session.commits]
    present = {oid: commit for oid, commit in resolved if oid}
    uncommitted = None
    with suppress(OSError):
        content = read_own(
            workspace.store.journal.beside(session.client_session_id, DIFF)
        )
        uncommitted = content.decode("utf-8", "replace")
    return SessionDiff(
        session.session_id,
        commit_patches(git, present, paths, is_colored=is_colored),
        tuple(present[oid] for oid in off_branches(git, present)),
        tuple(commit for oid, commit in resolved if oid is None),
        uncommitted,
    )
