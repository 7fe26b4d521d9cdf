"""The newest sessions, whatever the clock was that others began theirs by.

A session that says that it begins in the future would stand before all others for
years. What begins more than a day from now comes last; a day is more than time zones
and clocks that are a little wrong make up.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import dropwhile, takewhile

from gitmem.documents.session.kind import AHEAD
from gitmem.documents.session.session import Session
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace

_MOST_DAYS = 400
"""That are looked through on either side of a session."""
_MOST_READ = 500_000
"""Characters of a document, of which there may be 20 million."""


def newest(workspace: Workspace, memory: SessionTree) -> Iterator[Session]:
    """All sessions of the memory, the newest first; those of the future at the end.

    To be listed: of a document that is out of all measure, the end is not read.
    """
    listed = memory.limited(most_read=_MOST_READ)
    yield from listed.documents(present_ids(workspace, memory))
    yield from listed.documents(_future_ids(workspace, memory))


def present_ids(workspace: Workspace, memory: SessionTree) -> Iterator[str]:
    """Ids of the sessions that have begun, the newest day first."""
    horizon = _horizon(workspace)
    return dropwhile(lambda session_id: session_id > horizon, memory.ids())


def ids_from(memory: SessionTree, middle: str, step: int) -> Iterator[str]:
    """Yield the ids after (1) or before (-1) one, the nearest first.

    Only of days around it; "" has none.
    """
    with suppress(ValueError, OverflowError):  # no day of the calendar
        day = date.fromisoformat(middle[:10])
        for _ in range(_MOST_DAYS):
            ids = [*memory.ids_in(*f"{day:%Y-%m-%d}".split("-"))]
            if step > 0:
                yield from (each for each in reversed(ids) if each > middle)
            else:
                yield from (each for each in ids if each < middle)
            day += timedelta(days=step)


def is_future(workspace: Workspace, session: Session) -> bool:
    """Whether a session says that it began, or was saved, more than a day from now."""
    latest = max(session.started_at, session.updated_at)
    return latest > workspace.now() + AHEAD


def _future_ids(workspace: Workspace, memory: SessionTree) -> Iterator[str]:
    horizon = _horizon(workspace)
    return takewhile(lambda session_id: session_id > horizon, memory.ids())


def _horizon(workspace: Workspace) -> str:
    """An id is greater than this if the clock on the wall shows a later minute there.

    Ids begin with the time, so their order is that of the time.
    """
    return f"{workspace.now() + AHEAD:%Y-%m-%d_%H-%M}~"
