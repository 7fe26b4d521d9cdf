"""Which conversation a checkpoint belongs to, when the assistant may not know it.

In this order: the session that is named; the conversation that is named; the one that
the client sends along with the call; the one of the environment, if hooks saw it begin
and not end; the newest that hooks saw begin in this work tree; the caller's own; the
one of the environment without hooks, which an assistant may have left in the meantime.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from typing import Any
from uuid import uuid4

from gitmem.actions.saving.hook_events import OPEN_TIME, newest_of_open
from gitmem.actions.saving.request import Request
from gitmem.assistants.known import (
    UNKNOWN,
    conversation_in_environment,
    conversation_in_meta,
)
from gitmem.documents.event import Client, Connected, Event
from gitmem.documents.event_log import open_conversation
from gitmem.documents.kinds import SESSION
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.naming import is_unnamed
from gitmem.documents.session.session import Session, Status
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.lookup import find_id, session_of_conversation
from gitmem.processes import is_above
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.session_tree import is_conversation_forgotten
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.workspace import Workspace

_BY_HAND = "by-hand-"


@frozen
class Caller:
    """Who calls: a client of the server, or a person at the command line."""

    tool: str = UNKNOWN
    meta: Mapping[str, Any] = field(default_factory=dict)
    """The `_meta` that an MCP client sent along with the call."""
    own_conversation: str | None = None
    """The one this caller used last, when nothing else said which."""
    takes: "Callable[[Conversation], bool]" = lambda _: True
    """Told of the conversation before anything is saved in it; gives whether what git
    says is the work of that."""


@frozen
class Conversation:
    tool: str
    client_session_id: str
    session: Session | None


def conversation_of(
    workspace: Workspace, caller: Caller, request: Request | None = None
) -> Conversation:
    """Return the conversation that a caller is in, or that a request names.

    Raises NotFound or Ambiguous when the request names what is not there, and
    InvalidInput for a conversation that was forgotten.
    """
    conversation = _conversation_of(workspace, request or Request(), caller)
    if conversation.session is None and was_forgotten(workspace, conversation):
        raise _forgotten()
    return conversation


def id_by_hand() -> str:
    """Return an id for a session that a person begins, which no script's has."""
    return f"{_BY_HAND}{uuid4()}"


def open_by_hand(workspace: Workspace, slug: str | None) -> Session | None:
    """Return the user's own session that a checkpoint by hand goes on with.

    It is the newest that was begun by hand here, and is open on this branch. Another
    slug than it has begins another one.
    """
    workspace.current_sessions()
    author = workspace.store.author(workspace.now()).who
    branch = workspace.repository.head().branch
    for session in _saved_by_hand(workspace) if branch else ():
        is_open = session.status is Status.OPEN
        if is_open and (session.author, session.branch) == (author, branch):
            return None if _is_about_something_else(session, slug) else session
    return None


def _saved_by_hand(workspace: Workspace) -> Iterator[Session]:
    """Yield sessions that were begun by hand here and saved lately, newest first."""
    since = workspace.now() - OPEN_TIME
    names = workspace.store.journal.newest_first()
    sessions = (
        session_of_conversation(workspace, name)
        for name in names
        if name.startswith(_BY_HAND)
    )
    return takewhile(
        lambda session: session.updated_at >= since, filter(None, sessions)
    )


def was_forgotten(workspace: Workspace, conversation: Conversation) -> bool:
    """Whether the user took it out of the memory, where nothing of it comes again."""
    client_id, memory = conversation.client_session_id, workspace.store.memory()
    last = _open_event(workspace, journal_name(client_id))
    tools = {conversation.tool, last.tool if last else conversation.tool}
    return any(is_conversation_forgotten(memory, tool, client_id) for tool in tools)


def _conversation_of(
    workspace: Workspace, request: Request, caller: Caller
) -> Conversation:
    tool = request.tool or caller.tool
    if request.session_id:
        return _conversation_named(workspace, request.session_id, tool)
    client_id = request.client_session_id or _from_outside(workspace, caller, tool)
    if client_id:
        return Conversation(
            tool, client_id, session_of_conversation(workspace, client_id)
        )
    return _own(workspace, request, caller, tool)


def _conversation_named(workspace: Workspace, name: str, tool: str) -> Conversation:
    """By a client id that a hook has seen; or as a person names a session."""
    client_id = clean_client_id(name)
    if _open_event(workspace, journal_name(client_id)):
        return Conversation(
            tool, client_id, session_of_conversation(workspace, client_id)
        )
    if is_forgotten(workspace.store.memory(), name):
        raise _forgotten()
    session = workspace.store.memory().document(find_id(workspace, SESSION, name))
    session_client_id = session.client_session_id if session else ""
    return Conversation(tool, session_client_id or client_id, session)


def _forgotten() -> InvalidInput:
    return InvalidInput(
        "The user forgot this session, so nothing of it is saved.",
        hint="Do not save it again, and not in other words or under another id."
        " A new conversation is saved as usual.",
    )


def _from_outside(workspace: Workspace, caller: Caller, tool: str) -> str | None:
    in_meta = conversation_in_meta(caller.meta)
    if in_meta:
        return in_meta
    in_environment = conversation_in_environment(tool, workspace.environment.variables)
    if in_environment and _open_event(workspace, journal_name(in_environment)):
        return in_environment
    return _newest_open(workspace, tool, is_named=bool(in_environment))


def _own(
    workspace: Workspace, request: Request, caller: Caller, tool: str
) -> Conversation:
    """What the caller used last, or finds in its environment.

    Another slug than that session has means a new one: Claude Code begins a new
    conversation at `/clear` without starting its server anew.
    """
    variables = workspace.environment.variables
    client_id = caller.own_conversation or conversation_in_environment(tool, variables)
    if client_id:
        session = session_of_conversation(workspace, client_id)
        if session is None or not _is_about_something_else(session, request.slug):
            return Conversation(tool, client_id, session)
    return Conversation(tool, str(uuid4()), None)


def _is_about_something_else(session: Session, slug: str | None) -> bool:
    current = slug_of(session.session_id)
    if slug is None or is_unnamed(session):
        return False
    return current != slug and not current.startswith(f"{slug}-")


def _newest_open(workspace: Workspace, tool: str, *, is_named: bool) -> str | None:
    """The conversation that hooks saw begin last in this work tree, and not end.

    Where the environment has the name of another one (`is_named`), that may be left or
    have no hooks: then only one of our own client's process counts.
    """
    ours = [event for event in newest_of_open(workspace) if event.tool == tool]
    hooked = (event for event in ours if not isinstance(event, Connected))
    for event in sorted(hooked, key=lambda event: event.at, reverse=True):
        client_id = event.client_session_id
        if not is_named or not _is_of_another_process(workspace, client_id):
            return client_id
    return None


def _is_of_another_process(workspace: Workspace, client_session_id: str) -> bool:
    events = workspace.store.journal.newest_events(client_session_id)
    client = next((event for event in events if isinstance(event, Client)), None)
    if client is None or not client.pid:
        return False
    return not is_above(client.pid, client.started)


def _open_event(workspace: Workspace, journal: str) -> Event | None:
    return open_conversation(workspace.store.journal.lines(journal))
