"""Lists of sessions: the time line with filters that stand in the URL, and search."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import dropwhile, groupby, islice, takewhile
from typing import Any

from gitmem.actions.reading.recent import session_state
from gitmem.config import local_time
from gitmem.documents.authors import Trust, name_in
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.gist import SessionState, has_work
from gitmem.documents.session.identity import tool_in
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.indexing import ask_index
from gitmem.store.trees.committing import configured_trust
from gitmem.store.trees.session_tree import SessionTree, tools_in
from gitmem.workspace import Workspace

_PAGE = 50
"""Sessions of a page."""
_MOST_READ = 1000
"""Documents that are read for a page; the next one goes on behind them."""
_MOST_INDEXED = 10_000
"""Sessions that the index narrows a list down to."""


@lru_cache(maxsize=16_384)
def day_in(session_id: str) -> date:
    """Return the day on which a session began, by its id; no calendar has some."""
    day, _, time = SESSION.moment_in(session_id).partition("_")
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(f"{day}T{time.replace('-', ':')}")
        return local_time(moment.replace(tzinfo=UTC)).date()
    return date.min


def date_in(text: str) -> date | None:
    """Return the date that a parameter names; None for none."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None


@frozen
class Filters:
    """What a session must have to be listed; "" for whatever it has."""

    branch: str = ""
    tool: str = ""
    author: str = ""
    """A name or an address."""
    status: str = ""
    path: str = ""
    """Part of the path of a file that it touched."""
    since: str = ""
    until: str = ""
    """Days, both included."""
    all: str = ""
    """Anything but "" lists also sessions without work."""

    def allows(self, session_id: str) -> bool:
        """Return whether assistant and day of a session fit, by its id."""
        since, until = date_in(self.since), date_in(self.until)
        if self.tool and tool_in(session_id) != self.tool:
            return False
        if not (since or until):
            return True
        day = day_in(session_id)
        return (since or day) <= day <= (until or day)

    def fits(self, session: Session) -> bool:
        """Return whether what a session says fits."""
        paths = (file.path.casefold() for file in session.files)
        return (
            (bool(self.all) or has_work(session))
            and self.branch in ("", session.branch)
            and self.author.casefold() in session.author.casefold()
            and (not self.path or any(self.path.casefold() in path for path in paths))
        )


@frozen
class SessionRow:
    session: Session
    state: SessionState
    author: str
    """The name of another person; "" for the user."""


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    names = (field.name for field in fields(Filters))
    filters = Filters(**{name: parameters.get(name, "").strip() for name in names})
    memory = workspace.current_sessions()
    all_ids = ids_in_order(workspace, memory)
    ids = _narrowed(workspace, all_ids, filters, parameters.get("before", ""))
    rows, last_id = _rows(workspace, memory, ids, filters)
    return {
        "filters": filters,
        "active": {name: text for name, text in asdict(filters).items() if text},
        "days": by_day(rows),
        "before": last_id,
        "total": len(all_ids),
        "tools": sorted(tools_in(memory)),
        "branches": sorted({row.session.branch or "" for row in rows} - {""}),
        "states": [*SessionState],
    }


def search_values(
    workspace: Workspace, parameters: Mapping[str, str]
) -> dict[str, Any]:
    """Return what `ocm search` finds, with its grades and reasons."""
    from gitmem.actions.reading.find import search  # lists need no search
    from gitmem.actions.reading.session_answers import understood_query
    from gitmem.answers import indexed_so_far
    from gitmem.search.queries.query import none_found_with

    query = parameters.get("q", "").strip()
    if not query:
        return {"query": "", "results": None}
    results = search(workspace, query, while_typing=True)
    return {
        "query": query,
        "results": results,
        "understood": understood_query(results),
        "dropped": results.dropped and none_found_with(results.query, results.dropped),
        "so_far": indexed_so_far(results.extent),
    }


def by_day(rows: Iterable[SessionRow]) -> list[tuple[date, list[SessionRow]]]:
    groups = groupby(rows, lambda row: day_in(row.session.id))
    return [(day, [*day_rows]) for day, day_rows in groups]


def session_row(workspace: Workspace, trust: Trust, session: Session) -> SessionRow:
    author = "" if trust.owns(session.author) else name_in(session.author)
    return SessionRow(session, session_state(workspace, session), author)


def ids_in_order(workspace: Workspace, memory: SessionTree) -> list[str]:
    """Return all ids, the newest first, those of the future last.

    The tree keeps them until the memory changes.
    """
    ids = sorted(memory.ids_by_identity.values(), reverse=True)
    newest = next(memory.begun_ids(workspace.now()), "")
    ahead = [*takewhile(lambda session_id: session_id > newest, ids)]
    return ids[len(ahead) :] + ahead


def _narrowed(
    workspace: Workspace, ids: Iterable[str], filters: Filters, before: str
) -> Iterator[str]:
    """Yield those of the ids behind one that may fit."""
    if before:
        ids = islice(dropwhile(before.__ne__, ids), 1, None)
    if filters.branch or filters.author:
        indexed_ids = _indexed_ids(workspace, filters)
        ids = filter(indexed_ids.__contains__, ids)
    return filter(filters.allows, ids)


def _indexed_ids(workspace: Workspace, filters: Filters) -> Collection[str]:
    """Return the ids of sessions that the index has for a branch or an author."""
    from gitmem.search.queries.query import Query  # most lists need none

    query = Query(
        text="",
        words=(),
        author=filters.author.casefold() or None,
        labels=((f"branch:{filters.branch}",),) if filters.branch else (),
    )
    hits = ask_index(workspace, lambda index: index.search(query, limit=_MOST_INDEXED))
    return {hit.id for hit in hits}


def _rows(
    workspace: Workspace, memory: SessionTree, ids: Iterator[str], filters: Filters
) -> tuple[list[SessionRow], str]:
    """Return the sessions of a page, and the id behind which the next one begins."""
    rows: list[SessionRow] = []
    trust, last_id = configured_trust(workspace.repository), ""
    for last_id in islice(ids, _MOST_READ):
        session = memory.readable(last_id)
        if session and filters.fits(session):
            row = session_row(workspace, trust, session)
            rows += [row] if filters.status in ("", row.state) else []
        if len(rows) == _PAGE:
            break
    return rows, last_id if next(ids, None) else ""
