"""The index of gitmem as a ranking."""

import time
from collections.abc import Iterable
from datetime import datetime
from math import inf
from operator import itemgetter
from pathlib import Path
from unittest.mock import patch

from bench.data import NOW, Kept
from search.builders import changed

from gitmem.documents.changes import Changes
from gitmem.search import ranking
from gitmem.search.asking import Question
from gitmem.search.documents import Match
from gitmem.search.folder import open_index
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import (
    SESSION,
    Query,
    of_words,
    parse,
    relaxed,
    with_also,
)

FIVE = 5
"""As many hits as people get."""


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
        self.kept = kept
        """What is in it; to be gone through more than once."""
        self._now = now
        self._filters = filters
        self.index = Index.open(folder / "index", folder / "lock")
        began = time.perf_counter()
        self.learn("first", kept, since=None)
        self.built = time.perf_counter() - began
        """Seconds that took, with making the sessions where they are made."""

    def learn(self, tip: str, kept: Iterable[Kept], since: str | None) -> None:
        self.index.catch_up(tip, lambda _: _changes(since, tip, kept))

    def hits(self, text: str, limit: int, also: Iterable[str] = ()) -> list[Hit]:
        return self._answer(text, limit, also)[1]

    def ids(self, text: str, limit: int) -> list[str]:
        return [hit.id for hit in self.hits(text, limit)]

    def evidence(self, text: str) -> tuple[float, list[Hit]]:
        """That for the best of five hits, and these, however little it is.

        It is infinite where more than the score makes the hit an answer.
        """
        with patch.multiple(ranking, enough=lambda *_: inf, WEAK=0.0):
            query, hits = self._answer(text, FIVE)
        if not hits:
            return 0.0, []
        if hits[0].match is Match.STRONG:
            return inf, hits
        question = Question(query, open_index(self.folder / "index").searcher())
        return question.evidence(hits[0].score), hits

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(f.stat().st_size for f in self.folder.rglob("*") if f.is_file())

    def _answer(
        self, text: str, limit: int, also: Iterable[str] = ()
    ) -> tuple[Query, list[Hit]]:
        """As people get it: without filters that leave nothing."""
        query = with_also(self._query(text), also)
        readings = [query, *(less for less, _ in relaxed(query))]
        found = ((each, self.index.search(each, limit=limit)) for each in readings)
        return next(filter(itemgetter(1), found), (query, []))

    def _query(self, text: str) -> Query:
        """Without `filters` of words alone, whatever date or name is among them.

        Such a question tells what was told, and not when or with whom.
        """
        if not self._filters:
            return of_words(text, SESSION, ())
        return parse(text, now=self._now, tools={})


def _changes(since: str | None, tip: str, kept: Iterable[Kept]) -> Changes:
    told = (changed(one.session, one.turns) for one in kept)
    return Changes(since, tip, 0, told)
