"""The search index over documents of all kinds.

It can be deleted at any time: the documents are in git, and an index that is missing,
damaged or of another version begins empty and catches up. A reserved entry names the
state that the index stands at; it is written together with the others, so the two agree
whenever a process dies.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy

from gitmem.errors import Busy, Damaged, NoPermission
from gitmem.frozen import frozen
from gitmem.search.asking import Question
from gitmem.search.conditions import any_of, required, under
from gitmem.search.documents import (
    COMMIT_LENGTH,
    SCHEMA,
    Hit,
    clean,
    exactly,
    hit_of,
    stands_at,
)
from gitmem.search.finding import best, find_hits
from gitmem.search.folder import (
    LockedError,
    UnusableError,
    create_index,
    guarded,
    in_memory,
    is_locked,
    locked,
    open_index,
    open_or_create,
)
from gitmem.search.queries.query import SESSION, Query
from gitmem.search.ranking import PRIOR
from gitmem.text.counting import Progress

if TYPE_CHECKING:
    from gitmem.documents.changes import Changes

__all__ = ["Extent", "Hit", "Index"]

_MOST_NAMED = 200
"""Documents of one name that are returned."""


@frozen
class Extent:
    """Progress of an index that has yet to learn some documents."""

    sessions: int
    total: int

    def __str__(self) -> str:
        return f"{self.sessions:,} of {self.total:,} sessions"

    def __add__(self, extent: "Extent") -> "Extent":
        return Extent(self.sessions + extent.sessions, self.total + extent.total)


class Index:
    """The documents of one repository, searchable. For one thread at a time."""

    tip: str | None
    """The state of the memory that the index has learned; None when it is empty."""
    unlearned: int
    """Estimated number of documents that it has yet to learn."""

    def __init__(self, index: tantivy.Index, folder: Path | None, lock: Path) -> None:
        self._folder = folder
        self._lock = lock
        self._use(index)

    @classmethod
    def open(cls, folder: Path, lock: Path) -> "Index":
        """Open the index in `folder`; writers hold `lock`, a file outside of it.

        Begins empty when it is missing or unusable, and lives in memory where the
        folder cannot be written.
        """
        with suppress(UnusableError):
            return cls(open_index(folder), folder, lock)
        try:
            with locked(lock):
                return cls(open_or_create(folder), folder, lock)
        except (UnusableError, LockedError):
            return cls(in_memory(), None, lock)

    @classmethod
    def recreate(
        cls, folder: Path, lock: Path, patience: float | None = None
    ) -> "Index":
        """Create an empty index, and delete whatever is in `folder`.

        Raises NoPermission where it cannot be written, and Busy where another process
        is writing it, for LOCK_WAIT or `patience` seconds.
        """
        try:
            with locked(lock, patience):
                return cls(create_index(folder), folder, lock)
        except UnusableError as error:
            raise NoPermission(f"The index in {folder} cannot be written.") from error
        except LockedError as error:
            raise Busy(f"Another process is writing the index in {folder}") from error

    def catch_up(
        self,
        tip: str,
        changes_since: Callable[[str | None], "Changes"],
        progress: Progress | None = None,
    ) -> None:
        """Learn the changes between the index's own tip, if any, and `tip`.

        `progress` is called once the work has taken longer than a second. The index
        stays where it is when another process holds the lock for long, and goes on in
        memory when its folder is unusable.
        """
        try:
            self.build(tip, changes_since, progress)
        except LockedError:
            return
        except UnusableError:
            self._folder = None
            self._use(in_memory())
            self._learn(changes_since(None), progress)

    def build(
        self,
        tip: str,
        changes_since: Callable[[str | None], "Changes"],
        progress: Progress | None = None,
    ) -> None:
        """Catch up, or raise LockedError or UnusableError."""
        if self.tip == tip:
            return
        if self._folder is None:
            self._learn(changes_since(self.tip), progress)
            return
        with locked(self._lock):
            # Another process may have written or replaced the index meanwhile.
            self._use(open_or_create(self._folder))
            if self.tip == tip:
                return  # another process was faster
            try:
                self._learn(changes_since(self.tip), progress)
            except UnusableError:
                self._use(create_index(self._folder))
                self._learn(changes_since(None), progress)

    @property
    def is_on_disk(self) -> bool:
        """Return whether the index is in a folder, for other processes too."""
        return self._folder is not None

    def is_being_written(self) -> bool:
        """Return whether another process is writing it."""
        return is_locked(self._lock)

    @property
    def extent(self) -> Extent | None:
        """Return its progress; None where it has learned all. Raises Damaged."""
        if not self.unlearned:
            return None
        with self._readable():
            kinds = self._searcher.terms_with_prefix("kind", "")
            documents = any_of(exactly("kind", kind) for kind, _ in kinds)
            result = self._searcher.search(documents, 1, count=True)
            learned: int = result.count  # type: ignore[attr-defined]  # not in stubs
            return Extent(learned, learned + self.unlearned)

    def search(self, query: Query, *, limit: int, declines: bool = True) -> list[Hit]:
        """Return at most `limit` documents, best first, then newest first.

        Without `declines` the nearest are returned, however little they answer. A query
        of filters alone returns the newest documents that pass them. Raises Damaged
        when the index turns out to be unreadable; it is empty then, and the next
        `catch_up` rebuilds it.
        """
        if limit < 1:
            return []
        with self._readable():
            question = self._question(query)
            return find_hits(self._searcher, question, limit, declines=declines)

    def nearest(self, query: Query, stems: Iterable[str], *, limit: int) -> list[Hit]:
        """Return documents that pass the filters, those with most stems first.

        Raises Damaged as `search` does.
        """
        with self._readable():
            with_stems = any_of(exactly("text", stem) for stem in stems)
            filtered = under(required(query, self._searcher), with_stems)
            return self._hits(query.kind, filtered, limit)

    @property
    def documents(self) -> int:
        """Return how many documents of any kind it has learned. Raises Damaged."""
        with self._readable():
            return sum(n for _, n in self._searcher.terms_with_prefix("kind", ""))

    def shares(self, stems: Iterable[str]) -> dict[str, float]:
        """Return the share of documents that have each stem, smoothed by PRIOR.

        Raises Damaged as `search` does.
        """
        most = self.documents + PRIOR
        having = {stem: self._searcher.doc_freq("text", clean(stem)) for stem in stems}
        return {stem: (number + 1) / most for stem, number in having.items()}

    def corrections(self, query: Query) -> dict[str, str]:
        """Return corrections of those words of the query that no document has.

        Raises Damaged as `search` does.
        """
        with self._readable():
            return self._question(query).corrections

    def lookup(self, name: str, kind: str = SESSION) -> list[str]:
        """Return ids of documents that are or were named so, by us or a client.

        Raises Damaged as `search` does.
        """
        return sorted(self._ids(kind, exactly("names", name), _MOST_NAMED))

    def lookup_beginning(self, beginning: str, kind: str = SESSION) -> list[str]:
        """Return ids of documents with a name that begins so.

        Raises Damaged as `search` does.
        """
        with self._readable():
            terms = self._searcher.terms_with_prefix("names", clean(beginning))
            names = [name for name, _ in terms][:_MOST_NAMED]
        with_names = tantivy.Query.term_set_query(SCHEMA, "names", names)
        return sorted(self._ids(kind, with_names, _MOST_NAMED))

    def ids_with_commits(
        self, names: Collection[str], kind: str = SESSION
    ) -> list[str]:
        """Return ids of documents that may list one of these commits, in any order.

        Only the first digits of a commit are compared. Raises Damaged as `search` does.
        """
        short = sorted({clean(name[:COMMIT_LENGTH]) for name in names})
        with_commits = tantivy.Query.term_set_query(SCHEMA, "commits", short)
        return self._ids(kind, with_commits, max(self._searcher.num_docs, 1))

    def _ids(self, kind: str, query: tantivy.Query, most: int) -> list[str]:
        return [hit.id for hit in self._hits(kind, query, most)]

    def _hits(self, kind: str, query: tantivy.Query, most: int) -> list[Hit]:
        with self._readable():
            of_kind = under([exactly("kind", kind)], query)
            places = [candidate.at for candidate in best(self._searcher, of_kind, most)]
            return [hit_of(self._searcher.doc(at), 0.0) for at in places]

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise Damaged where Tantivy cannot read, and go on with an empty index."""
        try:
            with guarded():
                yield
        except UnusableError as error:
            self._start_over()
            raise Damaged(
                "The search index could not be read.",
                hint="Search again: the index is built anew from the memory.",
            ) from error

    def _start_over(self) -> None:
        if self._folder is not None:
            with suppress(UnusableError, LockedError), locked(self._lock):
                self._use(create_index(self._folder))
                return
        self._use(in_memory())

    def _use(self, index: tantivy.Index) -> None:
        with guarded():
            self._index = index
            self._searcher = searcher = index.searcher()
            self._question = lru_cache(maxsize=1)(partial(Question, searcher=searcher))
            self.tip, self.unlearned = stands_at(self._searcher)

    def _learn(self, changes: "Changes", progress: Progress | None) -> None:
        from gitmem.search.index_writer import learn  # a query does not load it

        learn(self._index, changes, progress)
        with guarded():
            self._index.reload()
        self._use(self._index)
