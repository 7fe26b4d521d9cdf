"""Parse the text that a person or an assistant types into a query of the index.

No text is an error: recognised filters are taken out, and the rest is words.
docs/search.md lists them.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from gitmem.frozen import frozen
from gitmem.search.queries.context import FILLERS, HELD, STOP_WORDS
from gitmem.search.queries.dates import Period, take_dates
from gitmem.search.queries.filters import (
    take_author,
    take_branch,
    take_quoted,
    take_tool,
    tool_named,
    with_phrases,
)
from gitmem.search.queries.order import is_about_order
from gitmem.search.queries.paths import commits_in, paths_in
from gitmem.search.words import fold, tokens
from gitmem.text.patterns import pattern

SESSION = "session"
"""The default kind of documents."""
MOST_CHARACTERS = 4000
"""Characters of a query that are read: a query is a question, not a document."""
MOST_WORDS = 64
"""Distinct words of a query that count; further ones are ignored."""


@frozen
class Query:
    """A parsed query: filters and words."""

    text: str
    """The query as it was typed."""
    words: tuple[str, ...]
    """Distinct words, in order, without stop words; identifiers as they were typed."""
    after: datetime | None = None
    before: datetime | None = None
    """Sessions with work in [after, before), each side open when None: one has it from
    when it began until its last checkpoint."""
    tool: str | None = None
    """The name of the assistant that the session was held with."""
    paths: tuple[str, ...] = ()
    """Fragments of paths, in lower case; a session that touched one is found."""
    phrases: tuple[str, ...] = ()
    """Quoted phrases, as they were typed: a session must have their words in a row."""
    without: tuple[str, ...] = ()
    """Words after a `-`, as they were typed: a session that has one is not found."""
    branch: str | None = None
    """Part of the branch's name, in lower case, as `feat/login`."""
    author: str | None = None
    """A name or an address, or words of one, of whoever began the session."""
    commits: tuple[str, ...] = ()
    """Hexadecimal words of seven digits or more, in lower case, which may begin the id
    of a commit; they are among `words` as well."""
    also: tuple[tuple[str, ...], ...] = ()
    """The words of other wordings of the question, distinct ones; none is empty."""
    kind: str = SESSION
    """The kind of documents that is searched."""
    labels: tuple[tuple[str, ...], ...] = ()
    """Groups of labels: a document must have at least one label of each group."""
    about_order: bool = False
    """True if it asks for the newest work, and so has no words: "what's next"."""


def parse(text: str, *, now: datetime, tools: Mapping[str, str]) -> Query:
    """Read `text` as a query.

    `now` is aware: "yesterday" is a day of its zone. `tools` maps what people call an
    assistant to its name.
    """
    readable = _readable(text)
    phrases, without, rest = take_quoted(readable)
    author, rest = take_author(rest)
    branch, rest = take_branch(rest)
    tool, rest = take_tool(rest, tools)
    period, rest = take_dates(rest, now)
    about_order = is_about_order(rest)
    spoken = "" if about_order else with_phrases(rest, phrases)
    words = _significant(spoken, filtered=rest != readable)
    if period != Period() and not tool and (tool := tool_named(words, tools)):
        words = ()  # "what did codex do this week" asks for nothing else
    return Query(
        text=text,
        words=words,
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
    also = (_significant(_readable(wording), filtered=False) for wording in wordings)
    return replace(query, also=tuple(dict.fromkeys(filter(None, also))))


def understood(query: Query) -> dict[str, object]:
    """Return the parts of a parsed query that are there, for people and as JSON.

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
    """Return the first MOST_CHARACTERS of `text`, with its words one space apart."""
    encodable = text[:MOST_CHARACTERS].encode(errors="replace").decode()
    return " ".join(encodable.replace(HELD, " ").split())


def _significant(text: str, *, filtered: bool) -> tuple[str, ...]:
    """Return the words that distinguish sessions.

    A query of stop words alone still asks for something, unless its filters do: "what
    did we do last week" is "last week".
    """
    distinct: dict[str, str] = {}
    spoken = _LAST_TIME.sub(r"\1", _WRAPPING.sub(" ", text))
    for token in tokens(spoken):
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
"""Words around a query that say no more than that sessions are meant."""
_LAST_TIME = pattern(r"\A((?:who|when)\b.*?) last\b", re.IGNORECASE)
"""A question in which "last" is no word of a session: "who touched the parser last"."""


_FILTERS = (
    *(("phrases",), ("after", "before"), ("tool",), ("branch",), ("author",)),
    ("without",),
)
"""Fields of Query that are dropped together, in the order of being dropped."""


def filters(query: Query) -> list[tuple[str, ...]]:
    """Return the fields of each filter of `query`, in the order of being dropped."""
    set_ = (tuple(f for f in names if getattr(query, f)) for names in _FILTERS)
    return [*filter(None, set_)]


def relaxed(
    query: Query, required: Container[str] = ()
) -> Iterator[tuple[Query, tuple[str, ...]]]:
    """Yield `query` without each filter, then without more, with the dropped fields.

    Filters in `required` stay. The words of a phrase are words of the query anyway.
    """
    droppable = [names for names in filters(query) if names[0] not in required]
    alone = [[names] for names in droppable]
    together = [droppable[:count] for count in range(2, len(droppable) + 1)]
    for groups in (*alone, *together):
        dropped = tuple(field for names in groups for field in names)
        values = {field: getattr(query, field) for field in dropped}
        unset: dict[str, Any] = {
            field: () if isinstance(value, tuple) else None
            for field, value in values.items()
        }
        yield replace(query, **unset), dropped


def none_found_with(query: Query, dropped: Container[str]) -> str:
    """Return the line above the hits of a query without the filters in `dropped`."""
    parts = [part for field, part in _spoken(query) if field in dropped]
    them = "this filter" if len(parts) == 1 else "these filters"
    return f"No session found with {' '.join(parts)}; without {them}:"


def _spoken(query: Query) -> Iterator[tuple[str, str]]:
    """Yield each filter with its field, as one types it."""
    yield from (("phrases", f'"{phrase}"') for phrase in query.phrases)
    sides = {"after": "since", "before": "before"}
    dates = {side: getattr(query, side) for side in sides if getattr(query, side)}
    period = [f"{sides[side]}:{date:%Y-%m-%d %H:%M}" for side, date in dates.items()]
    yield next(iter(dates), ""), " ".join(period)
    yield "tool", f"tool:{query.tool}"
    yield "branch", f"branch:{query.branch}"
    yield "author", f"author:{query.author}"
    yield from (("without", f"-{unwanted}") for unwanted in query.without)
