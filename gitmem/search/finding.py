"""From a query to its hits: what sessions and their passages score, put together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import tantivy

from gitmem.search import ranking
from gitmem.search.asking import (
    Question,
    all_of,
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
from gitmem.search.query import Query

_SESSIONS, _PASSAGES = 200, 600
"""How many of the best are looked at."""
_NEAR = 2
"""Digits of a score that count: of sessions that are as good, the newer come first."""


@dataclass(frozen=True, slots=True)
class _Scored:
    at: tantivy.DocAddress
    score: float
    started: int


def found(
    searcher: tantivy.Searcher, query: Query, tool: str | None, limit: int
) -> list[Hit]:
    """At most `limit` sessions, best first; see `Index.search`."""
    everywhere, of_sessions = required(query, tool), required_of_sessions(query)
    conditions = [*everywhere, *of_sessions]
    if not query.words and not query.paths and conditions:
        return _newest(searcher, [*conditions, exactly("kind", WHOLE)], limit)
    return _Finding(searcher, query, everywhere, conditions).hits(limit)


def _newest(
    searcher: tantivy.Searcher, conditions: Iterable[tantivy.Query], limit: int
) -> list[Hit]:
    asked = all_of(conditions, tantivy.Query.all_query())
    hits = searcher.search(asked, limit, order_by_field="started").hits
    return ordered(hit_of(searcher.doc(at), ranking.ALL) for _, at in hits)


def ordered(hits: Iterable[Hit]) -> list[Hit]:
    """Best first, then newest first; the id makes the order the same every time."""
    return sorted(
        hits,
        key=lambda hit: (
            -round(hit.score, _NEAR),
            -hit.started_at.timestamp(),
            hit.session_id,
        ),
    )


class _Finding:
    def __init__(
        self,
        searcher: tantivy.Searcher,
        query: Query,
        everywhere: Sequence[tantivy.Query],
        conditions: Sequence[tantivy.Query],
    ) -> None:
        self._searcher = searcher
        self._query = query
        self._question = Question(query, searcher)
        self._everywhere = everywhere
        self._conditions = conditions

    def hits(self, limit: int) -> list[Hit]:
        wholes = self._best(self._question.whole(), self._conditions, _SESSIONS)
        passages = self._best(self._question.passage(), self._everywhere, _PASSAGES)
        scores = {
            session: ranking.score(whole.score, _score(passages, session))
            for session, whole in wholes.items()
        }
        known = dict(wholes)
        if not self._question.is_answered(max(scores.values(), default=0.0)):
            self._leave_every_word(scores, limit)
        self._add_touched(scores, known)
        self._add_named(scores, known)
        enough = ranking.WORTH_A_LOOK * max(scores.values(), default=0.0)
        best = sorted(
            (session for session, score in scores.items() if score >= enough),
            key=lambda s: (round(scores[s], _NEAR), known[s].started),
            reverse=True,
        )
        return ordered(
            hit_of(
                self._searcher.doc(known[session].at),
                scores[session],
                self._passage(passages.get(session)),
            )
            for session in best[:limit]
        )

    def _leave_every_word(self, scores: dict[int, float], limit: int) -> None:
        """An answer there is only if sessions have every word: few, and they are it."""
        asked = self._question.every_word()
        have = self._best(asked, self._conditions, limit + 1) if asked else {}
        if not have:
            scores.clear()
        elif len(have) <= limit:
            best = max(scores.values())
            scores.update((each, best) for each in have if each in scores)

    def _add_touched(self, scores: dict[int, float], known: dict[int, _Scored]) -> None:
        """A session that touched a path answers TOUCHED of the query by that."""
        if (asked := touching(self._query)) is None:
            return
        for session, one in self._best(asked, self._conditions, _SESSIONS).items():
            known.setdefault(session, one)
            words = scores.get(session, 0.0)
            scores[session] = ranking.TOUCHED + (1 - ranking.TOUCHED) * words

    def _add_named(self, scores: dict[int, float], known: dict[int, _Scored]) -> None:
        asked = named(self._query)
        for session, one in self._best(asked, self._conditions, _SESSIONS).items():
            known.setdefault(session, one)
            scores[session] = ranking.ALL

    def _best(
        self, asked: tantivy.Query, conditions: Iterable[tantivy.Query], most: int
    ) -> dict[int, _Scored]:
        """The best document of each session, by the number of the session."""
        hits = self._searcher.search(all_of(conditions, asked), most, count=False).hits
        places = [at for _, at in hits]
        numbers, started = (
            self._values(name, places) for name in ("session", "started")
        )
        best: dict[int, _Scored] = {}
        for (score, at), number, start in zip(hits, numbers, started, strict=True):
            if number not in best:
                best[number] = _Scored(at, score, start)
        return best

    def _values(self, field: str, places: list[tantivy.DocAddress]) -> list[int]:
        values = self._searcher.fast_field_values(field, places)
        return [int(value or 0) for value in values]

    def _passage(self, scored: _Scored | None) -> Passage | None:
        return passage_of(self._searcher.doc(scored.at)) if scored else None


def _score(passages: Mapping[int, _Scored], session: int) -> float:
    return passages[session].score if session in passages else 0.0
