"""A query in the terms of the index: built from our own words, never parsed.

Tantivy's query language would read `error: foo`, `-x` or `id:7` as something else than
what was typed.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, count, islice

import tantivy

from gitmem.search import ranking
from gitmem.search.conditions import any_of, every_of, under, worth
from gitmem.search.documents import (
    LEVEL_MARK,
    PASSAGE,
    WHOLE,
    clean,
    exactly,
    level_of,
    of_number,
    spelled_term,
    whole_mark,
)
from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.queries.query import MOST_WORDS, Query
from gitmem.search.words import Word, fold, is_letter, is_unspaced, stems, words

_MISSPELT = 8
"""Least letters of a word that is corrected: shorter ones are near too many words."""
_VAGUE = STOP_WORDS | {"all", "none", "nobody", "nothing"}
"""Words that distinguish nothing, even where few documents have them."""
_RARE = 50
"""Number of documents up to which a word is rare, and counted exactly."""


class Question:
    """The words of a query as they are put to `searcher`: the two belong together.

    The weight of a word depends on how many documents have it at this moment.
    """

    def __init__(self, query: Query, searcher: tantivy.Searcher) -> None:
        self.query = query
        self._searcher = searcher
        kind = clean(query.kind)
        self._marks = {WHOLE: whole_mark(kind), PASSAGE: LEVEL_MARK}
        self._documents = searcher.doc_freq("kind", kind)
        self._levels = cache(self._at_levels)
        self._having = cache(self._count)
        self.corrections = dict(self._corrections())
        """Corrected words, by the typed word that no document has."""
        typed = [*map(fold, chain(query.words, *query.also))]
        self._is_vague = bool(typed) and all(map(_is_vague, typed))
        self._words = self._distinct(query.words)
        terms = dict.fromkeys(self._terms(self._words))
        self._typed_weights = {term: self._weight(self._having(term)) for term in terms}
        self._weights = self._typed_weights | dict(self._weights_of_other_wordings())
        self._total = sum(self._weights.values())
        passages = searcher.doc_freq("part_of", kind)
        self._enough = ranking.enough(self._documents, passages)

    def whole(self) -> tantivy.Query:
        """Score each document by the share of the query that all of it answers."""
        return self._answered(WHOLE, ranking.STEP)

    def passage(self) -> tantivy.Query:
        """Score each passage by the share of the query that it answers."""
        return self._answered(PASSAGE, ranking.PASSAGE_STEP)

    def evidence(self, score: float) -> float:
        """Return the evidence for a document of this score, as a share of enough.

        A query of lone letters, or of grammar, never has enough.
        """
        needed = self._enough * (1 - ranking.ACROSS * self._share_of_absent_pairs())
        share = ranking.evidence(score, self._total) / needed
        return min(share, ranking.WEAK) if self._is_vague else share

    def every_word(self) -> Iterator[tuple[tantivy.Query, bool]]:
        """Yield queries for documents with every word, and if it has to be as typed.

        First by stem, then as typed. Yield neither where the words distinguish too
        little, as lone letters and grammar do. An identifier that somebody wrote
        distinguishes more than its parts.
        """
        if self._is_vague:
            return
        if ranking.is_distinctive([*self._typed_weights.values()], self._documents):
            stems_of_all = every_of(
                self._has(term)
                for word in self._words
                for term in ([word.whole] if self._having(word.whole) else word.pieces)
            )
            yield stems_of_all, False
        typed = [self._spelled(fold(word)) for word in self.query.words]
        having = [self._searcher.doc_freq("spelled", term) for term in typed]
        weights = [*map(self._weight, having)]
        if all(having) and ranking.is_distinctive(weights, self._documents):
            yield every_of(exactly("spelled", term) for term in typed), True

    def answered_by(self, numbers: Collection[int]) -> dict[int, set[str]]:
        """Return the words of the query, as typed, that each document answers."""
        answered: dict[int, set[str]] = {number: set() for number in numbers}
        among = [any_of(map(of_number, numbers))]
        for typed in self.query.words if numbers else ():
            terms = self._terms(self._distinct([typed]))
            matching = under(among, any_of(map(self._has, terms)))
            hits = self._searcher.search(matching, len(numbers), count=False).hits
            places = [at for _, at in hits]
            for number in self._searcher.fast_field_values("number", places):
                answered[int(number or 0)].add(typed)
        return answered

    def _distinct(self, typed: Iterable[str]) -> list[Word]:
        """Return at most MOST_WORDS: a run of Chinese is many words but one token."""
        meant = (self.corrections.get(token, token) for token in typed)
        query_words = chain.from_iterable(map(words, meant))
        return [*islice(dict.fromkeys(query_words), MOST_WORDS)]

    def _terms(self, words: Iterable[Word]) -> Iterator[str]:
        """Yield words and parts that documents have; else the word alone."""
        for word in words:
            present = [*filter(self._having, (word.whole, *word.parts))]
            yield from present or [word.whole]

    def _weight(self, having: int) -> float:
        """Return the weight of a word that so many documents have."""
        return ranking.weight(having, self._documents)

    def _weights_of_other_wordings(self) -> Iterator[tuple[str, float]]:
        """Yield terms of other wordings that documents have and the user lacks."""
        typed = dict.fromkeys(chain.from_iterable(self.query.also))
        for term in self._terms(self._distinct(typed)):
            if term not in self._typed_weights and (having := self._having(term)):
                yield term, ranking.ALSO * self._weight(having)

    def _share_of_absent_pairs(self) -> float:
        """Return the share of the weight that no document has, of pairs of characters.

        0 for a query in words that stand apart.
        """
        pairs = [
            weight
            for term, weight in self._typed_weights.items()
            if is_unspaced(term) and not self._having(term)
        ]
        return sum(pairs) / self._total if pairs else 0.0

    def _corrections(self) -> Iterator[tuple[str, str]]:
        """Correct words of letters alone: a misspelt number or name looks like any."""
        for token in self.query.words:
            folded = fold(token)
            is_word = len(folded) >= _MISSPELT and folded.isalpha()
            if is_word and not any(map(self._having, stems(token))):
                spellings = chain.from_iterable(
                    map(self._spellings_from, set(folded[:2]))
                )
                if correction := meant(folded, spellings):
                    yield token, correction

    def _spellings_from(self, beginning: str) -> Iterator[tuple[str, int]]:
        """Yield words as documents write them, and how many documents do."""
        spellings = self._searcher.terms_with_prefix(
            "spelled", self._spelled(beginning)
        )
        return ((term.rpartition(LEVEL_MARK)[2], having) for term, having in spellings)

    def _spelled(self, word: str) -> str:
        return spelled_term(self.query.kind, word)

    def _answered(self, field: str, step: float) -> tantivy.Query:
        """Add up the terms' weights: a text has a term at one level, so counts once."""
        return any_of(
            worth(
                exactly(field, leveled),
                weight / self._total * step ** -level_of(leveled),
            )
            for term, weight in self._weights.items()
            for leveled, _ in self._levels(field, term)
        )

    def _at_levels(self, field: str, term: str) -> list[tuple[str, int]]:
        """Return a term at each of its levels, with the number of texts for each."""
        return self._searcher.terms_with_prefix(field, clean(term) + self._marks[field])

    def _has(self, term: str) -> tantivy.Query:
        return any_of(
            exactly(WHOLE, leveled) for leveled, _ in self._levels(WHOLE, term)
        )

    def _count(self, term: str) -> int:
        """Return how many documents have the term.

        Tantivy's own figure includes replaced documents until segments are merged. That
        matters little for a common word; of a rare one the documents are counted.
        """
        count = sum(count for _, count in self._levels(WHOLE, term))
        if 0 < count <= _RARE:
            result = self._searcher.search(self._has(term), 1, count=True)
            return int(result.count)  # type: ignore[attr-defined]  # not in its stubs
        return count


def _is_vague(folded: str) -> bool:
    return is_letter(folded) or folded in _VAGUE


def meant(word: str, counts: Iterable[tuple[str, int]]) -> str | None:
    """Return the spelling one edit away that most documents have.

    The first in the alphabet wins a tie. An edit inserts, drops or changes a letter, or
    swaps two neighbours.
    """
    near = [
        (-having, spelling)
        for spelling, having in counts
        if is_one_edit(word, spelling)
    ]
    count, spelling = min(near, default=(0, None))
    return spelling if count else None


def is_one_edit(word: str, spelling: str) -> bool:
    """Return whether a single edit makes one word the other; equal words need none."""
    short, long = sorted((word, spelling), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    at = next(i for i in count() if short[i : i + 1] != long[i : i + 1])
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    is_swap = short[at : at + 2] == long[at : at + 2][::-1]
    rest = at + 2 if is_swap else at + 1
    return short[rest:] == long[rest:]
