"""The registry: the repositories that this user has memory in.

A JSON array at `registry.json` in the user's gitmem folder, for searching everywhere. A
missing repository is skipped, as its disk may not be mounted today.
"""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from gitmem.frozen import frozen
from gitmem.text.shape import value_of


@frozen
class Registration:
    project: str
    root: str
    """Absolute path of the work tree, or of the bare repository."""
    git_dir: str
    """Absolute path of the common dir: linked work trees share one registration."""
    registered_at: str


def registrations(home: Path) -> list[Registration]:
    """Return the registered repositories; none from an unreadable file."""
    try:
        return _registrations(registry_path(home).read_bytes())
    except OSError:
        return []


def registry_path(home: Path) -> Path:
    return home / "registry.json"


def registry_lock(home: Path) -> Path:
    """Return the lock of the registry's writers, also behind a link."""
    return home.resolve() / "registry.lock"


def with_registration(new: Registration, content: bytes | None) -> bytes | None:
    """Add a repository to the registry, unless it is known; return the content."""
    if any(one.git_dir == new.git_dir for one in _registrations(content)):
        return content
    return _content([*_items(content), asdict(new)])


def without_registration(git_dir: str, content: bytes | None) -> bytes | None:
    """Return the content without this repository; None where no other is left."""
    items = _items(content)
    others = [
        item
        for item in items
        if not isinstance(item, dict) or item.get("git_dir") != git_dir
    ]
    if others == items:
        return content
    return _content(others) if others else None


def is_unreadable(content: bytes | None) -> bool:
    """Return whether it was cut short or damaged: somebody may want to mend it."""
    return bool(content) and not _items(content)


def _content(items: list[object]) -> bytes:
    return f"{json.dumps(items, indent=2)}\n".encode()


def _registrations(content: bytes | None) -> list[Registration]:
    entries: list[Registration] = []
    for item in _items(content):
        with suppress(ValueError):
            entries.append(value_of(Registration, item))
    return [one for one in entries if "\0" not in one.git_dir]


def _items(content: bytes | None) -> list[object]:
    """Return the entries as they stand there; a newer gitmem may have written some."""
    try:
        data = json.loads(content or b"[]")
    except (ValueError, RecursionError):
        return []
    return data if isinstance(data, list) else []
