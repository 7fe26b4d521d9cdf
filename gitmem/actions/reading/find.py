"""Searching: in this repository, or in all that the registry knows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import chain
from operator import add, itemgetter
from pathlib import Path

from gitmem.actions.reading.documents import known_tool
from gitmem.actions.reading.found import Answered, SearchResult
from gitmem.actions.reading.latest import latest
from gitmem.assistants.known import NICKNAMES, tool_named
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.indexing import ask_index
from gitmem.redaction.redact import following
from gitmem.search.documents import Match
from gitmem.search.finding import standing
from gitmem.search.index import Extent, Hit, Index
from gitmem.search.queries.query import Query, parse, relaxed, with_also
from gitmem.store.registry import registrations
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace, open_other

MOST_HITS = 5
MOST_ALSO = 5


@frozen
class Results:
    query: Query
    """The query as it was understood, with the assistant that was asked for."""
    corrected: Mapping[str, str]
    """Spelling corrections, by words of the query that no session has."""
    results: list[SearchResult]
    """At most five, best first."""
    is_global: bool
    """True if several repositories were searched."""
    dropped: tuple[str, ...] = ()
    """Fields of `query` without which it was asked again, having found nothing."""
    extent: Extent | None = None
    """Progress of the indexes that are being built; None where all are complete."""

    @property
    def are_weak(self) -> bool:
        """Whether something is near, and nothing clearly matches."""
        return bool(self.results) and all(
            result.hit.match is Match.WEAK for result in self.results
        )


def search(  # noqa: PLR0913 - all that somebody may ask for
    workspace: Workspace,
    text: str,
    *,
    limit: int = MOST_HITS,
    scope: str = "project",
    tool: str | None = None,
    also: Sequence[str] = (),
    progress: Progress | None = None,
) -> Results:
    """The best sessions for a query, of which `also` has other wordings.

    A score is a share of the query, so those of several repositories can be compared.
    Raises InvalidInput for a scope or limit that makes no sense, and for too many
    wordings.
    """
    if scope not in ("project", "global"):
        raise InvalidInput(f"scope must be 'project' or 'global', not {scope!r}.")
    if limit < 1:
        raise InvalidInput("limit must be at least 1.")
    if len(also) > MOST_ALSO:
        raise InvalidInput(f"At most {MOST_ALSO} other wordings, not {len(also)}.")
    limit = min(limit, MOST_HITS)
    is_global = scope == "global"
    query = with_also(parse(text, now=workspace.now(), tools=NICKNAMES), also)
    if tool:
        meant = tool_named(tool) if is_global else known_tool(workspace, tool)
        query = replace(query, tool=meant)

    extents: dict[Path, Extent] = {}

    def answers(query: Query) -> tuple[Answered, list[tuple[Hit, Answered]]]:
        local = _answered(workspace, query, limit, progress)
        elsewhere = (
            _answered_elsewhere(workspace, query, limit, progress) if is_global else ()
        )
        return local, _best(_noting_extents(chain([local], elsewhere), extents), limit)

    dropped: tuple[str, ...] = ()
    local, best = answers(query)
    if not best:
        relaxed_queries = relaxed(query, required=("tool",) if tool else ())
        again = ((answers(query)[1], without) for query, without in relaxed_queries)
        best, dropped = next(filter(itemgetter(0), again), ([], ()))
    corrected: dict[str, str] = {}
    for place in [place for _, place in best] or [local]:
        corrected |= place.corrected
    return Results(
        query,
        corrected,
        [
            place.search_result(rank, hit, workspace, is_global=is_global)
            for rank, (hit, place) in enumerate(best, 1)
        ],
        is_global,
        dropped,
        reduce(add, extents.values()) if extents else None,
    )


def _answered(
    place: Workspace, query: Query, limit: int, progress: Progress | None
) -> Answered:
    def answered(index: Index) -> Answered:
        if query.about_order:
            hits = latest(place, index, query, limit)
            return Answered(place, query, hits, {}, index.extent)
        hits = index.search(query, limit=limit)
        corrected = index.corrections(query)
        return Answered(place, query, hits, corrected, index.extent)

    place.current_sessions()
    return ask_index(place, answered, progress)


def _answered_elsewhere(
    workspace: Workspace, query: Query, limit: int, progress: Progress | None
) -> Iterator[Answered]:
    """The other repositories of the registry; what is gone is passed over."""
    for registration in registrations(workspace.environment.home):
        if Path(registration.git_dir) != workspace.repository.common_dir:
            with suppress(GitmemError, OSError, ValueError):  # any path may stand there
                place = open_other(workspace.environment, Path(registration.git_dir))
                with following(place.user_rules()):
                    answered = _answered(place, query, limit, progress)
                yield answered


def _noting_extents(
    places: Iterable[Answered], extents: dict[Path, Extent]
) -> Iterator[Answered]:
    for place in places:
        if place.extent:
            extents[place.workspace.repository.common_dir] = place.extent
        yield place


def _best(places: Iterable[Answered], limit: int) -> list[tuple[Hit, Answered]]:
    """Strong ones and then best first, each once: clones may hold the same session.

    Of many places those stay open that have one of them: each may keep git running.
    """
    best: list[tuple[Hit, Answered]] = []
    for place in places:
        hits = [*best, *((hit, place) for hit in place.hits)]
        hits.sort(key=lambda scored: standing(scored[0]))
        once: dict[tuple[str, str], tuple[Hit, Answered]] = {}
        for hit, at in hits:
            once.setdefault((hit.project, hit.id), (hit, at))
        best = [*once.values()][:limit]
    return best
