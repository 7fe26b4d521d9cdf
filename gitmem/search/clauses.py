"""Tantivy's queries put together, under the names of what they mean."""

from collections.abc import Collection, Iterable

import tantivy

from gitmem.search.documents import SCHEMA, clean, exactly


def any_of(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    """What fulfils at least one, with the sum of the scores."""
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, query) for query in queries]
    )


def every_of(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    """What fulfils all of them, with the sum of the scores."""
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Must, query) for query in queries]
    )


def worth(query: tantivy.Query, score: float) -> tantivy.Query:
    """What fulfils `query`, all with this score."""
    return tantivy.Query.const_score_query(query, score)


def all_but(query: tantivy.Query) -> tantivy.Query:
    """Everything that does not fulfil `query`."""
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Must, tantivy.Query.all_query()),
            (tantivy.Occur.MustNot, query),
        ]
    )


def in_a_row(field: str, terms: Iterable[str]) -> tantivy.Query:
    """Where the terms follow each other in the field; nowhere for none."""
    parts: list[str | tuple[int, str]] = [*map(clean, terms)]
    match parts:
        case []:
            return tantivy.Query.empty_query()
        case [str(only)]:
            return exactly(field, only)
        case _:
            return tantivy.Query.phrase_query(SCHEMA, field, parts)


def under(
    conditions: Collection[tantivy.Query], scored: tantivy.Query
) -> tantivy.Query:
    """What fulfils all conditions, with the scores of `scored`."""
    if not conditions:
        return scored
    unscored = [(tantivy.Occur.Must, worth(query, 0.0)) for query in conditions]
    return tantivy.Query.boolean_query([*unscored, (tantivy.Occur.Must, scored)])
