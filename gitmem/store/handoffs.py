"""The session that was just handed to an assistant in a work tree.

Its next conversations there need not be told what the text of the handoff tells.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from gitmem.documents.names import clean_client_id, digest
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value

_FRESH = timedelta(minutes=10)
"""So long after it a conversation that begins may be the one that gets the text."""


@frozen
class Handoff:
    session_id: str
    parent: str
    """The client's own name for the conversation of that session."""
    at: datetime

    def is_fresh(self, now: datetime) -> bool:
        return self.at <= now < self.at + _FRESH


class Handoffs:
    def __init__(self, own_dir: Path) -> None:
        self._folder = own_dir

    def put(self, tool: str, root: Path, handoff: Handoff) -> None:
        """Replace the handoff of this assistant. Raises OSError."""
        write_value(self._path(tool, root), handoff)

    def last(self, tool: str, root: Path) -> Handoff | None:
        """Return what was handed to this assistant last."""
        handoff = read_value(self._path(tool, root), Handoff)
        parent = clean_client_id(handoff.parent) if handoff else ""
        return replace(handoff, parent=parent) if handoff and parent else None

    def _path(self, tool: str, root: Path) -> Path:
        return self._folder / f"handoff-{tool}-{digest(str(root))[:16]}.json"
