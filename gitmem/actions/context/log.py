"""What conversations were given of the memory, and which of it their work touched."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from gitmem.actions.remembering.corrections import memory_claim
from gitmem.documents.event import Event, Recalled
from gitmem.documents.event_log import edited_paths, events_in
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.session.statements import statements
from gitmem.frozen import frozen
from gitmem.lookup import find
from gitmem.text.code_names import names_in
from gitmem.workspace import Workspace

_LOG_AGE = timedelta(days=90)
_WEEK = timedelta(days=7)
_MARK = '"event": "recalled"'


@frozen
class Delivery:
    """What a conversation, or a subagent of it, was given at one moment."""

    at: datetime
    occasion: str
    tokens: int
    path: str
    ids: Sequence[str]
    """References of memories, sessions and their statements."""
    touched: Sequence[str]
    """Statements that name a file edited afterwards."""


def deliveries(workspace: Workspace, session_name: str) -> list[Delivery]:
    """Return what the conversation of a session was given in the last 90 days.

    Raises as `find_id` does.
    """
    session = find(workspace, SESSION, session_name)
    events = workspace.store.journal.events(session.client_session_id)
    return [*_deliveries_since(workspace, events, workspace.now() - _LOG_AGE)]


def week_in_numbers(workspace: Workspace) -> dict[str, int]:
    """Count what conversations were given in the last week."""
    since = workspace.now() - _WEEK
    conversations = [*deliveries_since(workspace, since).values()]
    week = [delivery for conversation in conversations for delivery in conversation]
    return {
        "conversations": len(conversations),
        "tokens": sum(delivery.tokens for delivery in week),
        "statements": sum(len(delivery.ids) for delivery in week),
        "touched": sum(len(delivery.touched) for delivery in week),
    }


def deliveries_since(
    workspace: Workspace, since: datetime
) -> dict[str, list[Delivery]]:
    """Return what conversations were given, by client id, and none without any."""
    journal = workspace.store.journal
    journals = (journal.lines(name) for name in journal.names())
    conversations = (
        events_in(lines) for lines in journals if any(_MARK in line for line in lines)
    )
    by_client_id = {
        events[0].client_session_id: [*_deliveries_since(workspace, events, since)]
        for events in conversations
        if events
    }
    return {client_id: row for client_id, row in by_client_id.items() if row}


def _deliveries_since(
    workspace: Workspace, events: Sequence[Event], since: datetime
) -> Iterator[Delivery]:
    for number, event in enumerate(events):
        if isinstance(event, Recalled) and event.tokens and event.at >= since:
            paths = edited_paths(events[number:])
            references = (id_.partition("@")[0] for id_ in event.ids)
            ids = [*filter(None, dict.fromkeys(references))]
            touched = [id_ for id_ in ids if _is_about(workspace, id_, paths)]
            occasion = event.where.value
            yield Delivery(event.at, occasion, event.tokens, event.path, ids, touched)


def _is_about(workspace: Workspace, reference: str, paths: Iterable[str]) -> bool:
    """Tell whether a statement names one of the files."""
    names = _names_in(workspace, reference) if paths else ()
    return any(f"/{path}".endswith(f"/{name}") for path in paths for name in names)


def _names_in(workspace: Workspace, reference: str) -> frozenset[str]:
    """Return the files and names of code that a statement is about."""
    if MEMORY.is_id(reference):
        memory = workspace.documents_of(MEMORY).memory().readable(reference)
        return memory_claim(memory).names if memory else frozenset()
    session = workspace.store.memory().readable(reference.partition("#")[0])
    session_statements = statements(session) if session else ()
    texts = (
        statement.text
        for statement in session_statements
        if statement.reference == reference
    )
    return names_in("\n".join(texts))
