"""Events: what a hook saw, as a journal keeps it beside the checkpoints.

A hook only says that a conversation began or ended. That is enough to know which
session a checkpoint belongs to when the client does not say.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from gitmem.model.shape import fits

EventName = Literal["start", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    event: EventName
    at: datetime
    tool: str
    client_session_id: str
    root: str
    """The work tree the conversation is about."""


def to_json(event: Event) -> str:
    """The event as one line of JSON in ASCII, without a line end."""
    return json.dumps(asdict(event), default=datetime.isoformat)


def from_json(line: str) -> Event | None:
    """The event in a line of a journal; None for a line that holds none."""
    try:
        data = json.loads(line)
        event = Event(**{**data, "at": datetime.fromisoformat(data["at"])})
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return event if fits(event, Event) and 1970 <= event.at.year < 9999 else None


def began_at(lines: Iterable[str]) -> datetime | None:
    """When the conversation of a journal began, if a hook saw that."""
    events = filter(None, map(from_json, lines))
    return next((event.at for event in events if event.event == "start"), None)


def open_conversation(lines: Iterable[str]) -> Event | None:
    """The event that began the conversation of a journal, unless it has ended."""
    events = list(filter(None, map(from_json, lines)))
    return events[-1] if events and events[-1].event == "start" else None
