"""Queries with fewer filters, for when a query finds nothing with all of them.

What somebody typed was read as a filter, and a quoted phrase or a date that is a little
wrong would hide what the words find.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gitmem.search.queries.query import Query

_FILTERS = (
    *(("phrases",), ("after", "before"), ("tool",), ("branch",), ("author",)),
    ("without",),
)
"""Fields of Query that are dropped together, those that are dropped first in front."""


def filters(query: Query) -> list[tuple[str, ...]]:
    """The fields of each filter that `query` has, in the order of being dropped."""
    set_ = (tuple(f for f in names if getattr(query, f)) for names in _FILTERS)
    return [*filter(None, set_)]


def relaxed(
    query: Query, given: Container[str] = ()
) -> Iterator[tuple[Query, tuple[str, ...]]]:
    """`query` without each one of its filters, then without more and more of them.

    With the fields that were dropped. Those in `given` are kept. The words of a phrase
    are words of the query already.
    """
    read = [names for names in filters(query) if names[0] not in given]
    alone = [[names] for names in read]
    for some in (*alone, *(read[:count] for count in range(2, len(read) + 1))):
        dropped = tuple(field for names in some for field in names)
        yield replace(query, **_without(query, dropped)), dropped


def none_found_with(query: Query, dropped: Container[str]) -> str:
    """What is said above what was found without the filters in `dropped`."""
    said = [each for field, each in _spoken(query) if field in dropped]
    pronoun = "it" if len(said) == 1 else "them"
    return f"No session found with {' '.join(said)}; without {pronoun}:"


def _without(query: Query, fields: Iterable[str]) -> dict[str, Any]:
    """The values that these fields have where nothing was read."""
    values = ((field, getattr(query, field)) for field in fields)
    return {field: () if isinstance(value, tuple) else None for field, value in values}


def _spoken(query: Query) -> Iterator[tuple[str, str]]:
    """Each filter as a query would have it, by its field."""
    yield from (("phrases", f'"{phrase}"') for phrase in query.phrases)
    sides = {"after": "since", "before": "before"}
    dates = {side: getattr(query, side) for side in sides if getattr(query, side)}
    said = [f"{sides[side]}:{date:%Y-%m-%d %H:%M}" for side, date in dates.items()]
    yield next(iter(dates), ""), " ".join(said)
    yield "tool", f"tool:{query.tool}"
    yield "branch", f"branch:{query.branch}"
    yield "author", f"author:{query.author}"
    yield from (("without", f"-{unwanted}") for unwanted in query.without)
