"""What hooks saw of conversations, so that each is given what it did and no more."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from gitmem.model.checkpoint import Checkpoint
from gitmem.model.event import (
    Committed,
    Edit,
    End,
    Event,
    Found,
    events_in,
    newest_event,
)
from gitmem.model.record import checkpoints_in
from gitmem.store.local.journal import journal_name
from gitmem.workspace import Workspace

_RECENT = 50
"""How many journals, the last written ones, are looked at."""
_OPEN = timedelta(hours=12)
"""So long after its last event a conversation that did not end may still go on."""


def events_of(workspace: Workspace, client_session_id: str) -> list[Event]:
    return events_in(workspace.store.journal.lines(journal_name(client_session_id)))


def checkpoints_of(workspace: Workspace, client_session_id: str) -> list[Checkpoint]:
    return checkpoints_in(
        workspace.store.journal.lines(journal_name(client_session_id))
    )


def edited_in(events: Iterable[Event]) -> set[str]:
    """Paths of the files that were edited."""
    return {event.path for event in events if isinstance(event, Edit)}


def committed_in(events: Iterable[Event]) -> set[str]:
    """Names of the commits that git's hook saw, as sessions list them."""
    return {event.sha for event in events if isinstance(event, Committed)}


def last_found(events: Iterable[Event]) -> Found | None:
    """What git said when the conversation began or went on."""
    return next((e for e in reversed(list(events)) if isinstance(e, Found)), None)


def heard_of_others(
    workspace: Workspace, client_session_id: str, since: datetime
) -> Iterator[list[Event]]:
    """Events of each other conversation in this work tree with one after `since`.

    The last written first.
    """
    for newest, lines in _heard_here(workspace, since):
        if newest.client_session_id != client_session_id:
            yield events_in(lines)


def open_here(workspace: Workspace) -> Iterator[list[Event]]:
    """Events of each conversation in this work tree that may still go on."""
    return (events_in(lines) for _, lines in _open_here(workspace))


def newest_of_open(workspace: Workspace) -> Iterator[Event]:
    """The last event of each of them."""
    return (newest for newest, _ in _open_here(workspace))


def commits_of_others(workspace: Workspace, client_session_id: str) -> set[str]:
    """Names of the commits that other conversations have, as sessions list them."""
    own = journal_name(client_session_id)
    names = islice(workspace.store.journal.newest_first(), _RECENT)
    lines = [workspace.store.journal.lines(name) for name in names if name != own]
    written = [made for each in lines for made in checkpoints_in(each)]
    return {commit.sha for made in written for commit in made.commits}.union(
        (rewrite.new.sha for made in written for rewrite in made.rewritten),
        *(committed_in(events_in(each)) for each in lines),
    )


def _open_here(workspace: Workspace) -> Iterator[tuple[Event, list[str]]]:
    heard = _heard_here(workspace, workspace.now() - _OPEN)
    return (each for each in heard if not isinstance(each[0], End))


def _heard_here(
    workspace: Workspace, since: datetime
) -> Iterator[tuple[Event, list[str]]]:
    """The last event and the lines of each journal; there may be megabytes of them."""
    for name in islice(workspace.store.journal.newest_first(), _RECENT):
        lines = workspace.store.journal.lines(name)
        newest = newest_event(lines)
        is_here = newest and newest.root == str(workspace.root)
        if newest and is_here and newest.at >= since:
            yield newest, lines
