"""From a query to its hits: what documents and their passages score, put together."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import count
from operator import attrgetter

import tantivy

from gitmem.search import ranking
from gitmem.search.asking import Question
from gitmem.search.conditions import (
    any_of,
    required,
    touching,
    under,
    with_name_or_commit,
    with_subject,
    worth,
)
from gitmem.search.documents import (
    Hit,
    Match,
    exactly,
    hit_of,
    of_number,
    speech_in,
)
from gitmem.search.queries.query import SESSION

_DOCUMENTS, _PASSAGES = 150, 750
"""Numbers of the best documents, and of their passages, that are ranked."""
_SCORE_STEPS = 1000
"""Scores between 0 and 1 that count as different: of equally good documents the newer
come first."""


def find_hits(
    searcher: tantivy.Searcher, question: Question, limit: int, *, declines: bool
) -> list[Hit]:
    """Return at most `limit` documents, best first; see `Index.search`."""
    query = question.query
    conditions = required(query, searcher)
    has_filters = conditions or query.kind != SESSION
    if not query.words and not query.paths and has_filters:
        return _newest(searcher, [*conditions, exactly("kind", query.kind)], limit)
    return _Ranking(searcher, question, conditions, declines).hits(limit)


def standing(hit: Hit) -> tuple[bool, int, float, str]:
    """Return the sort key of hits, of one repository or of several.

    Best first, then newest first; the id makes the order the same every time.
    """
    is_weak, score = hit.match is Match.WEAK, _step_of(hit.score)
    return is_weak, -score, -hit.at.timestamp(), hit.id


def _newest(
    searcher: tantivy.Searcher, conditions: Collection[tantivy.Query], limit: int
) -> list[Hit]:
    filtered = under(conditions, tantivy.Query.all_query())
    hits = searcher.search(filtered, limit, order_by_field="at").hits
    newest = (hit_of(searcher.doc(at), ranking.ALL) for _, at in hits)
    return sorted(newest, key=standing)


@dataclass(slots=True)
class Candidate:
    number: int
    at: tantivy.DocAddress
    score: float
    moment: int
    """The time of the document, as `on_the_wall` returns it."""
    is_sure: bool = False
    """True if it is an answer, however little evidence its words are."""
    has_every_word: bool = False
    """True if it is one of few with all words of the query: it comes first."""
    passage: tantivy.DocAddress | None = None
    """The best passage; None where no passage has a word of the query."""

    @property
    def standing(self) -> tuple[bool, int, int, int]:
        score = _step_of(self.score)
        return not self.has_every_word, -score, -self.moment, self.number


@dataclass(slots=True)
class _Ranking:
    """Candidates for the answers to one question, gathered and scored in steps."""

    _searcher: tantivy.Searcher
    _question: Question
    _conditions: Collection[tantivy.Query]
    _declines: bool
    """True if nothing is answered where the evidence is too little."""
    _candidates: dict[int, Candidate] = field(default_factory=dict)

    def hits(self, limit: int) -> list[Hit]:
        whole = self._question.whole()
        answering = under(self._conditions, whole)
        candidates = best(self._searcher, answering, _DOCUMENTS)
        self._candidates = {candidate.number: candidate for candidate in candidates}
        self._add_those_with_every_word(whole, limit)
        self._add_passages()
        self._add_touched()
        self._add_named()
        leading = self._first(limit)
        if self._declines and not any(self._has(ranking.WEAK, c) for c in leading):
            return []
        return sorted(self._graded(leading), key=standing)

    def _add_those_with_every_word(self, whole: tantivy.Query, limit: int) -> None:
        """Add documents with all words of the query, where these are few."""
        for requirement, is_as_typed in self._question.every_word():
            filtered = under(self._conditions, under([requirement], whole))
            matching = self._searcher.search(filtered, limit + 1, count=False).hits
            is_few = len(matching) <= limit
            for candidate in best(self._searcher, filtered, limit) if is_few else ():
                candidate.has_every_word, candidate.is_sure = True, is_as_typed
                self._candidates[candidate.number] = candidate

    def _add_passages(self) -> None:
        """Add the score of its best passage to each candidate."""
        among = [any_of(map(of_number, self._candidates))]
        passages = under(among, self._question.passage())
        for passage in best(self._searcher, passages, _PASSAGES):
            candidate = self._candidates[passage.number]
            if candidate.passage is None:
                candidate.score += passage.score
                candidate.passage = passage.at

    def _add_touched(self) -> None:
        """Add documents that touched a path: that answers TOUCHED of the query."""
        if touched := touching(self._question.query):
            for candidate in self._sure(under(self._conditions, touched)):
                words = candidate.score
                candidate.score = ranking.TOUCHED + (1 - ranking.TOUCHED) * words

    def _add_named(self) -> None:
        query = self._question.query
        by_name = with_name_or_commit(query)
        filtered = by_name and under(self._conditions, by_name)
        by_subject = with_subject(query, self._searcher)
        for condition in filter(None, (filtered, by_subject)):
            for candidate in self._sure(condition):
                candidate.score, candidate.has_every_word = ranking.ALL, True

    def _sure(self, condition: tantivy.Query) -> list[Candidate]:
        """Return the candidates that fulfil a condition, and mark them as sure."""
        sure = []
        of_kind = exactly("kind", self._question.query.kind)
        matching = worth(under([of_kind], condition), 0.0)
        for candidate in best(self._searcher, matching, _DOCUMENTS):
            sure.append(self._candidates.setdefault(candidate.number, candidate))
            sure[-1].is_sure = True
        return sure

    def _first(self, limit: int) -> list[Candidate]:
        """Return those with every word, then the best; of equal ones the newest."""
        candidates = self._candidates.values()
        best_score = max((candidate.score for candidate in candidates), default=0.0)
        least = ranking.WORTH_A_LOOK * best_score if self._declines else 0.0
        eligible = (
            c for c in candidates if c.is_sure or c.has_every_word or c.score >= least
        )
        return sorted(eligible, key=attrgetter("standing"))[:limit]

    def _has(self, share: float, candidate: Candidate) -> bool:
        return self._evidence(candidate) >= share

    def _evidence(self, candidate: Candidate) -> float:
        """Return the evidence for it as a share of enough."""
        least = ranking.WEAK if candidate.has_every_word else 0.0
        evidence = self._question.evidence(candidate.score)
        return max(evidence, 1.0 if candidate.is_sure else least)

    def _graded(self, candidates: list[Candidate]) -> Iterator[Hit]:
        """Yield the hits; the weak ones with the words that they answer."""
        weak = [
            candidate.number for candidate in candidates if not self._has(1, candidate)
        ]
        answered = self._question.answered_by(weak)
        for candidate in candidates:
            passage = (
                self._searcher.doc(candidate.passage) if candidate.passage else None
            )
            speech = speech_in(passage) if passage else ""
            hit = hit_of(self._searcher.doc(candidate.at), candidate.score, speech)
            if not self._declines:
                hit = replace(hit, evidence=self._evidence(candidate))
            if candidate.number in answered:
                answered_words = answered[candidate.number]
                words = self._question.query.words
                hit = replace(
                    hit,
                    match=Match.WEAK,
                    answers=tuple(word for word in words if word in answered_words),
                    misses=tuple(word for word in words if word not in answered_words),
                )
            yield hit


def best(
    searcher: tantivy.Searcher, query: tantivy.Query, most: int
) -> list[Candidate]:
    """Return at most so many documents or passages, best first, then newest first.

    Each has its half of a score.
    """
    limit = most + 1
    hits = searcher.search(query, limit, count=False).hits
    # Among equal scores Tantivy returns any: read all that score like the last one.
    while len(hits) == limit and _half(hits[-1]) == _half(hits[most - 1]):
        limit *= 4
        hits = searcher.search(query, limit, count=False).hits
    places = [at for _, at in hits]
    numbers, moments = (
        [int(value or 0) for value in searcher.fast_field_values(name, places)]
        for name in ("number", "at")
    )
    order = zip(
        [-_half(hit) for hit in hits],
        [-moment for moment in moments],
        numbers,
        count(),
        strict=False,
    )
    return [
        Candidate(number, places[n], hits[n][0] / 2, moments[n])
        for _, _, number, n in nsmallest(most, order)
    ]


def _half(hit: tuple[float, tantivy.DocAddress]) -> int:
    return _step_of(hit[0] / 2)


def _step_of(score: float) -> int:
    return round(score * _SCORE_STEPS)
