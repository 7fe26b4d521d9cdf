"""Files with a JSON object on every line, read without trust.

An assistant appends to such a file as a conversation goes on. It may have died in the
middle of a line, it may be writing one now, and the file may be somebody else's.
"""

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime
from io import BufferedReader
from pathlib import Path
from typing import Any

from gitmem.assistants.transcripts.transcript import Unread
from gitmem.frozen import frozen
from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

LONGEST = 32 * 1024 * 1024
"""Bytes of a line that is read: a picture or two, which the file holds as text."""


@frozen
class Line:
    number: int
    """Counted from 1."""
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
            elif line.strip():
                yield from _read(line, number)


@frozen
class LineAt:
    offset: int
    """Where it begins, in bytes."""
    values: dict[str, Any]


def lines_beyond(file: Path, offset: int, limit: int) -> tuple[list[LineAt], int]:
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
        read = (each for each in _read(line, 0) if isinstance(each, Line))
        found += [LineAt(at, each.values) for each in read]
        at += len(line)
    return found, start + whole


def _to_line_end(opened: BufferedReader) -> None:
    while (rest := opened.readline(LONGEST)) and not rest.endswith(b"\n"):
        pass


def _read(line: bytes, number: int) -> Iterator[Line | Unread]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        if line.endswith(b"\n"):
            yield Unread("no JSON", number)
        return
    yield (
        Line(number, value) if isinstance(value, dict) else Unread("no object", number)
    )


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
