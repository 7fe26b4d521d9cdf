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
DIFF = ".diff"
"""Patches that the session left uncommitted, where the user wants them kept."""
LEFT = ".lines"
"""Digests of the lines that the session left uncommitted."""
BESIDE = (MARK, DIFF, LEFT)


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
            values = {"offset": data["offset"], "document_id": data["session_id"]}
            mark = value_of(cls, values)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return cls()
        return mark if 0 <= mark.offset <= sys.maxsize else cls()

    def write(self, file: Path) -> None:
        """Write a mark, without syncing it. Raises OSError."""
        values = {"offset": self.offset, "session_id": self.document_id}
        replace_file(file, json.dumps(values).encode())
