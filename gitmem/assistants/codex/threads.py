"""The files of a Codex thread, and their lines in order.

A thread that is rewound goes on in another file, whose first line says in which file it
left off, and where. Codex packs files that nobody used for a week.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

from gitmem.assistants.payload import inner, text
from gitmem.assistants.transcripts import Unread
from gitmem.assistants.transcripts.transcript_files import (
    PACKED,
    JsonLine,
    files_in,
    json_lines,
)
from gitmem.text.patterns import pattern

PLACES = ("sessions", "archived_sessions")
BEGINNING = "session_meta"
_ID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A name has that of the thread and, after a rewind, of the segment, greater later."""


def superseded(files: Iterable[Path]) -> set[Path]:
    """Return the files of which another holds the thread, unpacked or rewound."""
    order = sorted(files, key=lambda file: (_segment(file), file.suffix != PACKED))
    newest = {_thread(file): file for file in order}
    return {file for file in order if _thread(file) and newest[_thread(file)] != file}


def first_line(file: Path) -> JsonLine | Unread | None:
    return next(_lines(file), None)


def thread_lines(file: Path) -> Iterator[JsonLine | Unread]:
    """Yield the lines of a thread up to the end of a file, without those taken back.

    Raises OSError.
    """
    pieces, end = {file: inf}, inf
    base_file: Path | None = file
    while base_file and (base := _base(base_file)):
        end = min(end, base[1])
        base_file = _file_of(base[0], file)
        if base_file:
            is_of_fork = _thread(base_file) != _thread(file)
            # Files that name each other in a circle would be read for ever.
            if is_of_fork or base_file in pieces:
                break
            pieces[base_file] = end
    for piece, end in reversed(pieces.items()):
        yield from (line for line in _lines(piece) if _is_before(line, end))
    if base_file is None:
        yield Unread("the file that it goes on from is missing")


def _base(file: Path) -> tuple[str, int] | None:
    """Return what a rewound thread goes on from, and where it left off."""
    first = first_line(file) if _segment(file) else None
    with suppress(KeyError, TypeError):
        if isinstance(first, JsonLine):
            base = inner(inner(first.values, "payload"), "history_base")
            end = base["end_ordinal_exclusive"]
            return (text(base, "thread_id"), end) if isinstance(end, int) else None
    return None


def _file_of(name: str, later: Path) -> Path | None:
    """Return the file of a thread or segment that a later file names."""
    if not _ID.fullmatch(name):
        return None
    homes = (place.parent for place in later.parents if place.name in PLACES)
    home = next(homes, None)
    places = [home / place for place in PLACES] if home else [later.parent]
    files = files_in(places, f"rollout-*{name}.jsonl*")
    return min((file.path for file in files), default=None)


def _thread(file: Path) -> str:
    return next(iter(_ID.findall(file.name)), "")


def _segment(file: Path) -> str:
    return next(iter(_ID.findall(file.name)[1:]), "")


def _is_before(line: JsonLine | Unread, end: float) -> bool:
    ordinal = line.values.get("ordinal") if isinstance(line, JsonLine) else None
    return not isinstance(ordinal, int) or ordinal < end


def _lines(file: Path) -> Iterator[JsonLine | Unread]:
    """Yield the lines, those of old rollouts as they would stand in new ones."""
    for line in json_lines(file):
        if isinstance(line, Unread) or "payload" in line.values:
            yield line
        elif "record_type" not in line.values:
            for payload in _payloads(line.values):
                is_item = isinstance(payload, dict) and "type" in payload
                kind = "response_item" if is_item else BEGINNING
                yield JsonLine(line.at, {"type": kind, "payload": payload})


def _payloads(old: dict[str, Any]) -> list[Any]:
    match old:
        case {"session": session, "items": [*items]}:
            return [session, *items]
    return [old]
