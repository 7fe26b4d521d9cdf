"""A query in the terms of the index: built from our own words, never parsed.

Tantivy's query language would read `error: foo`, `-x` or `id:7` as something else than
what was typed.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

import tantivy

from gitmem.search import ranking
from gitmem.search.clauses import any_of, every_of, worth
from gitmem.search.documents import (
    LEVEL_MARK,
    PASSAGE,
    WHOLE,
    clean,
    exactly,
)
from gitmem.search.queries.query import MOST_WORDS, Query
from gitmem.search.spelling import is_word, meant
from gitmem.search.words import Word, fold, stems, words

_RARE = 50
"""In so many sessions, a word is rare."""
_MOST_EXPANSIONS = 40
"""Longer words that may answer one of the query, the shortest of them."""


class Question:
    """The words of a query as they are put to `searcher`: the two belong together.

    What a word tells depends on how many sessions have it at this moment.
    """

    def __init__(self, query: Query, searcher: tantivy.Searcher) -> None:
        self.query = query
        self._searcher = searcher
        self._term_weight = cache(self._weight_of_term)
        self.corrections = dict(self._corrections(query.words))
        """What was meant, by what was typed and no session has."""
        typed = (self.corrections.get(token, token) for token in query.words)
        self._words = [*map(self._as_known, _distinct(typed))]
        self._weights = [*map(self._weight, self._words)]

    def whole(self) -> tantivy.Query:
        """Gives each session the share of the query that all of it answers."""
        return self._answered(WHOLE)

    def passage(self) -> tantivy.Query:
        """Gives each passage the share of the query that it answers."""
        return self._answered(PASSAGE)

    def is_answered(self, score: float, share: float) -> bool:
        """Whether a session that scores so has that share of what an answer needs."""
        sessions = self._searcher.doc_freq("kind", WHOLE)
        passages = self._searcher.doc_freq("kind", PASSAGE) / max(1, sessions)
        enough = share * ranking.enough(passages)
        return ranking.evidence(score, self._weights) >= enough

    def every_word(self) -> tantivy.Query | None:
        """The sessions with every word, or None where the words tell too little.

        An identifier that somebody wrote tells more than the parts it is made of.
        """
        if not ranking.is_telling(self._weights):
            return None
        return every_of(
            _has(term)
            for word in self._words
            for term in ([word.whole] if self._is_known(word.whole) else word.pieces)
        )

    def _weight(self, word: Word) -> float:
        """That of its parts, or its own where somebody wrote it and it tells more."""
        of_parts = sum(map(self._term_weight, word.pieces))
        if not self._is_known(word.whole):
            return of_parts
        return max(of_parts, self._term_weight(word.whole))

    def _as_known(self, word: Word) -> Word:
        """An identifier without its parts where they are not as they were written.

        `testshadow_retry` is not cut as `TestShadow_Retry` is, and is the same.
        """
        is_known = self._is_known(word.whole) and not all(
            map(self._is_known, word.parts)
        )
        return Word(word.whole) if is_known else word

    def _is_known(self, term: str) -> bool:
        return self._term_weight(term) < ranking.UNKNOWN

    def _corrections(self, typed: Iterable[str]) -> Iterator[tuple[str, str]]:
        for token in filter(is_word, typed):
            if not any(map(self._answering, stems(token))):
                folded = fold(token)
                known = chain.from_iterable(map(self._spelled, set(folded[:2])))
                if found := meant(folded, known):
                    yield token, found

    def _spelled(self, beginning: str) -> list[tuple[str, int]]:
        """Words as they are written in sessions, and in how many of them."""
        return self._searcher.terms_with_prefix("spelled", beginning)

    def _answered(self, field: str) -> tantivy.Query:
        total = sum(self._weights)
        least = ranking.LEAST_TOLD * max(self._weights, default=0.0)
        return any_of(
            part
            for word, weight in zip(self._words, self._weights, strict=True)
            if weight >= least
            for part in self._word(field, word, weight / total, total)
        )

    def _word(
        self, field: str, word: Word, share: float, total: float
    ) -> Iterator[tantivy.Query]:
        """What `word` adds: for its parts, and the rest for that they are one."""
        for part in word.parts:
            of_part = ranking.APART * self._term_weight(part) / total
            share -= of_part
            yield from self._term(field, part, of_part)
        yield from self._term(field, word.whole, share)

    def _term(self, field: str, term: str, share: float) -> Iterator[tantivy.Query]:
        """`share` by the strength of `term`, or of the best that answers it."""
        if self._is_known(term):
            yield from self._levels(field, term, share)
            return
        answers = (
            answer
            for longer in self._answering(term)
            for answer in self._levels(
                field, longer, share * ranking.expansion(term, longer)
            )
        )
        yield tantivy.Query.disjunction_max_query([*answers])

    def _levels(self, field: str, term: str, share: float) -> Iterator[tantivy.Query]:
        """A text has a term at one level, so no more than one of these is added."""
        for found, _ in self._searcher.terms_with_prefix(field, term + LEVEL_MARK):
            level = int(found.rpartition(LEVEL_MARK)[2])
            yield worth(exactly(field, found), share * ranking.strength(level))

    def _answering(self, term: str) -> list[str]:
        """`term` if a session has it, else longer words that begin so, shortest first.

        They are asked for only where nobody wrote the word itself.
        """
        if self._is_known(term):
            return [term]
        if not (stem := ranking.stem_of(term)):
            return []
        longer = [word for word, _ in self._searcher.terms_with_prefix("has", stem)]
        return sorted(longer, key=lambda word: (len(word), word))[:_MOST_EXPANSIONS]

    def _weight_of_term(self, term: str) -> float:
        """Of rare words those are counted that are there.

        Tantivy's own figure includes sessions that were replaced, which matters little
        for a common word.
        """
        sessions = self._searcher.doc_freq("has", clean(term))
        if 0 < sessions <= _RARE:
            found = self._searcher.search(_has(term), 1, count=True)
            sessions = found.count  # type: ignore[attr-defined]  # not in its stubs
        return ranking.weight(sessions)


def _distinct(typed: Iterable[str]) -> list[Word]:
    """At most MOST_WORDS: a run of Chinese is many words and only one token."""
    found = dict.fromkeys(word for token in typed for word in words(token))
    return [*found][:MOST_WORDS]


def _has(term: str) -> tantivy.Query:
    return exactly("has", term)
