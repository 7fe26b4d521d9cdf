"""The events of a conversation: as lines of its journal, and what they tell.

They are in order, the oldest first, unless a name says otherwise.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from gitmem.documents.event import (
    FORKED,
    Client,
    Committed,
    Compaction,
    Connected,
    Edit,
    End,
    Event,
    Fork,
    Interrupted,
    Nudge,
    Prompt,
    Recalled,
    Start,
    Todos,
    TranscriptRead,
    WorkTreeState,
)
from gitmem.documents.names import is_tool
from gitmem.git.values import SHA, Change
from gitmem.text.shape import value_of

_KINDS: dict[str, type[Event]] = {
    "start": Start,
    "work_tree_state": WorkTreeState,
    "connected": Connected,
    "client": Client,
    "fork": Fork,
    "prompt": Prompt,
    "edit": Edit,
    "todos": Todos,
    "committed": Committed,
    "transcript_read": TranscriptRead,
    "compaction": Compaction,
    "nudge": Nudge,
    "recalled": Recalled,
    "end": End,
    "interrupted": Interrupted,
}
_WORDS = {kind: word for word, kind in _KINDS.items()}
_NO_SIGN_OF_LIFE = (Client, Committed, Fork, TranscriptRead, Recalled)
"""Events that others note of a conversation, also after its end."""


def to_json(event: Event) -> str:
    """The event as one line of JSON in ASCII, without a line end."""
    data = {"event": _WORDS[type(event)], **asdict(event)}
    return json.dumps(data, default=datetime.isoformat)


def from_json(line: str) -> Event | None:
    """The event in a line of a journal; None for a line that holds none."""
    try:
        data = _in_present_words(json.loads(line))
        event = value_of(_KINDS[data.pop("event")], data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return event if _is_sound(event) else None


def events_in(lines: Iterable[str]) -> list[Event]:
    """The events of a journal, in their order."""
    return list(filter(None, map(from_json, lines)))


def first_event(lines: Iterable[str]) -> Event | None:
    """With what a hook saw the conversation of a journal begin."""
    return next(filter(None, map(from_json, lines)), None)


def last_sign(events: Iterable[Event | None]) -> Event | None:
    """The first that the conversation itself gave; `events` begin with the newest."""
    return next((e for e in events if e and not isinstance(e, _NO_SIGN_OF_LIFE)), None)


def newest_sign(lines: Sequence[str]) -> Event | None:
    """The last event of a journal that the conversation itself gave."""
    return last_sign(map(from_json, reversed(lines)))


def open_conversation(lines: Sequence[str]) -> Event | None:
    """The last event of a conversation that hooks saw begin, and not end."""
    newest = newest_sign(lines)
    return None if isinstance(newest, End | Connected) else newest


def is_unhooked(newest_first: Iterable[Event]) -> bool:
    """Whether of a conversation nothing is seen but its MCP connection."""
    beginnings = (
        event for event in newest_first if isinstance(event, Start | Connected)
    )
    return isinstance(next(beginnings, None), Connected)


def count_edits(events: Iterable[Event]) -> int:
    """The number of edits; another one of the same file counts as well."""
    return sum(
        event.edits if isinstance(event, TranscriptRead) else isinstance(event, Edit)
        for event in events
    )


def forked_at(events: Iterable[Event]) -> datetime | None:
    """When the conversation began as a fork; None where it is none.

    What its transcript has from before is a copy of its parent's.
    """
    beginning = next((event for event in events if isinstance(event, Start)), None)
    return beginning.at if beginning and beginning.source == FORKED else None


def edited_paths(events: Iterable[Event]) -> set[str]:
    paths = set()
    for event in events:
        if isinstance(event, Edit):
            paths.add(event.path)
        elif isinstance(event, TranscriptRead):
            paths.update(file.path for file in event.files)
    return paths


def touched_work_trees(events: Iterable[Event]) -> list[str]:
    """Return the work trees of the repository with work, the last touched one last."""
    reads = (event for event in events if isinstance(event, TranscriptRead))
    trees = [tree for read in reads for tree in read.work_trees]
    return [*dict.fromkeys(reversed(trees))][::-1]


def other_repositories(events: Iterable[Event]) -> list[str]:
    """Return a work tree of each other repository that the conversation touched."""
    reads = (event for event in events if isinstance(event, TranscriptRead))
    return [*dict.fromkeys(tree for read in reads for tree in read.elsewhere)]


def is_shell_seen(events: Iterable[Event]) -> bool:
    """Whether a transcript was read, which tells what a shell ran."""
    return any(
        isinstance(event, TranscriptRead) and event.transcript for event in events
    )


def commits_in(events: Iterable[Event]) -> set[str]:
    return {event.sha for event in events if isinstance(event, Committed)}


def last_work_tree_state(events: Iterable[Event]) -> WorkTreeState | None:
    """What git said when the conversation began or went on."""
    return next(
        (e for e in reversed(list(events)) if isinstance(e, WorkTreeState)), None
    )


def _in_present_words(data: dict[str, Any]) -> dict[str, Any]:
    """The data of an event that an earlier version wrote, as this one would."""
    match data["event"]:
        case "found":
            return {**data, "event": "work_tree_state"}
        case "heard":
            paths, removed = data.pop("files", []), data.pop("gone", [])
            files = [{"path": path, "change": Change.MODIFIED} for path in paths]
            fields = {"files": files, "edits": len(files), "removed": removed}
            return {**data, **fields, "event": "transcript_read"}
    return data


def _is_sound(event: Event) -> bool:
    """Whether a session can be made of it; a journal is a file like any other."""
    if isinstance(event, Committed) and not SHA.fullmatch(event.sha):
        return False
    return is_tool(event.tool)
