"""What is told before a file is edited: lines by path, where a hook finds them fast.

The launcher of hooks looks for a path in the file of paths, and starts Python where one
is there. Both files can be deleted at any time.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gitmem.git.files import make_folder, replace_file

_PATHS, _NOTES = "recall-paths", "recall.json"


class FileNotes:
    """The notes in the folder of ours in a repository."""

    def __init__(self, own_dir: Path) -> None:
        self._folder = own_dir

    def write(self, state: str, notes: Mapping[str, Sequence[str]]) -> None:
        """Replace all notes, made of what was there at `state`. Raises OSError."""
        make_folder(self._folder)
        ends = "".join(f'/{path}"\n' for path in notes)
        text = json.dumps({"state": state, "notes": notes})
        replace_file(self._folder / _NOTES, text.encode())
        replace_file(self._folder / _PATHS, ends.encode("utf-8", "replace"))

    def of(self, path: str) -> list[str]:
        """Return the lines for a path, relative to the work tree."""
        found = self._read().get("notes")
        lines = found.get(path) if isinstance(found, dict) else None
        return [each for each in lines or () if isinstance(each, str)]

    @property
    def state(self) -> str:
        """What they were made of; "" where there are none."""
        state = self._read().get("state")
        return state if isinstance(state, str) else ""

    def _read(self) -> dict[str, Any]:
        """Nobody but us writes there: what is no JSON of ours is damage."""
        with suppress(OSError, ValueError, RecursionError):
            read = json.loads((self._folder / _NOTES).read_bytes())
            return read if isinstance(read, dict) else {}
        return {}
