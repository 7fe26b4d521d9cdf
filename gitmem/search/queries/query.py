"""Parse what a person or an assistant types into a query of the index.

No text is wrong: filters are taken out where they are recognised, and the rest is
words. docs/search.md lists what is recognised.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from gitmem.frozen import frozen
from gitmem.search.queries.context import FILLERS, HELD, STOP_WORDS
from gitmem.search.queries.dates import take_dates
from gitmem.search.queries.filters import (
    take_author,
    take_branch,
    take_quoted,
    take_tool,
    with_phrases,
)
from gitmem.search.queries.order import is_about_order
from gitmem.search.queries.paths import commits_in, paths_in
from gitmem.search.words import fold, tokens
from gitmem.text.patterns import pattern

SESSION = "session"
"""The kind of documents that is meant where none is given."""
MOST_CHARACTERS = 4000
"""What follows is not read: a query is a question, not a document."""
MOST_WORDS = 64
"""Distinct words of a query that count; further ones are not asked for."""


@frozen
class Query:
    """What was asked, with the filters apart from the words."""

    text: str
    """As it was typed."""
    words: tuple[str, ...]
    """Distinct, in order, without stop words; identifiers as they were written."""
    after: datetime | None = None
    before: datetime | None = None
    """Sessions that started in [after, before), each side open when None."""
    tool: str | None = None
    """The name of the assistant that the session was held with."""
    paths: tuple[str, ...] = ()
    """Fragments of paths, in lower case; a session that touched one is found."""
    phrases: tuple[str, ...] = ()
    """What was quoted, as it was typed: a session must have its words in a row."""
    without: tuple[str, ...] = ()
    """Words after a `-`, as they were typed: a session that has one is not found."""
    branch: str | None = None
    """A part of the name of the branch, in lower case, as `feat/login`."""
    author: str | None = None
    """A name or an address, or words of one, of whoever began the session."""
    commits: tuple[str, ...] = ()
    """Hexadecimal words of seven digits or more, in lower case: they may begin the name
    of a commit, and then its sessions are found. They are among `words` as well."""
    also: tuple[tuple[str, ...], ...] = ()
    """The words of other wordings of the question, distinct ones; none is empty."""
    kind: str = SESSION
    """The kind of documents that are asked for."""
    labels: tuple[tuple[str, ...], ...] = ()
    """Of each group a document has at least one."""
    about_order: bool = False
    """Whether it asks for the newest work, and so has no words: "what's next"."""


def parse(text: str, *, now: datetime, tools: Mapping[str, str]) -> Query:
    """Read `text` as a query.

    `now` is an aware datetime: its zone is the one that "yesterday" is meant in.
    `tools` maps what people call an assistant to its name.
    """
    readable = _readable(text)
    phrases, without, rest = take_quoted(readable)
    author, rest = take_author(rest)
    branch, rest = take_branch(rest)
    tool, rest = take_tool(rest, tools)
    period, rest = take_dates(rest, now)
    about_order = is_about_order(rest)
    spoken = "" if about_order else with_phrases(rest, phrases)
    return Query(
        text=text,
        words=_significant(spoken, filtered=rest != readable),
        after=period.after,
        before=period.before,
        tool=tool,
        paths=paths_in(rest),
        phrases=tuple(dict.fromkeys(phrases)),
        without=tuple(dict.fromkeys(without)),
        branch=branch,
        author=author,
        commits=commits_in(rest),
        about_order=about_order,
    )


def of_words(text: str, kind: str, labels: tuple[tuple[str, ...], ...]) -> Query:
    """Make a query of all words of a text, without filters."""
    words = _significant(_readable(text), filtered=False)
    return Query(text="", words=words, kind=kind, labels=labels)


def with_also(query: Query, wordings: Iterable[str]) -> Query:
    """Return `query` with other wordings, read for their words alone."""
    read = (_significant(_readable(each), filtered=False) for each in wordings)
    return replace(query, also=tuple(dict.fromkeys(filter(None, read))))


def understood(query: Query) -> dict[str, object]:
    """Return what was read out of a query, for people and as JSON; only what is there.

    The keys are those of docs/search.md, in its order. Times are ISO 8601 with the
    offset of the moment that was `now`.
    """
    values = {
        "about_order": query.about_order,
        "words": [*query.words],
        "also": [" ".join(wording) for wording in query.also],
        "phrases": [*query.phrases],
        "without": [*query.without],
        "after": query.after and query.after.isoformat(timespec="seconds"),
        "before": query.before and query.before.isoformat(timespec="seconds"),
        "tool": query.tool,
        "branch": query.branch,
        "author": query.author,
        "paths": [*query.paths],
        "commits": [*query.commits],
    }
    return {name: value for name, value in values.items() if value}


def _readable(text: str) -> str:
    """Return `text` as far as it is read, with its words one space apart."""
    encodable = text[:MOST_CHARACTERS].encode(errors="replace").decode()
    return " ".join(encodable.replace(HELD, " ").split())


def _significant(text: str, *, filtered: bool) -> tuple[str, ...]:
    """Return the words that distinguish sessions.

    A query of stop words alone still asks for something, unless its filters do: "what
    did we do last week" is "last week".
    """
    distinct: dict[str, str] = {}
    for token in tokens(_WRAPPING.sub(" ", text)):
        distinct.setdefault(fold(token), token)
    significant = [key for key in distinct if key not in STOP_WORDS]
    if filtered and FILLERS.issuperset(significant):
        return ()
    return tuple(distinct[key] for key in significant or distinct)[:MOST_WORDS]


_WRAPPING = pattern(
    r"\A(?:(?:all|find|list|me|my|our|show|the) )*(?:sessions?|conversations?)"
    r"(?= ;| (?:about|where|in which)\b)"
    r"|(?<=; )(?:sessions?|conversations?)(?= (?:about|on|that|when|where|with)\b| ;)",
    re.IGNORECASE,
)
"""A session is what all is about: "yesterday's session about indexes"."""


_FILTERS = (
    *(("phrases",), ("after", "before"), ("tool",), ("branch",), ("author",)),
    ("without",),
)
"""Fields of Query that are dropped together, those that are dropped first in front."""


def filters(query: Query) -> list[tuple[str, ...]]:
    """Return the fields of each filter of `query`, in the order of being dropped."""
    set_ = (tuple(f for f in names if getattr(query, f)) for names in _FILTERS)
    return [*filter(None, set_)]


def relaxed(
    query: Query, given: Container[str] = ()
) -> Iterator[tuple[Query, tuple[str, ...]]]:
    """Yield `query` without each of its filters, then without more of them.

    With the fields that were dropped. Those in `given` are kept. The words of a phrase
    are words of the query already.
    """
    read = [names for names in filters(query) if names[0] not in given]
    alone = [[names] for names in read]
    for some in (*alone, *(read[:count] for count in range(2, len(read) + 1))):
        dropped = tuple(field for names in some for field in names)
        values = {field: getattr(query, field) for field in dropped}
        unset: dict[str, Any] = {
            field: () if isinstance(value, tuple) else None
            for field, value in values.items()
        }
        yield replace(query, **unset), dropped


def none_found_with(query: Query, dropped: Container[str]) -> str:
    """Return what is said above what was found without the filters in `dropped`."""
    said = [each for field, each in _spoken(query) if field in dropped]
    pronoun = "it" if len(said) == 1 else "them"
    return f"No session found with {' '.join(said)}; without {pronoun}:"


def _spoken(query: Query) -> Iterator[tuple[str, str]]:
    """Yield each filter as a query would have it, by its field."""
    yield from (("phrases", f'"{phrase}"') for phrase in query.phrases)
    sides = {"after": "since", "before": "before"}
    dates = {side: getattr(query, side) for side in sides if getattr(query, side)}
    said = [f"{sides[side]}:{date:%Y-%m-%d %H:%M}" for side, date in dates.items()]
    yield next(iter(dates), ""), " ".join(said)
    yield "tool", f"tool:{query.tool}"
    yield "branch", f"branch:{query.branch}"
    yield "author", f"author:{query.author}"
    yield from (("without", f"-{unwanted}") for unwanted in query.without)
