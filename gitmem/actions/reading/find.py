"""Searching: in this repository, or in all that the registry knows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from itertools import chain
from operator import add, itemgetter
from pathlib import Path

from gitmem.actions.reading.by_meaning import MOST_COMPARED, by_meaning
from gitmem.actions.reading.documents import known_tool, readable_copy
from gitmem.actions.reading.latest import latest, to_do
from gitmem.actions.reading.missing_names import MissingNames, missing_names
from gitmem.actions.reading.staleness import Present, Staleness
from gitmem.assistants.known import NICKNAMES, tool_named
from gitmem.documents.authors import Trust
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.indexing import ask_index
from gitmem.meaning.model import is_installed
from gitmem.redaction.redact import following, redact
from gitmem.search.documents import Match
from gitmem.search.finding import standing
from gitmem.search.index import Extent, Hit, Index
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import Query, parse, relaxed, with_also
from gitmem.search.reasons import NOTHING, Reasons, reasons
from gitmem.store.registry import registrations
from gitmem.store.remote.watched_git import without_secrets
from gitmem.store.trees.committing import configured_trust
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace, open_other

MOST_HITS = 5
MOST_ALSO = 5
_MOST_BYTES = 2_000_000
"""Why a document was found that is out of all measure, nobody waits to hear."""


@frozen
class Location:
    """The repository that a hit is of."""

    project: str
    root: Path
    """Its work tree; the repository itself where it is bare."""
    remote: str
    """The URL of `origin`, else of the first remote, without credentials; or ""."""


@frozen
class SearchResult:
    """A hit, why it is one, and the path at which its document can be read."""

    rank: int
    hit: Hit
    is_own: bool
    """True if the user began the session."""
    markdown_path: Path | None
    reasons: Reasons
    staleness: Staleness | None
    """None where nobody can tell."""
    missing: tuple[str, ...]
    """Names in what the session says it did or decided that are nowhere."""
    location: Location | None
    """None in a search of one repository: to tell it takes the rules for secrets."""


@dataclass(frozen=True)
class Answered:
    """The answer of one repository to a query."""

    workspace: Workspace
    query: Query
    hits: list[Hit]
    corrected: Mapping[str, str]
    """Spelling corrections, by words of the query that no session has."""
    extent: Extent | None = None
    """Progress of the index; None if it is complete."""

    def by_meaning(self, limit: int) -> "Answered":
        """Return the best hits by words and meaning, where no words match clearly."""
        hits = by_meaning(self.hits, self.query, self._query_words, self._memory)
        return replace(self, hits=hits[:limit])

    def search_result(
        self,
        rank: int,
        hit: Hit,
        reader: Workspace,
        *,
        is_global: bool,
        while_typing: bool,
    ) -> SearchResult:
        """All that is told of a hit to the assistant at work in `reader`."""
        is_here = self.workspace is reader
        path = None
        if not while_typing:
            path = readable_copy(self.workspace, hit.id, is_here=is_here)
        is_own = self._trust.owns(hit.author)
        session = self._memory.readable(hit.id)
        at = self._location if is_global else None
        if session is None:
            return SearchResult(rank, hit, is_own, path, NOTHING, None, (), at)
        why, stale = self._why(session, hit), self._present.staleness(session)
        missing = {} if while_typing else self._missing.get(hit.id, {})
        names = tuple(dict.fromkeys(chain.from_iterable(missing.values())))
        return SearchResult(rank, hit, is_own, path, why, stale, names, at)

    def _why(self, session: Session, hit: Hit) -> Reasons:
        if self.query.about_order:
            return to_do(session)
        return reasons(entry(session), hit, self.query, self._query_words)

    @cached_property
    def _missing(self) -> Mapping[str, MissingNames]:
        sessions = (self._memory.readable(hit.id) for hit in self.hits)
        return missing_names(self.workspace, [*filter(None, sessions)])

    @cached_property
    def _memory(self) -> SessionTree:
        return self.workspace.store.memory().limited(most_bytes=_MOST_BYTES)

    @cached_property
    def _location(self) -> Location:
        place, remotes = self.workspace, self.workspace.repository.remotes()
        url = remotes.get("origin") or next(iter(remotes.values()), "")
        return Location(place.project, place.root, without_secrets(url))

    @cached_property
    def _trust(self) -> Trust:
        return configured_trust(self.workspace.repository)

    @cached_property
    def _query_words(self) -> QueryWords:
        return QueryWords(chain(self.query.words, *self.query.also), self.corrected)

    @cached_property
    def _present(self) -> Present:
        return Present(self.workspace.repository)


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
        """True if something is near, and nothing clearly matches."""
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
    by_meaning: bool = False,
    while_typing: bool = False,
    progress: Progress | None = None,
) -> Results:
    """The best sessions for a query, of which `also` has other wordings.

    With `by_meaning` the model of meanings is asked, too, if the user installed one.
    For one who is typing the query no copies are written, and no names looked up.
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
    text, *also = map(redact, (text, *also))  # answers repeat words of both
    query = with_also(parse(text, now=workspace.now(), tools=NICKNAMES), also)
    if tool:
        meant = tool_named(tool) if is_global else known_tool(workspace, tool)
        query = replace(query, tool=meant)

    extents: dict[Path, Extent] = {}

    def answers(query: Query) -> tuple[Answered, list[tuple[Hit, Answered]]]:
        has_model = by_meaning and is_installed()
        ask = partial(_answered, limit=limit, by_meaning=has_model, progress=progress)
        local = ask(workspace, query)
        elsewhere = _answered_elsewhere(workspace, query, ask) if is_global else ()
        places = _noting_extents(chain([local], elsewhere), extents)
        return local, _best(places, limit)

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
            place.search_result(
                rank, hit, workspace, is_global=is_global, while_typing=while_typing
            )
            for rank, (hit, place) in enumerate(best, 1)
        ],
        is_global,
        dropped,
        reduce(add, extents.values()) if extents else None,
    )


def _answered(
    place: Workspace,
    query: Query,
    *,
    limit: int,
    by_meaning: bool,
    progress: Progress | None,
) -> Answered:
    def answered(index: Index) -> Answered:
        if query.about_order:
            hits = latest(place, index, query, limit)
            return Answered(place, query, hits, {}, index.extent)
        most = max(limit, MOST_COMPARED) if by_meaning else limit
        hits = index.search(query, limit=most)
        answer = Answered(place, query, hits, index.corrections(query), index.extent)
        return answer.by_meaning(limit) if by_meaning else answer

    place.current_sessions()
    return ask_index(place, answered, progress)


def _answered_elsewhere(
    workspace: Workspace, query: Query, ask: Callable[[Workspace, Query], Answered]
) -> Iterator[Answered]:
    """The other repositories of the registry; what is gone is passed over."""
    environment = workspace.environment
    for registration in registrations(environment.home):
        is_here = Path(registration.git_dir) == workspace.repository.common_dir
        if not is_here and environment.reaches(registration.git_dir):
            with suppress(GitmemError, OSError, ValueError):  # any path may stand there
                place = open_other(environment, Path(registration.git_dir))
                with following(place.user_rules()):
                    answered = ask(place, query)
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
