"""The search index: what documents hold, made findable.

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
from gitmem.search.finding import best, found
from gitmem.search.folder import (
    LockedError,
    UnusableError,
    guarded,
    in_memory,
    is_locked,
    locked,
    made,
    opened,
    opened_or_made,
)
from gitmem.search.queries.query import SESSION, Query
from gitmem.search.ranking import PRIOR
from gitmem.text.counting import Progress

if TYPE_CHECKING:
    from gitmem.documents.changes import Changes

__all__ = ["Extent", "Hit", "Index"]

_MOST_NAMED = 200
"""How many documents of one name are told."""


@frozen
class Extent:
    """How far an index has come that has yet to learn some documents."""

    sessions: int
    of: int

    def __str__(self) -> str:
        return f"{self.sessions:,} of {self.of:,} sessions"

    def __add__(self, other: "Extent") -> "Extent":
        return Extent(self.sessions + other.sessions, self.of + other.of)


class Index:
    """The documents of one repository, searchable. For one thread at a time."""

    tip: str | None
    """The state of the memory that the index stands at; None when it is empty."""
    left: int
    """Documents that it has yet to learn, as far as is known."""

    def __init__(self, index: tantivy.Index, folder: Path | None, lock: Path) -> None:
        self._folder = folder
        self._lock = lock
        self._use(index)

    @classmethod
    def open(cls, folder: Path, lock: Path) -> "Index":
        """The index in `folder`.

        It begins empty when it is missing or cannot be used, and lives in memory where
        the folder cannot be written. Whoever writes holds `lock`, a file outside the
        folder.
        """
        with suppress(UnusableError):
            return cls(opened(folder), folder, lock)
        try:
            with locked(lock):
                return cls(opened_or_made(folder), folder, lock)
        except (UnusableError, LockedError):
            return cls(in_memory(), None, lock)

    @classmethod
    def made_anew(
        cls, folder: Path, lock: Path, patience: float | None = None
    ) -> "Index":
        """An empty index in `folder`, whatever was there.

        Raises NoPermission where it cannot be written, and Busy where another process
        is writing it, for LOCK_WAIT or `patience` seconds.
        """
        try:
            with locked(lock, patience):
                return cls(made(folder), folder, lock)
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
        """Learn what happened between the index's own tip and `tip`.

        `changes_since` is given the index's tip. `progress` is called once the work has
        taken longer than a second. When another process keeps the lock for long, the
        index stays where it is.
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
        """The same, and nothing else where that cannot be.

        Raises LockedError and UnusableError.
        """
        if self.tip == tip:
            return
        if self._folder is None:
            self._learn(changes_since(self.tip), progress)
            return
        with locked(self._lock):
            self._use(opened_or_made(self._folder))
            if self.tip == tip:
                return  # another process was faster
            try:
                self._learn(changes_since(self.tip), progress)
            except UnusableError:
                self._use(made(self._folder))
                self._learn(changes_since(None), progress)

    @property
    def is_kept(self) -> bool:
        """Whether others find it in a folder."""
        return self._folder is not None

    def is_being_written(self) -> bool:
        """Whether another process is at it."""
        return is_locked(self._lock)

    @property
    def extent(self) -> Extent | None:
        """None where it has learned all, as far as is known. Raises Damaged."""
        if not self.left:
            return None
        with self._readable():
            kinds = self._searcher.terms_with_prefix("kind", "")
            asked = any_of(exactly("kind", kind) for kind, _ in kinds)
            found = self._searcher.search(asked, 1, count=True)
            learned: int = found.count  # type: ignore[attr-defined]  # not in stubs
            return Extent(learned, learned + self.left)

    def search(self, query: Query, *, limit: int) -> list[Hit]:
        """At most `limit` documents, best first and of equal ones the newer first.

        None where nothing is near. A query of filters alone gives the newest documents
        that fulfil them. Raises Damaged when the index turns out to be unreadable; it
        is empty then, and the next `catch_up` rebuilds it.
        """
        if limit < 1:
            return []
        with self._readable():
            return found(self._searcher, self._question(query), limit)

    def nearest(self, query: Query, stems: Iterable[str], *, limit: int) -> list[Hit]:
        """What fulfils the filters and has most of these stems, best first.

        Raises Damaged as `search` does.
        """
        with self._readable():
            wanted = any_of(exactly("text", stem) for stem in stems)
            asked = under(required(query, self._searcher), wanted)
            return self._hits(query.kind, asked, limit)

    @property
    def documents(self) -> int:
        """How many documents of any kind it has learned. Raises Damaged."""
        with self._readable():
            return sum(n for _, n in self._searcher.terms_with_prefix("kind", ""))

    def shares(self, stems: Iterable[str]) -> dict[str, float]:
        """The shares of documents that have a stem, as if there were more of them.

        Raises Damaged as `search` does.
        """
        most = self.documents + PRIOR
        having = {stem: self._searcher.doc_freq("text", clean(stem)) for stem in stems}
        return {stem: (number + 1) / most for stem, number in having.items()}

    def corrections(self, query: Query) -> dict[str, str]:
        """What was meant, by words of the query that no document has.

        Raises Damaged as `search` does.
        """
        with self._readable():
            return self._question(query).corrections

    def lookup(self, name: str, kind: str = SESSION) -> list[str]:
        """The ids of the documents that are or were called `name`, by us or a client.

        Raises Damaged as `search` does.
        """
        return sorted(self._ids(kind, exactly("names", name), _MOST_NAMED))

    def of_commits(self, names: Collection[str], kind: str = SESSION) -> list[str]:
        """The ids of the documents that may list one of these commits, in any order.

        Commits are told apart by the first digits, as documents list them. Raises
        Damaged as `search` does.
        """
        short = sorted({clean(name[:COMMIT_LENGTH]) for name in names})
        listed = tantivy.Query.term_set_query(SCHEMA, "commits", short)
        return self._ids(kind, listed, max(self._searcher.num_docs, 1))

    def _ids(self, kind: str, asked: tantivy.Query, most: int) -> list[str]:
        return [hit.id for hit in self._hits(kind, asked, most)]

    def _hits(self, kind: str, asked: tantivy.Query, most: int) -> list[Hit]:
        with self._readable():
            of_kind = under([exactly("kind", kind)], asked)
            places = [each.at for each in best(self._searcher, of_kind, most)]
            return [hit_of(self._searcher.doc(at), 0.0) for at in places]

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raises Damaged where the index is not; an empty one takes its place."""
        try:
            with guarded():
                yield
        except UnusableError as error:
            self._begin_again()
            raise Damaged(
                "The search index could not be read.",
                hint="Search again: the index is built anew from the memory.",
            ) from error

    def _begin_again(self) -> None:
        if self._folder is not None:
            with suppress(UnusableError, LockedError), locked(self._lock):
                self._use(made(self._folder))
                return
        self._use(in_memory())

    def _use(self, index: tantivy.Index) -> None:
        with guarded():
            self._index = index
            self._searcher = searcher = index.searcher()
            self._question = lru_cache(maxsize=1)(partial(Question, searcher=searcher))
            self.tip, self.left = stands_at(self._searcher)

    def _learn(self, changes: "Changes", progress: Progress | None) -> None:
        from gitmem.search.index_writer import learn  # who only asks need not load it

        learn(self._index, changes, progress)
        with guarded():
            self._index.reload()
        self._use(self._index)
