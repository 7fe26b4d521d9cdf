"""What conversations were told of the memory, and which of it their work touched."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from gitmem.actions.reading.documents import session_named
from gitmem.actions.remembering.corrections import memory_claim
from gitmem.documents.event import Event, Recalled
from gitmem.documents.event_log import edited_paths, events_in
from gitmem.documents.kinds import MEMORY
from gitmem.documents.session.session import statements
from gitmem.frozen import frozen
from gitmem.text.code_names import names_in
from gitmem.workspace import Workspace

_KEPT = timedelta(days=90)
_WEEK = timedelta(days=7)
_MARK = '"event": "recalled"'


@frozen
class ToldAt:
    """What a conversation, or a subagent of it, was told at one moment."""

    at: datetime
    occasion: str
    tokens: int
    path: str
    ids: Sequence[str]
    """References of memories, sessions and their statements."""
    touched: Sequence[str]
    """Statements that name a file edited afterwards."""


def told_in(workspace: Workspace, name: str) -> list[ToldAt]:
    """Return what the conversation of a session was told in the last 90 days.

    See find_session for what may name it, and for errors.
    """
    session = session_named(workspace, name)
    events = workspace.store.journal.events(session.client_session_id)
    return [*_moments(workspace, events, workspace.now() - _KEPT)]


def served(workspace: Workspace) -> dict[str, int]:
    """Count what conversations were told in the last week."""
    journal, since = workspace.store.journal, workspace.now() - _WEEK
    logs = [journal.lines(name) for name in journal.names()]
    with_told = (lines for lines in logs if any(_MARK in line for line in lines))
    moments_by_journal = [
        [*_moments(workspace, events_in(lines), since)] for lines in with_told
    ]
    moments = [moment for conversation in moments_by_journal for moment in conversation]
    return {
        "conversations": sum(map(bool, moments_by_journal)),
        "tokens": sum(moment.tokens for moment in moments),
        "statements": sum(len(moment.ids) for moment in moments),
        "touched": sum(len(moment.touched) for moment in moments),
    }


def _moments(
    workspace: Workspace, events: Sequence[Event], since: datetime
) -> Iterator[ToldAt]:
    for number, event in enumerate(events):
        if isinstance(event, Recalled) and event.tokens and event.at >= since:
            paths = edited_paths(events[number:])
            references = (id_.partition("@")[0] for id_ in event.ids)
            ids = [*filter(None, dict.fromkeys(references))]
            touched = [id_ for id_ in ids if _is_about(workspace, id_, paths)]
            occasion = event.where.value
            yield ToldAt(event.at, occasion, event.tokens, event.path, ids, touched)


def _is_about(workspace: Workspace, reference: str, paths: Iterable[str]) -> bool:
    """Tell whether a statement names one of the files."""
    names = _names_of(workspace, reference) if paths else ()
    return any(f"/{path}".endswith(f"/{name}") for path in paths for name in names)


def _names_of(workspace: Workspace, reference: str) -> frozenset[str]:
    """Return the files and names of code that a statement is about."""
    if MEMORY.is_id(reference):
        memory = workspace.store_of(MEMORY).memory().readable(reference)
        return memory_claim(memory).names if memory else frozenset()
    session = workspace.store.memory().readable(reference.partition("#")[0])
    stated = statements(session) if session else ()
    texts = (statement.text for statement in stated if statement.reference == reference)
    return names_in("\n".join(texts))
