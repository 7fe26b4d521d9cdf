"""The files that transcripts are in: which, how large, and in which order."""

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Any

from gitmem.assistants.transcripts import Unread
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

SIZE_LIMIT = 2_000_000_000
"""Bytes of a file that is read; nobody spoke that much."""
UNASKED_LIMIT = 500_000_000
"""Bytes of one that is read without anybody having asked for it."""


@frozen
class TranscriptFile:
    path: Path
    size: int
    changed_at: datetime
    """Aware; by then all of its conversations had gone as far as they go."""


def files_in(places: Iterable[Path], pattern: str) -> list[TranscriptFile]:
    """The transcripts at and below these places, each once, oldest first.

    Places that do not exist have none. Regular files alone: to open a FIFO or a device
    may wait forever, and a link below a folder may lead anywhere.
    """
    found = {
        path.resolve(): file
        for place in places
        for path in _below(place, pattern)
        if (file := _regular(path))
    }
    return sorted(found.values(), key=lambda file: (file.changed_at, file.path))


def kept_file(named: str, places: Iterable[Path], pattern: str) -> Path | None:
    """The file with this name where it is one that `files_in` finds in the places.

    None for one that is too large to be read unasked.
    """
    try:
        path = Path(named).resolve(strict=True)
        is_kept = any(path.is_relative_to(place.resolve()) for place in places)
    except (OSError, ValueError, RuntimeError):  # gone, no path, a loop of links
        return None
    file = _regular(path) if is_kept and path.match(pattern) else None
    return path if file and file.size <= UNASKED_LIMIT else None


def require_there(paths: Iterable[Path]) -> None:
    """Raises NotFound for the first path that a person named, and that is not there."""
    for path in paths:
        if not path.exists():
            raise NotFound(f"{path} is not there.", hint="Nothing was imported.")


def _below(place: Path, pattern: str) -> Iterator[Path]:
    with suppress(OSError):
        if place.is_dir():
            yield from place.rglob(pattern)
        else:
            yield place.resolve()


def _regular(path: Path) -> TranscriptFile | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return TranscriptFile(path, found.st_size, _moment(found.st_mtime))


def _moment(seconds: float) -> datetime:
    """Since 1970; a time that no calendar has says nothing, so it keeps out no file."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.max.replace(tzinfo=UTC)


LONGEST_TEXT = 1024 * 1024
"""Characters of a line that are read at once; what is longer counts as several."""


def text_lines(file: Path) -> Iterator[str]:
    """The lines of a file with their ends, each one a line feed.

    What is no UTF-8 becomes a replacement character. Raises OSError where the file
    cannot be opened.
    """
    with file.open(encoding="utf-8-sig", errors="replace") as opened:
        yield from iter(partial(opened.readline, LONGEST_TEXT), "")


LONGEST = 32 * 1024 * 1024


@frozen
class Line:
    at: int
    """Its number from 1, or the offset of what is read from one."""
    values: dict[str, Any]


def json_lines(file: Path) -> Iterator[Line | Unread]:
    """The objects in a file, and the lines that hold none.

    Empty lines are passed over, and so is an end without a line end that is no JSON:
    it is being written. Takes as much memory as the longest line that is read. Raises
    OSError where the file cannot be opened.
    """
    with file.open("rb") as opened:
        number = 0
        while line := opened.readline(LONGEST):
            number += 1
            if len(line) == LONGEST and not line.endswith(b"\n"):
                _to_line_end(opened)
                yield Unread("too long", number)
            elif line.strip() and (read := _read(line, number)):
                yield read


def lines_beyond(file: Path, offset: int, limit: int) -> tuple[list[Line], int]:
    """The objects in whole lines of `limit` bytes beyond `offset`, and where they end.

    A line without its end is left for the next time, but for one that is longer than
    all of that: it is passed over. A file that is shorter than `offset` is another one,
    and read from its beginning. Raises OSError where it cannot be opened.
    """
    with file.open("rb") as opened:
        size = opened.seek(0, os.SEEK_END)
        start = offset if offset <= size else 0
        opened.seek(start)
        data = opened.read(limit)
    whole = data.rfind(b"\n") + 1 or (limit if len(data) == limit else 0)
    found, at = [], start
    for line in data[:whole].splitlines(keepends=True):
        if isinstance(read := _read(line, at), Line):
            found.append(read)
        at += len(line)
    return found, start + whole


def _to_line_end(opened: BufferedReader) -> None:
    while (rest := opened.readline(LONGEST)) and not rest.endswith(b"\n"):
        pass


def _read(line: bytes, at: int) -> Line | Unread | None:
    """None for an end that is being written."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Unread("no JSON", at) if line.endswith(b"\n") else None
    return Line(at, value) if isinstance(value, dict) else Unread("no object", at)


_MOMENT = pattern(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[-+]\d\d:?\d\d)?",
    re.ASCII,
)


def moment(value: object) -> datetime | None:
    """The first time in a text, in whole seconds; naive where it names no offset.

    None where there is none, or one that cannot be: no calendar has it, or it comes
    too near to the first and last years for another time zone.
    """
    found = _MOMENT.search(value) if isinstance(value, str) else None
    try:
        return read_time(found.group()) if found else None
    except ValueError:
        return None


def aware_moment(value: object) -> datetime | None:
    """The same, and None also where it names no offset."""
    at = moment(value)
    return at if at and at.tzinfo else None
