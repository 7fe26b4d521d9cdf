"""A query in the terms of the index: built from our own words, never parsed.

Tantivy's query language would read `error: foo`, `-x` or `id:7` as something else than
what was typed.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import cache, partial

import tantivy

from gitmem.search import ranking
from gitmem.search.documents import (
    LEVEL_MARK,
    SCHEMA,
    exactly,
    on_the_wall,
    trigrams,
)
from gitmem.search.query import MOST_WORDS, Query
from gitmem.search.words import Word, words


class Question:
    """`query` as it is put to `searcher`: the two belong together.

    What a word tells depends on how many sessions have it at this moment.
    """

    def __init__(self, query: Query, searcher: tantivy.Searcher) -> None:
        self._query = query
        self._levels = cache(partial(_found_levels, searcher))

    def scored(self) -> tantivy.Query:
        """Gives each session the score that `gitmem.search.ranking` defines.

        A session that touched one of the query's paths answers TOUCHED of it by that;
        the words decide over the rest.
        """
        answered = self._answered()
        touched = _any(_touching(path) for path in self._query.paths)
        also_touched = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, _worth(touched, ranking.TOUCHED)),
                (
                    tantivy.Occur.Should,
                    tantivy.Query.boost_query(answered, 1 - ranking.TOUCHED),
                ),
            ]
        )
        named = _worth(exactly("names", self._query.text.strip()), ranking.ALL)
        return tantivy.Query.disjunction_max_query([answered, also_touched, named])

    def _answered(self) -> tantivy.Query:
        asked = _distinct(self._query.words)
        total = sum(map(self._weight, asked))
        return _any(part for word in asked for part in self._parts(word, total))

    def _weight(self, word: Word) -> float:
        return sum(map(self._term_weight, word.parts or (word.whole,)))

    def _term_weight(self, term: str) -> float:
        return ranking.weight(sum(count for _, count in self._levels(term)))

    def _parts(self, word: Word, total: float) -> list[tantivy.Query]:
        """What `word` adds to the score; alternatives exclude each other."""
        whole = self._term(word.whole, self._weight(word) / total)
        if not word.parts:
            return whole
        apart = [
            query
            for part in word.parts
            for query in self._term(part, self._term_weight(part) / total, apart=True)
        ]
        return [tantivy.Query.disjunction_max_query([_any(whole), _any(apart)])]

    def _term(
        self, term: str, share: float, *, apart: bool = False
    ) -> list[tantivy.Query]:
        """`share` of the score by the strength of `term`, level by level."""
        return [
            _worth(exactly("words", found), share * _strength(found, apart=apart))
            for found, _ in self._levels(term)
        ]


def filters(query: Query, tool: str | None) -> list[tantivy.Query]:
    """What a session must fulfil, whatever its score; `tool` wins over the query's."""
    tool = tool or query.tool
    found = []
    if query.after is not None or query.before is not None:
        found.append(_started(query.after, query.before))
    if tool is not None:
        found.append(exactly("tool", tool))
    return found


def all_of(required: Iterable[tantivy.Query], scored: tantivy.Query) -> tantivy.Query:
    """What fulfils all of `required`, with the scores of `scored`."""
    unscored = [(tantivy.Occur.Must, _worth(query, 0.0)) for query in required]
    return tantivy.Query.boolean_query([*unscored, (tantivy.Occur.Must, scored)])


def _found_levels(searcher: tantivy.Searcher, term: str) -> list[tuple[str, int]]:
    """The levels that `term` has in some session, and in how many sessions.

    The filter, which lets everything pass, leaves out sessions that were replaced.
    """
    return searcher.terms_with_prefix(
        "words", term + LEVEL_MARK, filter_query=tantivy.Query.all_query()
    )


def _distinct(tokens: Iterable[str]) -> list[Word]:
    """At most MOST_WORDS: a run of Chinese is many words and only one token."""
    found = dict.fromkeys(word for token in tokens for word in words(token))
    return [*found][:MOST_WORDS]


def _strength(found: str, *, apart: bool) -> float:
    strength = ranking.strength(int(found.rpartition(LEVEL_MARK)[2]))
    return max(ranking.FLOOR, ranking.APART * strength) if apart else strength


def _started(after: datetime | None, before: datetime | None) -> tantivy.Query:
    """The index holds whole seconds, so the last one before `before` is included."""
    return tantivy.Query.range_query(
        SCHEMA,
        "started",
        tantivy.FieldType.Integer,
        None if after is None else on_the_wall(after),
        None if before is None else on_the_wall(before) - 1,
    )


def _touching(path: str) -> tantivy.Query:
    parts: list[str | tuple[int, str]] = [*trigrams(path)]
    match parts:
        case []:
            return tantivy.Query.empty_query()
        case [str(only)]:
            return exactly("paths", only)
        case _:
            return tantivy.Query.phrase_query(SCHEMA, "paths", parts)


def _any(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, query) for query in queries]
    )


def _worth(query: tantivy.Query, score: float) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, score)
