"""From a query to its hits: what sessions and their passages score, put together."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

import tantivy

from gitmem.search import ranking
from gitmem.search.asking import Question
from gitmem.search.conditions import any_of, named, required, touching, under
from gitmem.search.documents import (
    Hit,
    Match,
    exactly,
    hit_of,
    of_number,
    said_in,
)

_SESSIONS, _PASSAGES = 150, 750
"""How many of the best are looked at: sessions, and passages of these."""
_NEAR = 3
"""Digits of a score that count: of sessions that are as good, the newer come first."""


def found(searcher: tantivy.Searcher, question: Question, limit: int) -> list[Hit]:
    """At most `limit` sessions, best first; see `Index.search`."""
    query = question.query
    conditions = required(query, searcher)
    if not query.words and not query.paths and conditions:
        return _newest(searcher, [*conditions, exactly("kind", query.kind)], limit)
    return _Finding(searcher, question, conditions).hits(limit)


def ordered(hits: Iterable[Hit]) -> list[Hit]:
    """Best first, then newest first; the id makes the order the same every time."""
    return sorted(hits, key=standing)


def standing(hit: Hit) -> tuple[bool, float, float, str]:
    """What a hit is ordered by, among those of one repository or of several."""
    is_weak = hit.match is Match.WEAK
    return (
        is_weak,
        -round(hit.score, _NEAR),
        -hit.at.timestamp(),
        hit.id,
    )


def _newest(
    searcher: tantivy.Searcher, conditions: Collection[tantivy.Query], limit: int
) -> list[Hit]:
    asked = under(conditions, tantivy.Query.all_query())
    hits = searcher.search(asked, limit, order_by_field="at").hits
    return ordered(hit_of(searcher.doc(at), ranking.ALL) for _, at in hits)


_Document = tuple[int, float, tantivy.DocAddress]
"""The number of the session, the score of a document, and where it is."""


@dataclass(slots=True)
class _Candidate:
    at: tantivy.DocAddress
    score: float
    is_sure: bool = False
    """Whether it is an answer, however little its words tell."""
    has_every_word: bool = False
    """Whether it has a place, as one of few sessions with all words of the query."""
    passage: tantivy.DocAddress | None = None
    """Its best one; None where no passage has a word of the query."""


class _Finding:
    def __init__(
        self,
        searcher: tantivy.Searcher,
        question: Question,
        conditions: Collection[tantivy.Query],
    ) -> None:
        self._searcher = searcher
        self._query = question.query
        self._question = question
        self._conditions = conditions
        self._candidates: dict[int, _Candidate] = {}

    def hits(self, limit: int) -> list[Hit]:
        whole = self._question.whole()
        self._add_best(whole)
        self._add_those_with_every_word(whole, limit)
        self._add_passages()
        self._add_touched()
        self._add_named()
        first = self._first(limit)
        if not any(self._has(ranking.WEAK, each) for each in first.values()):
            return []
        return ordered(self._graded(first))

    def _add_best(self, whole: tantivy.Query) -> None:
        for session, score, at in self._best(whole, _SESSIONS):
            self._candidates[session] = _Candidate(at, ranking.score(score, 0.0))

    def _add_those_with_every_word(self, whole: tantivy.Query, limit: int) -> None:
        """Where few sessions have all words of the query, and these tell something."""
        for asked in self._question.every_word():
            few = self._best(under([asked], whole), limit + 1)
            for session, score, at in few if len(few) <= limit else ():
                candidate = _Candidate(at, ranking.score(score, 0.0))
                candidate.is_sure = candidate.has_every_word = True
                self._candidates[session] = candidate

    def _add_passages(self) -> None:
        """Those of the best sessions alone: they are few, and the answer is there."""
        among = [any_of(map(of_number, self._candidates))]
        asked = under(among, self._question.passage())
        for session, score, at in self._documents(asked, _PASSAGES):
            candidate = self._candidates[session]
            if candidate.passage is None:
                candidate.score += ranking.score(0.0, score)
                candidate.passage = at

    def _add_touched(self) -> None:
        """A session that touched a path answers TOUCHED of the query by that."""
        if asked := touching(self._query):
            for candidate in self._sure(asked):
                words = candidate.score
                candidate.score = ranking.TOUCHED + (1 - ranking.TOUCHED) * words

    def _add_named(self) -> None:
        if asked := named(self._query):
            for candidate in self._sure(asked):
                candidate.score = ranking.ALL

    def _sure(self, asked: tantivy.Query) -> list[_Candidate]:
        """The sessions that are answers by more than their words."""
        sure = []
        for session, _, at in self._best(asked, _SESSIONS):
            sure.append(self._candidates.setdefault(session, _Candidate(at, 0.0)))
            sure[-1].is_sure = True
        return sure

    def _first(self, limit: int) -> dict[int, _Candidate]:
        """Those with every word, then the best; of nearly equal ones the newest."""
        best = max((each.score for each in self._candidates.values()), default=0.0)
        among = {
            session: each
            for session, each in self._candidates.items()
            if each.is_sure or each.score >= ranking.WORTH_A_LOOK * best
        }
        started = self._values("at", [each.at for each in among.values()])
        newer = dict(zip(among, started, strict=True))
        order = sorted(
            among,
            key=lambda s: (
                not among[s].has_every_word,
                -round(among[s].score, _NEAR),
                -newer[s],
            ),
        )
        return {session: among[session] for session in order[:limit]}

    def _has(self, share: float, candidate: _Candidate) -> bool:
        """Whether that share of enough evidence speaks for it, or it is sure anyway."""
        evidence = self._question.evidence(candidate.score)
        return candidate.is_sure or evidence >= share

    def _graded(self, candidates: dict[int, _Candidate]) -> Iterator[Hit]:
        """The hits; the weak ones with the words that they answer."""
        weak = [s for s, each in candidates.items() if not self._has(1, each)]
        answered = self._question.answered_by(weak)
        for session, candidate in candidates.items():
            hit = self._hit(candidate)
            if session in weak:
                words = self._query.words
                hit = replace(
                    hit,
                    match=Match.WEAK,
                    answers=tuple(w for w in words if w in answered[session]),
                    misses=tuple(w for w in words if w not in answered[session]),
                )
            yield hit

    def _hit(self, candidate: _Candidate) -> Hit:
        at = candidate.passage
        said = said_in(self._searcher.doc(at)) if at else ""
        return hit_of(self._searcher.doc(candidate.at), candidate.score, said)

    def _best(self, asked: tantivy.Query, most: int) -> list[_Document]:
        """The best sessions that fulfil the conditions."""
        among = (*self._question.among, *self._conditions)
        return self._documents(under(among, asked), most)

    def _documents(self, asked: tantivy.Query, most: int) -> list[_Document]:
        hits = self._searcher.search(asked, most, count=False).hits
        numbers = self._values("number", [at for _, at in hits])
        return [(each, *hit) for each, hit in zip(numbers, hits, strict=True)]

    def _values(self, field: str, places: list[tantivy.DocAddress]) -> list[int]:
        values = self._searcher.fast_field_values(field, places)
        return [int(value or 0) for value in values]
