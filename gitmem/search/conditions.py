"""What a query requires of a session besides its words, in the terms of the index."""

from datetime import datetime

import tantivy

from gitmem.search.clauses import all_but, any_of, in_a_row
from gitmem.search.documents import (
    COMMIT_LENGTH,
    SCHEMA,
    author_terms,
    clean,
    exactly,
    on_the_wall,
    trigrams,
)
from gitmem.search.queries.query import Query
from gitmem.search.words import stems, tokens


def required(query: Query, searcher: tantivy.Searcher) -> list[tantivy.Query]:
    """What a session must fulfil."""
    found = [_phrase(phrase) for phrase in query.phrases]
    if query.without:
        said = any_of(map(_phrase, query.without))
        found.append(all_but(said))
    if query.after is not None or query.before is not None:
        found.append(_started(query.after, query.before))
    if query.tool is not None:
        found.append(exactly("tool", query.tool))
    if query.branch is not None:
        found.append(_on_branch(query.branch, searcher))
    if query.author is not None:
        found.append(in_a_row("author", author_terms(query.author)))
    return found


def touching(query: Query) -> tantivy.Query | None:
    """The sessions that touched a path of the query; None where it names none."""
    if not query.paths:
        return None
    return any_of(_containing("paths", path) for path in query.paths)


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
    return any_of(asked) if asked else None


def _started(after: datetime | None, before: datetime | None) -> tantivy.Query:
    """The index holds whole seconds, so the last one before `before` is included."""
    return tantivy.Query.range_query(
        SCHEMA,
        "at",
        tantivy.FieldType.Integer,
        None if after is None else on_the_wall(after),
        None if before is None else on_the_wall(before) - 1,
    )


def _on_branch(fragment: str, searcher: tantivy.Searcher) -> tantivy.Query:
    """A fragment too short for a trigram is what one of the name begins with."""
    if trigrams(fragment):
        return _containing("branch", fragment)
    found = searcher.terms_with_prefix("branch", clean(fragment))
    return any_of(exactly("branch", trigram) for trigram, _ in found)


def _containing(field: str, fragment: str) -> tantivy.Query:
    """Where the trigrams of `fragment` follow each other in `field`."""
    return in_a_row(field, trigrams(fragment))


def _phrase(phrase: str) -> tantivy.Query:
    return in_a_row("text", [stem for token in tokens(phrase) for stem in stems(token)])
