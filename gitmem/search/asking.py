"""A query in the terms of the index: built from our own words, never parsed.

Tantivy's query language would read `error: foo`, `-x` or `id:7` as something else than
what was typed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import chain

import tantivy

from gitmem.search import ranking
from gitmem.search.documents import (
    LEVEL_MARK,
    PASSAGE,
    SCHEMA,
    WHOLE,
    at_level,
    clean,
    exactly,
    on_the_wall,
    trigrams,
)
from gitmem.search.query import MOST_WORDS, Query
from gitmem.search.spelling import is_word, meant
from gitmem.search.words import Word, fold, stems, tokens, words

_MOST_EXPANSIONS = 40
"""Longer words that may answer one of the query, the shortest of them."""


class Question:
    """The words of a query as they are put to `searcher`: the two belong together.

    What a word tells depends on how many sessions have it at this moment.
    """

    def __init__(self, query: Query, searcher: tantivy.Searcher) -> None:
        self._searcher = searcher
        self._beginning = cache(self._found_beginning)
        self.corrections = dict(self._corrections(query.words))
        """What was meant, by what was typed and no session has."""
        typed = (self.corrections.get(token, token) for token in query.words)
        self._words = _distinct(typed)

    def whole(self) -> tantivy.Query:
        """Gives each session the share of the query that all of it answers."""
        return self._answered(WHOLE)

    def passage(self) -> tantivy.Query:
        """Gives each passage the share of the query that it answers."""
        return self._answered(PASSAGE)

    def is_answered(self, score: float) -> bool:
        """Whether a session that scores so is an answer."""
        return ranking.is_answer(score, self._weights())

    def every_word(self) -> tantivy.Query | None:
        """The sessions with every word, or None where the words tell too little."""
        if not ranking.is_telling(self._weights()):
            return None
        return _all(
            _any([exactly("text", word.whole), _all(map(self._has, word.parts))])
            if word.parts
            else self._has(word.whole)
            for word in self._words
        )

    def _corrections(self, typed: Iterable[str]) -> Iterator[tuple[str, str]]:
        for token in filter(is_word, typed):
            if not any(self._beginning(WHOLE, stem) for stem in stems(token)):
                folded = fold(token)
                known = chain.from_iterable(map(self._spelled, set(folded[:2])))
                if found := meant(folded, known):
                    yield token, found

    def _spelled(self, beginning: str) -> list[tuple[str, int]]:
        """Words as they are written in sessions, and in how many of them."""
        return self._searcher.terms_with_prefix("spelled", beginning)

    def _has(self, term: str) -> tantivy.Query:
        levels = self._beginning(WHOLE, term).get(term, {})
        return _one_of(WHOLE, (at_level(term, level) for level in levels))

    def _answered(self, field: str) -> tantivy.Query:
        total = sum(self._weights())
        return _any(self._word(field, word, total) for word in self._words)

    def _weights(self) -> list[float]:
        return [*map(self._weight, self._words)]

    def _weight(self, word: Word) -> float:
        return sum(map(self._term_weight, word.parts or (word.whole,)))

    def _term_weight(self, term: str) -> float:
        return ranking.weight(sum(self._beginning(WHOLE, term).get(term, {}).values()))

    def _word(self, field: str, word: Word, total: float) -> tantivy.Query:
        """What `word` adds to the share: as it stands, or by its parts together."""
        whole = self._term(field, word.whole, self._weight(word) / total)
        if not word.parts:
            return whole
        parts = (
            self._term(field, part, self._term_weight(part) / total, apart=True)
            for part in word.parts
        )
        return tantivy.Query.disjunction_max_query([whole, _any(parts)])

    def _term(
        self, field: str, term: str, share: float, *, apart: bool = False
    ) -> tantivy.Query:
        """`share` of the score by the strength of `term`, or of the best expansion."""
        answers = []
        for found, levels in self._beginning(field, term).items():
            part = share if found == term else share * ranking.expansion(term, found)
            answers += [
                _worth(
                    exactly(field, at_level(found, level)),
                    part * _strength(field, level, apart=apart),
                )
                for level in levels
            ]
        return tantivy.Query.disjunction_max_query(answers)

    def _found_beginning(self, field: str, term: str) -> dict[str, dict[int, int]]:
        """`term` and the words that may answer it; in how many texts, by level.

        The filter, which lets everything pass, leaves out sessions that were replaced.
        """
        stem = ranking.stem_of(term)
        found: dict[str, dict[int, int]] = defaultdict(dict)
        for indexed, count in self._searcher.terms_with_prefix(
            field,
            stem or term + LEVEL_MARK,
            filter_query=tantivy.Query.all_query(),
        ):
            word, _, level = indexed.rpartition(LEVEL_MARK)
            found[word][int(level)] = count
        shortest = sorted(found, key=lambda word: (word != term, len(word), word))
        return {word: found[word] for word in shortest[: 1 + _MOST_EXPANSIONS]}


def required(query: Query, tool: str | None) -> list[tantivy.Query]:
    """What a session and its passages must fulfil; `tool` wins over the query's."""
    tool = tool or query.tool
    found = []
    if query.after is not None or query.before is not None:
        found.append(_started(query.after, query.before))
    if tool is not None:
        found.append(exactly("tool", tool))
    if query.branch is not None:
        found.append(_containing("branch", query.branch))
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


def named(query: Query) -> tantivy.Query:
    """The sessions that the query is a name of, or that made a commit it names."""
    commits = (
        tantivy.Query.regex_query(SCHEMA, "commits", f"{commit[:12]}.*")
        for commit in query.commits
    )
    return _any([exactly("names", query.text.strip()), *commits])


def all_of(conditions: Iterable[tantivy.Query], scored: tantivy.Query) -> tantivy.Query:
    """What fulfils all conditions, with the scores of `scored`."""
    unscored = [(tantivy.Occur.Must, _worth(query, 0.0)) for query in conditions]
    return tantivy.Query.boolean_query([*unscored, (tantivy.Occur.Must, scored)])


def _distinct(typed: Iterable[str]) -> list[Word]:
    """At most MOST_WORDS: a run of Chinese is many words and only one token."""
    found = dict.fromkeys(word for token in typed for word in words(token))
    return [*found][:MOST_WORDS]


def _strength(field: str, level: int, *, apart: bool) -> float:
    strength = ranking.strength(level) * (ranking.APART if apart else 1.0)
    return max(ranking.FLOOR, strength) if field == WHOLE else strength


def _started(after: datetime | None, before: datetime | None) -> tantivy.Query:
    """The index holds whole seconds, so the last one before `before` is included."""
    return tantivy.Query.range_query(
        SCHEMA,
        "started",
        tantivy.FieldType.Integer,
        None if after is None else on_the_wall(after),
        None if before is None else on_the_wall(before) - 1,
    )


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


def _one_of(field: str, terms: Iterable[str]) -> tantivy.Query:
    return tantivy.Query.term_set_query(SCHEMA, field, [*map(clean, terms)])


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
