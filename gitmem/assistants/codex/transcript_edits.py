"""Files that Codex changed: out of its patches, and out of what it says of them.

A patch is a text between `*** Begin Patch` and `*** End Patch`, given to a tool of that
name or to a command in a shell. When it was applied, the tool prints a sentence, and
newer versions write a record with the changes of each file.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.assistants.payload import inner, text
from gitmem.git.values import Change
from gitmem.text.patterns import pattern

Edit = tuple[str, Change]
"""A path as Codex names it, and what became of the file."""

_BEGIN = "*** Begin Patch"
_SUCCESS = "Success. Updated the following files:"
_FILE = pattern(
    r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE
)
_CHANGES = {
    "add": Change.CREATED,
    "update": Change.MODIFIED,
    "delete": Change.DELETED,
    "Add File": Change.CREATED,
    "Update File": Change.MODIFIED,
    "Delete File": Change.DELETED,
}


def patched(command: str, output: str) -> Iterator[Edit]:
    """The edits of a patch in a command, where the output says that it was applied."""
    if _BEGIN not in command or _SUCCESS not in output:
        return
    last = ""
    for found in _FILE.finditer(command):
        word, path = found[1], found[2].strip()
        if word == "Move to":
            yield from _moved(last, path)
        else:
            yield path, _CHANGES[word]
            last = path


def recorded(changes: Mapping[str, Any]) -> Iterator[Edit]:
    """The edits in a record of them, by path.

    Each says `{"type": "add", ...}`, in older versions `{"add": {...}}`. Raises
    KeyError, TypeError for what is neither.
    """
    for path in changes:
        change = inner(changes, path)
        kind = text(change, "type", next(iter(change), ""))
        change = change if "type" in change else inner(change, kind)
        yield path, _CHANGES[kind]
        if moved := text(change, "move_path", ""):
            yield from _moved(path, moved)


def _moved(path: str, new: str) -> Iterator[Edit]:
    yield path, Change.DELETED
    yield new, Change.CREATED
