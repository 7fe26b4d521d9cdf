"""Which earlier brief the context of a conversation still has, by what hooks noted.

A hook notes what git says (`Found`) before the brief of a start; a `Compaction` comes
before the brief of what was compacted.
"""

from collections.abc import Iterable
from datetime import datetime

from gitmem.documents.event import Compaction, Connected, Event, Found, Start
from gitmem.frozen import frozen


@frozen
class Before:
    """The last brief that the context was given, and need not be told again."""

    at: datetime
    is_whole: bool = True
    """Whether all of the conversation is there; after a compaction it is not."""


def before_this(events: Iterable[Event]) -> Before | None:
    """The brief before the one that is due now; None where the context is new.

    `events` are those of the conversation, the one that the brief is due for included.
    """
    known = list(events)
    occasions = _occasions(known)
    if len(occasions) < 2:
        return None
    last, due = occasions[-2:]
    if isinstance(due, Compaction):
        return Before(last.at, is_whole=False)
    return Before(last.at) if _is_resumed(known) else None


def before_next(events: Iterable[Event]) -> Before | None:
    """The last brief so far, as a conversation has it that will be resumed."""
    occasions = _occasions(events)
    return Before(occasions[-1].at) if occasions else None


def _occasions(events: Iterable[Event]) -> list[Event]:
    found = (each for each in events if isinstance(each, Found | Compaction))
    return [each for each in found if not isinstance(each, Connected)]


def _is_resumed(events: Iterable[Event]) -> bool:
    starts = [each for each in events if isinstance(each, Start)]
    return bool(starts) and starts[-1].source == "resume"
