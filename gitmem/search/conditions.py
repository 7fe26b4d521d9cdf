"""Tantivy's queries put together, and what a query requires besides its words."""

from collections.abc import Collection, Iterable
from dataclasses import replace

import tantivy

from gitmem.search.documents import (
    COMMIT_LENGTH,
    SCHEMA,
    clean,
    exactly,
    on_the_wall,
    trigrams,
)
from gitmem.search.queries.query import MOST_WORDS, Query
from gitmem.search.words import folded_words, stems_in, subject_terms

_LEAST_SUBJECT = 3
"""Words of a query that may be a commit's subject."""
_MUST, _NOT = tantivy.Occur.Must, tantivy.Occur.MustNot


def any_of(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    """Match documents that fulfil at least one query, and add up the scores."""
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, query) for query in queries]
    )


def every_of(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    """Match documents that fulfil all queries, and add up the scores."""
    return tantivy.Query.boolean_query([(_MUST, query) for query in queries])


def worth(query: tantivy.Query, score: float) -> tantivy.Query:
    """Match as `query` does, with the same score for all."""
    return tantivy.Query.const_score_query(query, score)


def under(
    conditions: Collection[tantivy.Query], scored: tantivy.Query
) -> tantivy.Query:
    """Match documents that fulfil all conditions, with the scores of `scored`."""
    if not conditions:
        return scored
    return every_of([*(worth(query, 0.0) for query in conditions), scored])


def required(query: Query, searcher: tantivy.Searcher) -> list[tantivy.Query]:
    """Return the filters of a query that a document must pass."""
    conditions = [*map(_phrase, query.phrases)]
    if query.without:
        unwanted = any_of(map(_phrase, query.without))
        everything = (_MUST, tantivy.Query.all_query())
        conditions.append(tantivy.Query.boolean_query([everything, (_NOT, unwanted)]))
    if query.after is not None:
        conditions.append(_in_range("until", on_the_wall(query.after), None))
    if query.before is not None:
        last_second = on_the_wall(query.before) - 1
        conditions.append(_in_range("at", None, last_second))
    if query.tool is not None:
        conditions.append(exactly("tool", query.tool))
    if query.branch is not None:
        conditions.append(_on_branch(query.branch, searcher))
    if query.author is not None:
        conditions.append(_in_a_row("author", folded_words(query.author)))
    groups = ([exactly("labels", label) for label in group] for group in query.labels)
    return [*conditions, *map(any_of, groups)]


def touching(query: Query) -> tantivy.Query | None:
    """Match documents with a path of the query; None where it names no path."""
    if not query.paths:
        return None
    return any_of(_in_a_row("paths", trigrams(path)) for path in query.paths)


def with_name_or_commit(query: Query) -> tantivy.Query | None:
    """Match documents that have the query as a name, or list a commit of it.

    None where the query can be neither.
    """
    name = query.text.strip()
    names = [exactly("names", name)] if name and " " not in name else []
    commits = (
        tantivy.Query.regex_query(SCHEMA, "commits", f"{commit[:COMMIT_LENGTH]}.*")
        for commit in query.commits
    )
    names_or_commits = [*names, *commits]
    return any_of(names_or_commits) if names_or_commits else None


def with_subject(query: Query, searcher: tantivy.Searcher) -> tantivy.Query | None:
    """Match documents with a commit whose subject the query is, but for a few words.

    Dates, branches and phrases are parts of the subject then, not filters. None where
    the query has too few words: many commits are called "fix".
    """
    terms = subject_terms(query.text)
    count = len(terms) - 2
    if not _LEAST_SUBJECT <= count <= MOST_WORDS:
        return None
    if not all(searcher.doc_freq("subjects", clean(term)) for term in terms):
        return None
    whole = replace(query, after=None, before=None, branch=None, phrases=())
    row: list[str | tuple[int, str]] = [*terms]
    subject = tantivy.Query.phrase_query(SCHEMA, "subjects", row, slop=count // 2)
    return under(required(whole, searcher), subject)


def _in_range(field: str, first: int | None, last: int | None) -> tantivy.Query:
    integer = tantivy.FieldType.Integer
    return tantivy.Query.range_query(SCHEMA, field, integer, first, last)


def _on_branch(fragment: str, searcher: tantivy.Searcher) -> tantivy.Query:
    """Match a fragment of the name; one shorter than a trigram begins some trigram."""
    if fragment_trigrams := trigrams(fragment):
        return _in_a_row("branch", fragment_trigrams)
    beginning = searcher.terms_with_prefix("branch", clean(fragment))
    return any_of(exactly("branch", trigram) for trigram, _ in beginning)


def _phrase(phrase: str) -> tantivy.Query:
    return _in_a_row("text", stems_in(phrase))


def _in_a_row(field: str, terms: Iterable[str]) -> tantivy.Query:
    """Match where the terms follow each other in the field; no terms match nothing."""
    parts: list[str | tuple[int, str]] = [*map(clean, terms)]
    match parts:
        case []:
            return tantivy.Query.empty_query()
        case [str(only)]:
            return exactly(field, only)
    return tantivy.Query.phrase_query(SCHEMA, field, parts)
