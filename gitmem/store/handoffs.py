"""The session that was last handed to an assistant in a work tree.

The next conversation that this assistant begins there finds it, once.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from gitmem.documents.names import clean_client_id, digest
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value

VALID = timedelta(hours=4)
"""So long after it the next conversation is taken for the one that goes on."""


@frozen
class Handoff:
    parent: str
    """The client's own name for the conversation that was handed over."""
    at: datetime


class Handoffs:
    def __init__(self, own_dir: Path) -> None:
        self._folder = own_dir

    def put(self, tool: str, root: Path, handoff: Handoff) -> None:
        """Replace the handoff of this assistant. Raises OSError."""
        write_value(self._path(tool, root), handoff)

    def get(self, tool: str, root: Path, now: datetime) -> Handoff | None:
        """Return the handoff; None where there is none, or it is too old."""
        found = read_value(self._path(tool, root), Handoff)
        if found is None or not found.at <= now < found.at + VALID:
            return None
        parent = clean_client_id(found.parent)  # a file may hold anything
        return replace(found, parent=parent) if parent else None

    def take(self, tool: str, root: Path) -> bool:
        """Return whether it was still there; it is not from now on."""
        with suppress(OSError):
            self._path(tool, root).unlink()
            return True
        return False

    def _path(self, tool: str, root: Path) -> Path:
        return self._folder / f"handoff-{tool}-{digest(str(root))[:16]}.json"
