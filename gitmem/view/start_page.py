"""What is unfinished, when work was done and by whom, and what is not committed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain, islice
from math import ceil
from typing import Any

from gitmem.actions.reading.recent import (
    LOOKED_AT,
    OF_OTHERS,
    Recent,
    recent,
)
from gitmem.documents.session.gist import has_left, has_work
from gitmem.documents.session.identity import tool_in
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.work_tree import changes_since
from gitmem.store.trees.committing import present_branch
from gitmem.store.trees.session_tree import SessionTree
from gitmem.view.session_list import day_in
from gitmem.workspace import Workspace

_WEEKS = 53
_DAYS = 30
"""Days in which sessions are counted by assistant and branch."""
_MOST_UNFINISHED, _MOST_PATHS, _MOST_BARS = 12, 20, 6
_LEVELS = 4
"""Shades of a day with sessions."""


@frozen
class Day:
    date: date
    sessions: int
    level: int
    """Shade from 0, for a day without sessions, to 4 for the busiest."""


def values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    memory = workspace.current_sessions()
    today = workspace.now().date()
    first = today - timedelta(days=today.weekday(), weeks=_WEEKS - 1)
    ids = _ids_between(memory, first, today)
    sessions = recent(workspace, memory)
    since = _since(sessions, today)
    lately = [*sessions.own, *sessions.of_others]
    return {
        "sessions": len(ids),
        "first": first,
        "unfinished": _unfinished(workspace, sessions.own),
        "uncommitted": _uncommitted(workspace, lately),
        "days": _days(ids, first, today),
        "weeks": _WEEKS,
        "since": since,
        "tools": _counts(tool_in(id_) for id_ in ids if day_in(id_) >= since),
        "branches": _counts(
            session.branch
            for session in lately
            if session.branch and has_work(session) and day_in(session.id) >= since
        ),
    }


def _unfinished(
    workspace: Workspace, sessions: Iterable[Session]
) -> dict[str, list[Session]]:
    """Return the sessions with something left by branch, the present branch first."""
    by_branch: defaultdict[str, list[Session]] = defaultdict(list)
    by_branch[present_branch(workspace.repository) or ""] = []
    for session in islice(filter(has_left, sessions), _MOST_UNFINISHED):
        by_branch[session.branch or ""].append(session)
    return {branch: of_branch for branch, of_branch in by_branch.items() if of_branch}


def _uncommitted(
    workspace: Workspace, sessions: Sequence[Session]
) -> list[tuple[str, list[Session]]]:
    """Return changed files, each with the newest sessions that touched it."""
    git = workspace.repository
    if git.work_tree is None:
        return []
    by_path: defaultdict[str, list[Session]] = defaultdict(list)
    for session in sessions:
        for file in session.files:
            by_path[file.path].append(session)
    paths = (change.path for change in changes_since(git, git.head().commit))
    return [(path, by_path[path][:2]) for path in islice(paths, _MOST_PATHS)]


def _ids_between(memory: SessionTree, first: date, last: date) -> list[str]:
    """Return the ids of sessions of these days; only folders of theirs are listed."""
    days = (first + timedelta(days=n) for n in range(-1, (last - first).days + 2))
    ids = chain.from_iterable(memory.ids_in(*f"{day}".split("-")) for day in days)
    return [session_id for session_id in ids if first <= day_in(session_id) <= last]


def _days(ids: Iterable[str], first: date, today: date) -> list[Day]:
    counts = Counter(map(day_in, ids))
    days = [first + timedelta(days=n) for n in range((today - first).days + 1)]
    most = max(map(counts.__getitem__, days)) or 1
    return [Day(day, counts[day], ceil(_LEVELS * counts[day] / most)) for day in days]


def _since(sessions: Recent, today: date) -> date:
    """Return the first day of which all sessions are among the recent ones."""
    limits = (sessions.own, LOOKED_AT), (sessions.of_others, OF_OTHERS)
    ends = [
        day_in(min(session.id for session in recent_sessions)) + timedelta(days=1)
        for recent_sessions, most in limits
        if len(recent_sessions) >= most
    ]
    return max([today - timedelta(days=_DAYS), *ends])


def _counts(labels: Iterable[str]) -> list[tuple[str, int]]:
    """Return the most frequent labels, each with how many sessions have it."""
    return Counter(labels).most_common(_MOST_BARS)
