"""Which of the documents that arrived are odd."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest

from gitmem.documents.session.inconsistencies import oddities
from gitmem.store.trees.session_tree import SessionTree

_MOST_LISTED = 20
MOST_LOOKED_AT = 1000
"""Documents, the newest: whoever joins a memory is not kept waiting for all of it."""


@dataclass(frozen=True, slots=True)
class Odd:
    """A document that was taken over, and should be looked at."""

    session_id: str
    what: tuple[str, ...]
    """Such as `is not UTF-8`, `claims another id`."""


@dataclass(frozen=True, slots=True)
class OddDocuments:
    listed: tuple[Odd, ...]
    """The first ones."""
    more: int
    """How many there are beside these."""


def odd_documents(
    memory: SessionTree, ids: Iterable[str], now: datetime
) -> OddDocuments:
    """Among the newest of `ids` that are there.

    Raises Damaged where git cannot read one.
    """
    listed: list[Odd] = []
    more = 0
    for session_id in sorted(nlargest(MOST_LOOKED_AT, ids)):
        file = memory.entry(session_id)
        content = memory.raw(file) if file else b""
        what = oddities(session_id, content, now) if file else []
        if what and len(listed) < _MOST_LISTED:
            listed.append(Odd(session_id, tuple(what)))
        elif what:
            more += 1
    return OddDocuments(tuple(listed), more)
