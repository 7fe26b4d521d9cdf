"""The index of gitmem as a ranking."""

import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from bench.data import NOW, Kept

from gitmem.model.changes import Changes, Told
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import Query, parse
from gitmem.search.queries.vocabulary import STOP_WORDS
from gitmem.search.words import fold, tokens


class Ours:
    """An index in a folder of its own, which must not be there yet."""

    def __init__(
        self,
        folder: Path,
        kept: Iterable[Kept],
        *,
        now: datetime = NOW,
        filters: bool = True,
    ) -> None:
        self.folder = folder
        self._now = now
        self._filters = filters
        self.index = Index.open(folder / "index", folder / "lock")
        began = time.perf_counter()
        self.learn("first", kept, since=None)
        self.built = time.perf_counter() - began
        """Seconds that took, with making the sessions where they are made."""

    def learn(self, tip: str, kept: Iterable[Kept], since: str | None) -> None:
        self.index.catch_up(tip, lambda _: _changes(since, tip, kept))

    def hits(self, text: str, limit: int) -> list[Hit]:
        return self.index.search(self._query(text), limit=limit)

    def ids(self, text: str, limit: int) -> list[str]:
        return [hit.session_id for hit in self.hits(text, limit)]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(f.stat().st_size for f in self.folder.rglob("*") if f.is_file())

    def _query(self, text: str) -> Query:
        query = parse(text, now=self._now, tools={})
        return query if self._filters else in_words(query)


def in_words(query: Query) -> Query:
    """`query` with its filters put back as words.

    For questions whose dates, names and quotes say what was told, and not when or with
    whom a session was held.
    """
    distinct: dict[str, str] = {}
    for token in tokens(query.text):
        distinct.setdefault(fold(token), token)
    telling = [token for key, token in distinct.items() if key not in STOP_WORDS]
    words = tuple(telling or distinct.values())
    return Query(query.text, words, after=None, before=None, tool=None, paths=())


def _changes(since: str | None, tip: str, kept: Iterable[Kept]) -> Changes:
    told = ((one.id, Told(one.session, one.turns)) for one in kept)
    return Changes(since, tip, 0, told)
