"""From a query to its hits: what documents and their passages score, put together."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import count

import tantivy

from gitmem.search import ranking
from gitmem.search.asking import Question
from gitmem.search.conditions import (
    any_of,
    named,
    required,
    touching,
    under,
    with_subject,
    worth,
)
from gitmem.search.documents import (
    Hit,
    Match,
    exactly,
    hit_of,
    of_number,
    said_in,
)
from gitmem.search.queries.query import SESSION

_DOCUMENTS, _PASSAGES = 150, 750
"""How many of the best are looked at: documents, and passages of these."""
_NEAR = 3
"""Digits of a score that count: of documents that are as good, the newer come first."""


def found(searcher: tantivy.Searcher, question: Question, limit: int) -> list[Hit]:
    """At most `limit` documents, best first; see `Index.search`."""
    query = question.query
    conditions = required(query, searcher)
    has_filters = conditions or query.kind != SESSION
    if not query.words and not query.paths and has_filters:
        return _newest(searcher, [*conditions, exactly("kind", query.kind)], limit)
    return _Finding(searcher, question, conditions).hits(limit)


def standing(hit: Hit) -> tuple[bool, float, float, str]:
    """What a hit is ordered by, among those of one repository or of several.

    Best first, then newest first; the id makes the order the same every time.
    """
    is_weak, score = hit.match is Match.WEAK, round(hit.score, _NEAR)
    return is_weak, -score, -hit.at.timestamp(), hit.id


def _newest(
    searcher: tantivy.Searcher, conditions: Collection[tantivy.Query], limit: int
) -> list[Hit]:
    asked = under(conditions, tantivy.Query.all_query())
    hits = searcher.search(asked, limit, order_by_field="at").hits
    found = (hit_of(searcher.doc(at), ranking.ALL) for _, at in hits)
    return sorted(found, key=standing)


@dataclass(slots=True)
class Candidate:
    number: int
    at: tantivy.DocAddress
    score: float
    moment: int
    """When it began, as `on_the_wall` has it."""
    is_sure: bool = False
    """Whether it is an answer, however little its words tell."""
    has_every_word: bool = False
    """Whether it has a place, as one of few with all words of the query."""
    passage: tantivy.DocAddress | None = None
    """Its best one; None where no passage has a word of the query."""

    @property
    def standing(self) -> tuple[bool, float, int, int]:
        return not self.has_every_word, -_near(self.score), -self.moment, self.number


@dataclass(slots=True)
class _Finding:
    _searcher: tantivy.Searcher
    _question: Question
    _conditions: Collection[tantivy.Query]
    _candidates: dict[int, Candidate] = field(default_factory=dict)

    def hits(self, limit: int) -> list[Hit]:
        whole = self._question.whole()
        answering = under(self._conditions, whole)
        found = best(self._searcher, answering, _DOCUMENTS)
        self._candidates = {each.number: each for each in found}
        self._add_those_with_every_word(whole, limit)
        self._add_passages()
        self._add_touched()
        self._add_named()
        first = self._first(limit)
        if not any(self._has(ranking.WEAK, each) for each in first):
            return []
        return sorted(self._graded(first), key=standing)

    def _add_those_with_every_word(self, whole: tantivy.Query, limit: int) -> None:
        """Where few have all words of the query, and these tell something."""
        for asked in self._question.every_word():
            filtered = under(self._conditions, under([asked], whole))
            some = self._searcher.search(filtered, limit + 1, count=False).hits
            is_few = len(some) <= limit
            for each in best(self._searcher, filtered, limit) if is_few else ():
                each.is_sure = each.has_every_word = True
                self._candidates[each.number] = each

    def _add_passages(self) -> None:
        """Those of the best alone: they are few, and the answer is there."""
        among = [any_of(map(of_number, self._candidates))]
        asked = under(among, self._question.passage())
        for passage in best(self._searcher, asked, _PASSAGES):
            candidate = self._candidates[passage.number]
            if candidate.passage is None:
                candidate.score += passage.score
                candidate.passage = passage.at

    def _add_touched(self) -> None:
        """One that touched a path answers TOUCHED of the query by that."""
        if asked := touching(self._question.query):
            for candidate in self._sure(under(self._conditions, asked)):
                words = candidate.score
                candidate.score = ranking.TOUCHED + (1 - ranking.TOUCHED) * words

    def _add_named(self) -> None:
        query = self._question.query
        by_name, subject = named(query), with_subject(query, self._searcher)
        filtered = by_name and under(self._conditions, by_name)
        for asked in filter(None, (filtered, subject)):
            for candidate in self._sure(asked):
                candidate.score, candidate.has_every_word = ranking.ALL, True

    def _sure(self, asked: tantivy.Query) -> list[Candidate]:
        """Those that are answers by more than their words."""
        sure = []
        of_kind = exactly("kind", self._question.query.kind)
        matching = worth(under([of_kind], asked), 0.0)
        for each in best(self._searcher, matching, _DOCUMENTS):
            sure.append(self._candidates.setdefault(each.number, each))
            sure[-1].is_sure = True
        return sure

    def _first(self, limit: int) -> list[Candidate]:
        """Those with every word, then the best; of nearly equal ones the newest."""
        found = self._candidates.values()
        least = ranking.WORTH_A_LOOK * max((each.score for each in found), default=0.0)
        among = [each for each in found if each.is_sure or each.score >= least]
        return sorted(among, key=lambda each: each.standing)[:limit]

    def _has(self, share: float, candidate: Candidate) -> bool:
        """Whether that share of enough evidence speaks for it, or it is sure anyway."""
        evidence = self._question.evidence(candidate.score)
        return candidate.is_sure or evidence >= share

    def _graded(self, candidates: list[Candidate]) -> Iterator[Hit]:
        """The hits; the weak ones with the words that they answer."""
        weak = [each.number for each in candidates if not self._has(1, each)]
        answered = self._question.answered_by(weak)
        for each in candidates:
            passage = self._searcher.doc(each.passage) if each.passage else None
            said = said_in(passage) if passage else ""
            hit = hit_of(self._searcher.doc(each.at), each.score, said)
            if each.number in answered:
                found, words = answered[each.number], self._question.query.words
                hit = replace(
                    hit,
                    match=Match.WEAK,
                    answers=tuple(word for word in words if word in found),
                    misses=tuple(word for word in words if word not in found),
                )
            yield hit


def best(
    searcher: tantivy.Searcher, asked: tantivy.Query, most: int
) -> list[Candidate]:
    """At most so many documents or passages, best first, of equal ones the newest.

    Each with its half of a score. Of those that score like the last one Tantivy gives
    any, so all of them are read.
    """
    limit = most + 1
    hits = searcher.search(asked, limit, count=False).hits
    while len(hits) == limit and _near(hits[-1][0] / 2) == _near(hits[most - 1][0] / 2):
        limit *= 4
        hits = searcher.search(asked, limit, count=False).hits
    places = [at for _, at in hits]
    numbers, moments = (
        [int(value or 0) for value in searcher.fast_field_values(name, places)]
        for name in ("number", "at")
    )
    order = zip(
        [-_near(score / 2) for score, _ in hits],
        [-moment for moment in moments],
        numbers,
        count(),
        strict=False,
    )
    return [
        Candidate(number, places[n], hits[n][0] / 2, moments[n])
        for _, _, number, n in nsmallest(most, order)
    ]


def _near(score: float) -> float:
    return round(score, _NEAR)
