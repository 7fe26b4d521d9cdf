"""Files beside the journal of a conversation, which go when the journal goes."""

import json
import sys
from pathlib import Path
from typing import Self

from gitmem.frozen import frozen
from gitmem.git.files import read_own, replace_file
from gitmem.text.shape import value_of

MARK = ".mark"
"""How far the journal is replayed."""
EDITS = ".edits"
"""How many more edits it may have before somebody counts the unsaved ones.

The launcher lowers the number as well, without starting a process. Where two hooks
lower it at once, one edit is missed until somebody counts.
"""
DIFF = ".diff"
"""What the session left uncommitted, where the user wants that kept."""
BESIDE = (MARK, EDITS, DIFF)

_MOST = 999
"""What fits into the three columns that the launcher writes over."""
_MEANWHILE = 20
"""Edits until somebody is asked again who has not answered."""


def start_countdown(file: Path, edits: int) -> None:
    """Count this many edits down, or as many as fit. Raises OSError."""
    replace_file(file, f"{min(edits, _MOST):<3}\n".encode())


def count_down(file: Path) -> bool:
    """Count an edit; return whether it was the last, or there is no number.

    Raises OSError.
    """
    try:
        left = int(read_own(file)) - 1
    except (OSError, ValueError):
        left = 0
    start_countdown(file, left if left > 0 else _MEANWHILE)
    return left <= 0


@frozen
class Position:
    """How far a journal is replayed, and into which document."""

    offset: int = 0
    document_id: str | None = None

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a mark; one that is missing or unreadable is at 0."""
        try:
            data = json.loads(read_own(file))
            found = {"offset": data["offset"], "document_id": data["session_id"]}
            mark = value_of(cls, found)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return cls()
        return mark if 0 <= mark.offset <= sys.maxsize else cls()

    def write(self, file: Path) -> None:
        """Write a mark, without syncing it. Raises OSError."""
        written = {"offset": self.offset, "session_id": self.document_id}
        replace_file(file, json.dumps(written).encode())
