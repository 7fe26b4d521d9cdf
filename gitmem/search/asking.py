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
from gitmem.search.queries.query import MOST_WORDS, Query
from gitmem.search.words import Word, fold, is_letter, stems, words

_MISSPELT = 8
"""Letters of a word that is corrected: shorter ones are one edit from too many."""
_RARE = 50
"""In so many documents, a word is rare."""


class Question:
    """The words of a query as they are put to `searcher`: the two belong together.

    What a word tells depends on how many documents have it at this moment.
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
        """What was meant, by what was typed and no document has."""
        typed = [*map(fold, chain(query.words, *query.also))]
        self._is_letters = bool(typed) and all(map(is_letter, typed))
        self._words = self._distinct(query.words)
        own = dict.fromkeys(self._terms(self._words))
        self._own = {term: self._weight(self._having(term)) for term in own}
        self._weights = self._own | dict(self._of_other_wordings())
        passages = searcher.doc_freq("part_of", kind)
        self._enough = ranking.enough(self._documents, passages)

    def whole(self) -> tantivy.Query:
        """Gives each document the share of the query that all of it answers."""
        return self._answered(WHOLE, ranking.STEP)

    def passage(self) -> tantivy.Query:
        """Gives each passage the share of the query that it answers."""
        return self._answered(PASSAGE, ranking.PASSAGE_STEP)

    def evidence(self, score: float) -> float:
        """What speaks for a document that scores so, as a share of what is enough.

        For lone letters it is never enough.
        """
        share = ranking.evidence(score, self._weights.values()) / self._enough
        return min(share, ranking.WEAK) if self._is_letters else share

    def every_word(self) -> Iterator[tantivy.Query]:
        """The documents with every word, and those that have them as they were typed.

        Neither where the words tell too little, as lone letters do. An identifier that
        somebody wrote tells more than the parts it is made of.
        """
        if self._is_letters:
            return
        if ranking.is_telling([*self._own.values()], self._documents):
            yield every_of(
                self._has(term)
                for word in self._words
                for term in ([word.whole] if self._having(word.whole) else word.pieces)
            )
        typed = [self._spelled(fold(word)) for word in self.query.words]
        having = [self._searcher.doc_freq("spelled", term) for term in typed]
        told = [*map(self._weight, having)]
        if all(having) and ranking.is_telling(told, self._documents):
            yield every_of(exactly("spelled", term) for term in typed)

    def answered_by(self, numbers: Collection[int]) -> dict[int, set[str]]:
        """The words of the query, as typed, that each of the documents answers."""
        found: dict[int, set[str]] = {number: set() for number in numbers}
        among = [any_of(map(of_number, numbers))]
        for typed in self.query.words if numbers else ():
            terms = self._terms(self._distinct([typed]))
            asked = under(among, any_of(map(self._has, terms)))
            hits = self._searcher.search(asked, len(numbers), count=False).hits
            places = [at for _, at in hits]
            for number in self._searcher.fast_field_values("number", places):
                found[int(number or 0)].add(typed)
        return found

    def _distinct(self, typed: Iterable[str]) -> list[Word]:
        """At most MOST_WORDS: a run of Chinese is many words and only one token."""
        meant = (self.corrections.get(token, token) for token in typed)
        asked = chain.from_iterable(map(words, meant))
        return [*islice(dict.fromkeys(asked), MOST_WORDS)]

    def _terms(self, words: Iterable[Word]) -> Iterator[str]:
        """Words and their parts as far as documents have them; else words alone."""
        for word in words:
            had = [*filter(self._having, (word.whole, *word.parts))]
            yield from had or [word.whole]

    def _weight(self, having: int) -> float:
        """What a word tells that so many documents have."""
        return ranking.weight(having, self._documents)

    def _of_other_wordings(self) -> Iterator[tuple[str, float]]:
        """The terms of other wordings that some document has and the user lacks."""
        typed = dict.fromkeys(chain.from_iterable(self.query.also))
        for term in self._terms(self._distinct(typed)):
            if term not in self._own and (having := self._having(term)):
                yield term, ranking.ALSO * self._weight(having)

    def _corrections(self) -> Iterator[tuple[str, str]]:
        """A number or an identifier cannot be told to be misspelt."""
        for token in self.query.words:
            folded = fold(token)
            is_word = len(folded) >= _MISSPELT and folded.isalpha()
            if is_word and not any(map(self._having, stems(token))):
                known = chain.from_iterable(map(self._written, set(folded[:2])))
                if found := meant(folded, known):
                    yield token, found

    def _written(self, beginning: str) -> Iterator[tuple[str, int]]:
        """Words as documents write them, and how many do."""
        known = self._searcher.terms_with_prefix("spelled", self._spelled(beginning))
        return ((term.rpartition(LEVEL_MARK)[2], having) for term, having in known)

    def _spelled(self, word: str) -> str:
        return spelled_term(self.query.kind, word)

    def _answered(self, field: str, step: float) -> tantivy.Query:
        """A text has a term at one level, so no more than one of these is added."""
        total = sum(self._weights.values())
        return any_of(
            worth(exactly(field, found), weight / total * step ** -level_of(found))
            for term, weight in self._weights.items()
            for found, _ in self._levels(field, term)
        )

    def _at_levels(self, field: str, term: str) -> list[tuple[str, int]]:
        """A term as it stands at each of its levels, and how many texts have it so."""
        return self._searcher.terms_with_prefix(field, clean(term) + self._marks[field])

    def _has(self, term: str) -> tantivy.Query:
        return any_of(exactly(WHOLE, found) for found, _ in self._levels(WHOLE, term))

    def _count(self, term: str) -> int:
        """How many documents have the term; where they are few, those that are there.

        Tantivy's own figure includes what was replaced, which matters little for a
        common word.
        """
        count = sum(count for _, count in self._levels(WHOLE, term))
        if 0 < count <= _RARE:
            found = self._searcher.search(self._has(term), 1, count=True)
            return int(found.count)  # type: ignore[attr-defined]  # not in its stubs
        return count


def meant(word: str, known: Iterable[tuple[str, int]]) -> str | None:
    """Of the `known` words one edit away, the one that most documents have.

    Of equally many the first in the alphabet. An edit inserts, drops or changes a
    letter, or swaps two neighbours.
    """
    near = [(-having, each) for each, having in known if is_one_edit(word, each)]
    count, found = min(near, default=(0, None))
    return found if count else None


def is_one_edit(one: str, other: str) -> bool:
    """Whether a single edit makes the one of the other; two equal words need none."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    at = next(i for i in count() if short[i : i + 1] != long[i : i + 1])
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    is_swap = short[at : at + 2] == long[at : at + 2][::-1]
    rest = at + 2 if is_swap else at + 1
    return short[rest:] == long[rest:]
