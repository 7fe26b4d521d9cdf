"""What is told of a session that a search found, beside what the index knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from gitmem.actions.reading.documents import readable_copy
from gitmem.actions.reading.latest import to_do
from gitmem.actions.reading.staleness import Present, Staleness
from gitmem.documents.authors import Circle
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.search.index import Extent, Hit
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import Query
from gitmem.search.reasons import NOTHING, Reasons, reasons
from gitmem.store.remote.watched_git import without_secrets
from gitmem.store.trees.committing import circle_in
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace


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
    location: Location | None
    """None in a search of one repository: to tell it takes the rules for secrets."""


_MOST_BYTES = 2_000_000
"""Why a document was found that is out of all measure, nobody waits to hear."""


@dataclass(frozen=True)
class Answered:
    """What one repository answers to a query."""

    workspace: Workspace
    query: Query
    hits: list[Hit]
    corrected: Mapping[str, str]
    """Spelling corrections, by words of the query that no session has."""
    extent: Extent | None = None
    """Progress of the index; None if it is complete."""

    def search_result(
        self, rank: int, hit: Hit, reader: Workspace, *, is_global: bool
    ) -> SearchResult:
        """All that is told of a hit to the assistant at work in `reader`."""
        is_here = self.workspace is reader
        path = readable_copy(self.workspace, hit.id, is_here=is_here)
        is_own = self._circle.owns(hit.author)
        session = self._memory.readable(hit.id)
        at = self._location if is_global else None
        if session is None:
            return SearchResult(rank, hit, is_own, path, NOTHING, None, at)
        why, stale = self._why(session, hit), self._present.staleness(session)
        return SearchResult(rank, hit, is_own, path, why, stale, at)

    def _why(self, session: Session, hit: Hit) -> Reasons:
        if self.query.about_order:
            return to_do(session)
        return reasons(entry(session), hit, self.query, self._query_words)

    @cached_property
    def _memory(self) -> SessionTree:
        return self.workspace.store.memory().limited(most_bytes=_MOST_BYTES)

    @cached_property
    def _location(self) -> Location:
        place, remotes = self.workspace, self.workspace.repository.remotes()
        url = remotes.get("origin") or next(iter(remotes.values()), "")
        return Location(place.project, place.root, without_secrets(url))

    @cached_property
    def _circle(self) -> Circle:
        return circle_in(self.workspace.repository)

    @cached_property
    def _query_words(self) -> QueryWords:
        return QueryWords(chain(self.query.words, *self.query.also), self.corrected)

    @cached_property
    def _present(self) -> Present:
        return Present(self.workspace.repository)
