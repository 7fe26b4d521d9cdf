"""How far journals are in commits: a small file beside each."""

import json
import sys
from pathlib import Path

from gitmem.frozen import frozen
from gitmem.git.files import read_own, replace_file
from gitmem.text.shape import fits


@frozen
class Position:
    """How far a journal is replayed, and into which document."""

    offset: int = 0
    document_id: str | None = None


class Marks:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> Position:
        """As it stands there; one that is missing or unreadable says nothing."""
        return _read(self._path(name)) or Position()

    def put(self, name: str, mark: Position) -> None:
        """Not synced. Raises OSError."""
        written = {"offset": mark.offset, "session_id": mark.document_id}
        replace_file(self._path(name), json.dumps(written).encode())

    def remove(self, name: str) -> None:
        """Raises OSError."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.mark"


def _read(path: Path) -> Position | None:
    try:
        data = json.loads(read_own(path))
        mark = Position(data["offset"], data["session_id"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return mark if fits(mark, Position) and 0 <= mark.offset <= sys.maxsize else None
