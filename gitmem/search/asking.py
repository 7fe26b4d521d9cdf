"""A query in the terms of the index: built from our own words, never parsed.

Tantivy's query language would read `error: foo`, `-x` or `id:7` as something else than
what was typed.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import chain

import tantivy

from gitmem.model.session import COMMIT_LENGTH
from gitmem.search import ranking
from gitmem.search.documents import (
    LEVEL_MARK,
    PASSAGE,
    SCHEMA,
    WHOLE,
    clean,
    exactly,
    on_the_wall,
    trigrams,
)
from gitmem.search.queries.query import MOST_WORDS, Query
from gitmem.search.spelling import is_word, meant
from gitmem.search.words import Word, fold, stems, tokens, words

_RARE = 50
"""In so many sessions, a word is rare."""
_MOST_EXPANSIONS = 40
"""Longer words that may answer one of the query, the shortest of them."""


class Question:
    """The words of a query as they are put to `searcher`: the two belong together.

    What a word tells depends on how many sessions have it at this moment.
    """

    def __init__(self, query: Query, searcher: tantivy.Searcher) -> None:
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
        return _all(
            _has(term)
            for word in self._words
            for term in ([word.whole] if self._is_known(word.whole) else _parts(word))
        )

    def _weight(self, word: Word) -> float:
        """That of its parts, or its own where somebody wrote it and it tells more."""
        of_parts = sum(map(self._term_weight, _parts(word)))
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
        return _any(
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
            yield _worth(exactly(field, found), share * ranking.strength(level))

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


def required(
    query: Query, tool: str | None, searcher: tantivy.Searcher
) -> list[tantivy.Query]:
    """What a session and its passages must fulfil; `tool` wins over the query's."""
    tool = tool or query.tool
    found = []
    if query.after is not None or query.before is not None:
        found.append(_started(query.after, query.before))
    if tool is not None:
        found.append(exactly("tool", tool))
    if query.branch is not None:
        found.append(_on_branch(query.branch, searcher))
    return found


def required_of_sessions(query: Query) -> list[tantivy.Query]:
    """What only all of a session can fulfil: what it says, and what it does not say."""
    found = [_in_a_row(phrase) for phrase in query.phrases]
    if query.without:
        said = _any(map(_in_a_row, query.without))
        found.append(_but(said))
    return found


def touching(query: Query) -> tantivy.Query | None:
    """The sessions that touched a path of the query; None where it names none."""
    if not query.paths:
        return None
    return _any(_containing("paths", path) for path in query.paths)


def named(query: Query) -> tantivy.Query | None:
    """The sessions that the query is a name of, or that made a commit it names.

    None where it cannot be a name of either.
    """
    name = query.text.strip()
    names = [exactly("names", name)] if name and " " not in name else []
    commits = (
        tantivy.Query.regex_query(SCHEMA, "commits", f"{commit[:COMMIT_LENGTH]}.*")
        for commit in query.commits
    )
    asked = [*names, *commits]
    return _any(asked) if asked else None


def all_of(
    conditions: Collection[tantivy.Query], scored: tantivy.Query
) -> tantivy.Query:
    """What fulfils all conditions, with the scores of `scored`."""
    if not conditions:
        return scored
    unscored = [(tantivy.Occur.Must, _worth(query, 0.0)) for query in conditions]
    return tantivy.Query.boolean_query([*unscored, (tantivy.Occur.Must, scored)])


def _distinct(typed: Iterable[str]) -> list[Word]:
    """At most MOST_WORDS: a run of Chinese is many words and only one token."""
    found = dict.fromkeys(word for token in typed for word in words(token))
    return [*found][:MOST_WORDS]


def _has(term: str) -> tantivy.Query:
    return exactly("has", term)


def _parts(word: Word) -> tuple[str, ...]:
    return word.parts or (word.whole,)


def _started(after: datetime | None, before: datetime | None) -> tantivy.Query:
    """The index holds whole seconds, so the last one before `before` is included."""
    return tantivy.Query.range_query(
        SCHEMA,
        "started",
        tantivy.FieldType.Integer,
        None if after is None else on_the_wall(after),
        None if before is None else on_the_wall(before) - 1,
    )


def _on_branch(fragment: str, searcher: tantivy.Searcher) -> tantivy.Query:
    """A fragment too short for a trigram is what one of the name begins with."""
    if trigrams(fragment):
        return _containing("branch", fragment)
    found = searcher.terms_with_prefix("branch", clean(fragment))
    return _any(exactly("branch", trigram) for trigram, _ in found)


def _containing(field: str, fragment: str) -> tantivy.Query:
    """Where the trigrams of `fragment` follow each other in `field`."""
    return _row(field, trigrams(fragment))


def _in_a_row(phrase: str) -> tantivy.Query:
    return _row("text", [stem for token in tokens(phrase) for stem in stems(token)])


def _row(field: str, terms: list[str]) -> tantivy.Query:
    parts: list[str | tuple[int, str]] = [*map(clean, terms)]
    match parts:
        case []:
            return tantivy.Query.empty_query()
        case [str(only)]:
            return exactly(field, only)
        case _:
            return tantivy.Query.phrase_query(SCHEMA, field, parts)


def _but(query: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Must, tantivy.Query.all_query()),
            (tantivy.Occur.MustNot, query),
        ]
    )


def _any(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, query) for query in queries]
    )


def _all(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Must, query) for query in queries]
    )


def _worth(query: tantivy.Query, score: float) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, score)
