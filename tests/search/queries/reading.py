"""Queries and how they are read, told in one line each: in tables, and by us."""

from collections.abc import Iterator
from datetime import datetime

from search.builders import NOW

from gitmem.assistants.known import NICKNAMES
from gitmem.search.queries.query import Query, parse


def read(text: str) -> Query:
    """`text` on Friday, 20 March 2026, 15:00, by somebody who knows all assistants."""
    return parse(text, now=NOW, tools=NICKNAMES)


def rows(table: str) -> Iterator[tuple[str, str, str]]:
    """Query, words and filters of each row: `| query | words | filters |`."""
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and set(cells[0]) != {"-"}:
            yield cells[0].removeprefix("`").removesuffix("`"), cells[1], cells[2]


def told(query: Query) -> tuple[str, str]:
    """The words and the filters of `query`, as the tables have them."""
    return " ".join(query.words), ", ".join(_filters(query))


def _filters(query: Query) -> Iterator[str]:
    if query.about_order:
        yield "about order"
    yield from (f"phrase {phrase}" for phrase in query.phrases)
    yield from (f"without {unwanted}" for unwanted in query.without)
    if query.after:
        yield f"after {_time(query.after)}"
    if query.before:
        yield f"before {_time(query.before)}"
    if query.tool:
        yield f"tool {query.tool}"
    if query.branch:
        yield f"branch {query.branch}"
    if query.author:
        yield f"author {query.author}"
    yield from (f"path {path}" for path in query.paths)
    yield from (f"commit {commit}" for commit in query.commits)


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")
