"""The files that transcripts are in: which, how large, and in which order."""

import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from gitmem.errors import NotFound
from gitmem.frozen import frozen

SIZE_LIMIT = 2_000_000_000
"""Bytes of a file that is read; nobody spoke that much."""
UNASKED_LIMIT = 500_000_000
"""Bytes of one that is read without anybody having asked for it."""


@frozen
class TranscriptFile:
    path: Path
    size: int
    """In bytes."""
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
