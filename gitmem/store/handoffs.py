"""The session that was last handed to an assistant in a work tree.

The next conversation that this assistant begins there finds it, once.
"""

import json
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path

from gitmem.documents.names import clean_client_id, digest
from gitmem.frozen import frozen
from gitmem.git.files import make_folder, read_own, replace_file
from gitmem.text.calendar import read_time

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
        make_folder(self._folder)
        content = json.dumps(asdict(handoff), default=datetime.isoformat)
        replace_file(self._path(tool, root), content.encode())

    def get(self, tool: str, root: Path, now: datetime) -> Handoff | None:
        """Return the handoff; None where there is none, or it is too old."""
        try:
            data = json.loads(read_own(self._path(tool, root)))
            found = Handoff(clean_client_id(data["parent"]), read_time(data["at"]))
            is_fresh = found.at <= now < found.at + VALID
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # a file like any other: it may hold anything
        return found if is_fresh and found.parent else None

    def take(self, tool: str, root: Path) -> bool:
        """Return whether it was still there; it is not from now on."""
        with suppress(OSError):
            self._path(tool, root).unlink()
            return True
        return False

    def _path(self, tool: str, root: Path) -> Path:
        return self._folder / f"handoff-{tool}-{digest(str(root))[:16]}.json"
