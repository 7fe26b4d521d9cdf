"""Find and read the files of transcripts within bounds."""

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from errno import EFBIG
from functools import partial
from io import BufferedReader
from itertools import product
from pathlib import Path
from typing import Any

from gitmem.assistants.transcripts import TranscriptReader, Unread
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

SIZE_LIMIT = 2_000_000_000
"""Bytes of a file that is named to be read."""
UNASKED_LIMIT = 500_000_000
"""Bytes of a file that is read without being asked for."""


PACKED = ".zst"
_ONE_OBJECT = ".json"


@frozen
class TranscriptFile:
    path: Path
    size: int
    changed_at: datetime
    """Time of the last change, aware."""


def files_in(places: Iterable[Path], pattern: str) -> list[TranscriptFile]:
    """Return the transcripts at and below these places, oldest first.

    Only regular files, by their real paths: a FIFO may block forever, and a link may
    lead anywhere, so what lies behind it is of where it lies.
    """
    files = (_regular(path) for place in places for path in _below(place, pattern))
    by_path = {file.path: file for file in files if file}
    return sorted(by_path.values(), key=lambda file: (file.changed_at, file.path))


def transcripts_in(
    places: Iterable[Path], reader: TranscriptReader
) -> list[TranscriptFile]:
    """Return `files_in`, without those of which another has the conversation."""
    files = files_in(places, reader.pattern)
    if reader.superseded is None:
        return files
    superseded = reader.superseded(file.path for file in files)
    return [file for file in files if file.path not in superseded]


def find_transcript(
    file_name: str, places: Iterable[Path], pattern: str
) -> Path | None:
    """Return the named file if `files_in` would find it and it is not too large.

    A name that is not absolute is that of a file below one of the places. It may have
    been packed or unpacked meanwhile.
    """
    names = file_name, file_name.removesuffix(PACKED), f"{file_name}{PACKED}"
    for place, name in product(places, names):
        with suppress(OSError, ValueError, RuntimeError):  # gone, no path, a loop
            # The name may be hostile, and must not lead to other files of the user.
            path = (place / name).resolve(strict=True)
            is_kept = path.is_relative_to(place.resolve()) and path.match(pattern)
            file = _regular(path) if is_kept else None
            if file and file.size <= UNASKED_LIMIT:
                return path
    return None


def require_there(paths: Iterable[Path]) -> None:
    """Raise NotFound for the first path that does not exist."""
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
        status = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return TranscriptFile(path.resolve(), status.st_size, _moment(status.st_mtime))


def _moment(seconds: float) -> datetime:
    """Return the time, the last possible one for a nonsensical number."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.max.replace(tzinfo=UTC)


def folder_above(file: Path, name: str) -> str:
    """Return the parent of the folder of that name around a file; "" for none."""
    folders = (folder for folder in file.absolute().parents if folder.name == name)
    return str(next((folder.parent for folder in folders), ""))


def open_transcript(file: Path) -> BufferedReader:
    """Open a file to read what it holds, also if it is packed. Raises OSError."""
    if file.suffix != PACKED:
        return file.open("rb")
    from gitmem.assistants.transcripts.unpacked import Unpacked

    return BufferedReader(Unpacked(file, UNASKED_LIMIT))


LONGEST_TEXT = 1024 * 1024
"""Characters read at once; a longer line counts as several."""


def text_lines(file: Path) -> Iterator[str]:
    """Yield lines with their ends. Raises OSError.

    Bytes that are not UTF-8 become replacement characters.
    """
    with file.open(encoding="utf-8-sig", errors="replace") as stream:
        yield from iter(partial(stream.readline, LONGEST_TEXT), "")


LONGEST = 32 * 1024 * 1024
MOST_LINES = 5_000_000
"""Lines of a file; a packed one of empty lines would take minutes."""


@frozen
class JsonLine:
    at: int
    """Line number from 1, or offset in bytes."""
    values: dict[str, Any]


def json_lines(file: Path) -> Iterator[JsonLine | Unread]:
    """Yield the objects in a file, and an Unread for other lines.

    A `.json` file is one object. An unfinished last line is skipped, and whatever
    follows damage. Raises OSError for a file that cannot be opened.
    """
    with open_transcript(file) as stream:
        if file.suffix == _ONE_OBJECT:
            read = _read(stream.read(LONGEST), 1)
            yield read if isinstance(read, JsonLine) else Unread("no JSON object", 1)
            return
        try:
            yield from _objects(stream)
        except OSError as error:
            yield Unread(error.strerror or "it cannot be read on")


def _objects(stream: BufferedReader) -> Iterator[JsonLine | Unread]:
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if number > MOST_LINES:
            raise OSError(EFBIG, f"it has more than {MOST_LINES:,} lines")
        if len(line) == LONGEST and not line.endswith(b"\n"):
            _to_line_end(stream)
            yield Unread("too long", number)
        elif line.strip() and (read := _read(line, number)):
            yield read


def lines_beyond(file: Path, offset: int, limit: int) -> tuple[list[JsonLine], int]:
    """Return the objects of whole lines beyond `offset`, and where they end.

    Reads `limit` bytes; a longer line is skipped. A file shorter than `offset` is new,
    and read from its beginning. Raises OSError.
    """
    with file.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        start = offset if offset <= size else 0
        stream.seek(start)
        data = stream.read(limit)
    # The client may be in the middle of its last line: that is read next time.
    whole = data.rfind(b"\n") + 1 or (limit if len(data) == limit else 0)
    objects, at = [], start
    for line in data[:whole].splitlines(keepends=True):
        if isinstance(read := _read(line, at), JsonLine):
            objects.append(read)
        at += len(line)
    return objects, start + whole


def _to_line_end(stream: BufferedReader) -> None:
    while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
        pass


def _read(line: bytes, at: int) -> JsonLine | Unread | None:
    """Parse a line; None for an unfinished one."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Unread("no JSON", at) if line.endswith(b"\n") else None
    return JsonLine(at, value) if isinstance(value, dict) else Unread("no object", at)


_MOMENT = pattern(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[-+]\d\d:?\d\d)?",
    re.ASCII,
)


def moment(value: object) -> datetime | None:
    """Return the first time in a text, in whole seconds; naive without an offset.

    None for no time, and for one too near to the first or last year.
    """
    match = _MOMENT.search(value) if isinstance(value, str) else None
    try:
        return read_time(match.group()) if match else None
    except ValueError:
        return None


def aware_moment(value: object) -> datetime | None:
    """Return the same, but None without an offset."""
    at = moment(value)
    return at if at and at.tzinfo else None
