"""From a query to its hits: what sessions and their passages score, put together."""

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence

import tantivy

from gitmem.search import ranking
from gitmem.search.asking import Question
from gitmem.search.clauses import under
from gitmem.search.conditions import (
    named,
    required,
    required_of_sessions,
    touching,
)
from gitmem.search.documents import (
    WHOLE,
    Hit,
    exactly,
    hit_of,
    passage_of,
)
from gitmem.search.passages import Passage

_SESSIONS, _PASSAGES = 150, 300
"""How many of the best are looked at."""
_NEAR = 2
"""Digits of a score that count: of sessions that are as good, the newer come first."""

Scored = dict[int, tuple[float, tantivy.DocAddress]]
"""By the number of the session, the score of a document and where it is."""


def found(
    searcher: tantivy.Searcher, question: Question, limit: int, *, share: float
) -> list[Hit]:
    """At most `limit` sessions, best first; see `Index.search` and `Index.nearest`."""
    query = question.query
    everywhere = required(query, searcher)
    of_sessions = required_of_sessions(query)
    conditions = [*everywhere, *of_sessions]
    if not query.words and not query.paths and conditions:
        return _newest(searcher, [*conditions, exactly("kind", WHOLE)], limit)
    return _Finding(searcher, question, everywhere, conditions).hits(limit, share=share)


def ordered(hits: Iterable[Hit]) -> list[Hit]:
    """Best first, then newest first; the id makes the order the same every time."""
    return sorted(hits, key=standing)


def standing(hit: Hit) -> tuple[float, float, str]:
    """What a hit is ordered by, among those of one repository or of several."""
    return -round(hit.score, _NEAR), -hit.started_at.timestamp(), hit.session_id


def _newest(
    searcher: tantivy.Searcher, conditions: Collection[tantivy.Query], limit: int
) -> list[Hit]:
    asked = under(conditions, tantivy.Query.all_query())
    hits = searcher.search(asked, limit, order_by_field="started").hits
    return ordered(hit_of(searcher.doc(at), ranking.ALL) for _, at in hits)


class _Finding:
    def __init__(
        self,
        searcher: tantivy.Searcher,
        question: Question,
        everywhere: Sequence[tantivy.Query],
        conditions: Sequence[tantivy.Query],
    ) -> None:
        self._searcher = searcher
        self._query = question.query
        self._question = question
        self._everywhere = everywhere
        self._conditions = conditions

    def hits(self, limit: int, *, share: float) -> list[Hit]:
        wholes = self._best(self._question.whole(), self._conditions, _SESSIONS)
        passages = self._best(self._question.passage(), self._everywhere, _PASSAGES)
        scores = {
            session: ranking.score(score, passages[session][0])
            if session in passages
            else ranking.score(score, 0.0)
            for session, (score, _) in wholes.items()
        }
        best = max(scores.values(), default=0.0)
        if not self._question.is_answered(best, share):
            self._leave_every_word(scores, limit)
        self._add_touched(scores, wholes)
        self._add_named(scores, wholes)
        return ordered(
            hit_of(
                self._searcher.doc(wholes[session][1]),
                scores[session],
                self._passage(passages[session][1]) if session in passages else None,
            )
            for session in self._first(scores, wholes, limit)
        )

    def _leave_every_word(self, scores: dict[int, float], limit: int) -> None:
        """An answer there is only if sessions have every word: few, and they are it."""
        asked = self._question.every_word()
        have = self._best(asked, self._conditions, limit + 1) if asked else {}
        if not have:
            scores.clear()
        elif len(have) <= limit:
            best = max(scores.values(), default=0.0)
            scores.update((each, best) for each in have if each in scores)

    def _add_touched(self, scores: dict[int, float], wholes: Scored) -> None:
        """A session that touched a path answers TOUCHED of the query by that."""
        if (asked := touching(self._query)) is None:
            return
        for session, one in self._best(asked, self._conditions, _SESSIONS).items():
            wholes.setdefault(session, one)
            words = scores.get(session, 0.0)
            scores[session] = ranking.TOUCHED + (1 - ranking.TOUCHED) * words

    def _add_named(self, scores: dict[int, float], wholes: Scored) -> None:
        if (asked := named(self._query)) is None:
            return
        for session, one in self._best(asked, self._conditions, _SESSIONS).items():
            wholes.setdefault(session, one)
            scores[session] = ranking.ALL

    def _first(
        self, scores: Mapping[int, float], wholes: Scored, limit: int
    ) -> list[int]:
        """Those with the best scores, and of nearly equal ones the newest."""
        enough = ranking.WORTH_A_LOOK * max(scores.values(), default=0.0)
        rough = {each: round(score, _NEAR) for each, score in scores.items()}
        last = min(heapq.nlargest(limit, rough.values()), default=0.0)
        among = [s for s in rough if rough[s] >= last and scores[s] >= enough]
        started = self._values("started", [wholes[session][1] for session in among])
        newest = sorted(zip(among, started, strict=True), key=lambda one: -one[1])
        return sorted([each for each, _ in newest], key=lambda s: -rough[s])[:limit]

    def _best(
        self, asked: tantivy.Query, conditions: Collection[tantivy.Query], most: int
    ) -> Scored:
        """The best document of each session."""
        hits = self._searcher.search(under(conditions, asked), most, count=False).hits
        numbers = self._values("session", [at for _, at in hits])
        return dict(zip(reversed(numbers), reversed(hits), strict=True))

    def _values(self, field: str, places: list[tantivy.DocAddress]) -> list[int]:
        values = self._searcher.fast_field_values(field, places)
        return [int(value or 0) for value in values]

    def _passage(self, at: tantivy.DocAddress) -> Passage:
        return passage_of(self._searcher.doc(at))
