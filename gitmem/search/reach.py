"""How much of a session can be searched: all of it, unless it is out of all measure.

A document may have 20 MB, and whoever can push one can push hundreds. Those that people
and assistants write have some thousand characters.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from gitmem.documents.changes import IndexEntry
from gitmem.documents.session.session import Session

MOST: Final = 2_000_000
"""Characters of a document that are searched, what tells most first."""

_FIELDS = (
    *("goal", "decisions", "work_completed", "work_pending", "work_summary"),
    *("answers", "last_answer", "client_summary"),
    *("prompts", "commits", "plan_files", "references", "diff_summary", "files"),
    "extra_body",
)


def within_reach(told: IndexEntry) -> IndexEntry:
    """The same where it is not too long; else without what goes beyond `MOST`."""
    session = told.session
    if sum(_length(getattr(session, name)) for name in _FIELDS) <= MOST:
        return told
    return replace(told, session=replace(session, **dict(_cut(session))))


def _cut(session: Session) -> Iterator[tuple[str, Any]]:
    room = MOST
    for name in _FIELDS:
        value = getattr(session, name)
        kept = value[:room] if isinstance(value, str) else tuple(_first(value, room))
        room -= _length(kept)
        yield name, kept


def _first(items: tuple[Any, ...], room: int) -> Iterator[Any]:
    for item in items:
        room -= _length(item)
        if room < 0:
            return
        yield item


def _length(value: Any) -> int:
    """Characters of a text, of a list, or of what an item of a list is made of."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple):
        return sum(map(_length, value))
    return sum(len(getattr(value, name)) for name in value.__slots__)
