"""What is told of a file as it is read or edited: lines by path, found fast by hooks.

A folder has a file of notes for each name that files have, and is not there without
notes. The launcher of hooks looks into the one that a path leads to, and starts Python
where that has the path. A state, beside the folder, names what the notes were made of:
where the refs are others, they are made anew.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import make_folder, read_own, read_text, replace_file
from gitmem.redaction.redact import redact

_NAME_LENGTH = 100
_OTHER = re.compile(rb"[^a-z0-9._-]+")


class FileNotes:
    """The notes in the folder of ours in a repository."""

    def __init__(self, own_dir: Path) -> None:
        self._folder = own_dir / "recall"
        self._state = own_dir / "recall-state"

    def write(self, state: str, notes: Mapping[str, Sequence[str]]) -> None:
        """Replace all notes, made of what was there at `state`. Raises OSError.

        A path with a secret in it gets none.
        """
        files: dict[str, dict[str, list[str]]] = {}
        for path, lines in _without_secrets(notes).items():
            files.setdefault(_file_of(path), {})[f"/{path}"] = [*lines]
        make_folder(self._state.parent)
        self._state.unlink(missing_ok=True)
        if files:
            make_folder(self._folder)
            self._write(files)
        elif self._folder.is_dir():
            shutil.rmtree(self._folder)
        replace_file(self._state, f"{state}\n".encode())

    def clear(self) -> None:
        """Remove all notes; the next event of a file makes them anew."""
        self._state.unlink(missing_ok=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def of(self, path: str) -> list[str]:
        """Return the lines for a path, relative to the work tree."""
        with suppress(OSError, ValueError, RecursionError):  # no JSON of ours is damage
            notes = json.loads(read_own(self._folder / _file_of(path)))
            lines = notes.get(f"/{path}") if isinstance(notes, dict) else None
            return [line for line in lines or () if isinstance(line, str)]
        return []

    @property
    def state(self) -> str:
        """What they were made of; "" where there are none."""
        return read_text(self._state).removesuffix("\n")

    def _write(self, files: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        """Mostly few of thousands changed."""
        for file in self._folder.glob("*.json"):
            if file.name not in files:
                file.unlink(missing_ok=True)
        for name, notes in files.items():
            text = json.dumps(notes, ensure_ascii=False).encode("utf-8", "replace")
            file = self._folder / name
            if not file.is_file() or read_own(file) != text:
                replace_file(file, text)


def _without_secrets(
    notes: Mapping[str, Sequence[str]],
) -> Mapping[str, Sequence[str]]:
    paths = "\n".join(notes)
    if redact(paths) == paths:  # hardly any path has one, and each by itself takes long
        return notes
    return {path: lines for path, lines in notes.items() if redact(path) == path}


def _file_of(path: str) -> str:
    """Name the file for the last part of a path as the launcher does."""
    name = path.rpartition("/")[2].encode("utf-8", "replace").lower()
    return f"{_OTHER.sub(b'_', name)[:_NAME_LENGTH].decode()}.json"
