"""Searching: in this repository, or in all that the registry knows."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.documents import readable_copy
from gitmem.assistants.known import SPOKEN, tool_named
from gitmem.errors import GitmemError, InvalidInput
from gitmem.search.index import Hit, Progress
from gitmem.search.query import Query, parse
from gitmem.store.registry import registrations
from gitmem.workspace import Workspace, open_other

Scope = Literal["project", "global"]

MOST_HITS = 5
NO_HITS = "No sessions found matching your query."


@dataclass(frozen=True, slots=True)
class Found:
    """A hit, with the path at which its document can be read."""

    rank: int
    hit: Hit
    markdown_path: Path | None


def search(
    workspace: Workspace,
    text: str,
    *,
    limit: int = MOST_HITS,
    scope: str = "project",
    tool: str | None = None,
    progress: Progress | None = None,
) -> list[Found]:
    """The best sessions for a query, at most five, best first.

    Scores do not depend on the other sessions of a repository, so those of several
    can be compared. Raises InvalidInput for a scope or limit that makes no sense.
    """
    if scope not in get_args(Scope):
        raise InvalidInput(f"{scope!r} is no scope; project and global are.")
    if limit < 1:
        raise InvalidInput("limit must be at least 1.")
    limit = min(limit, MOST_HITS)
    query = parse(text, now=workspace.now(), tools=SPOKEN)
    wanted = tool_named(tool) if tool else None
    hits = _hits(workspace, query, limit, wanted, progress)
    if scope == "global":
        hits += _hits_elsewhere(workspace, query, limit, wanted, progress)
    hits.sort(
        key=lambda found: (round(found[0].score, 3), found[0].started_at), reverse=True
    )
    best = islice(_each_once(hits), limit)
    return [
        Found(rank, hit, readable_copy(place, hit.session_id, workspace))
        for rank, (hit, place) in enumerate(best, start=1)
    ]


def _each_once(hits: list[tuple[Hit, Workspace]]) -> Iterator[tuple[Hit, Workspace]]:
    """Clones of one repository may hold the same session."""
    seen = set()
    for hit, place in hits:
        name = hit.project, hit.session_id
        if name not in seen:
            seen.add(name)
            yield hit, place


def _hits(
    place: Workspace,
    query: Query,
    limit: int,
    tool: str | None,
    progress: Progress | None,
) -> list[tuple[Hit, Workspace]]:
    place.drained_memory()
    hits = ask_index(
        place, lambda index: index.search(query, limit=limit, tool=tool), progress
    )
    return [(hit, place) for hit in hits]


def _hits_elsewhere(
    workspace: Workspace,
    query: Query,
    limit: int,
    tool: str | None,
    progress: Progress | None,
) -> list[tuple[Hit, Workspace]]:
    """From the other repositories of the registry; what is gone is passed over."""
    hits = []
    for known in registrations(workspace.environment.home):
        if Path(known.git_dir) != workspace.repository.common_dir:
            with suppress(GitmemError, OSError, ValueError):  # any path may stand there
                place = open_other(workspace.environment, Path(known.git_dir))
                hits += _hits(place, query, limit, tool, progress)
    return hits
