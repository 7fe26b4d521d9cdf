"""The registry: the repositories that this user has memory in.

A JSON array at `registry.json` in the user's gitmem folder. It is a convenience for
searching everywhere; a repository that is gone is passed over, not removed, because it
may lie on a disk that is not mounted today.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from gitmem.errors import NoPermission
from gitmem.model.shape import fits
from gitmem.store.files import replace_file
from gitmem.store.lock import locked

_FILE = "registry.json"


@dataclass(frozen=True, slots=True)
class Registration:
    project: str
    root: str
    """Absolute path of the work tree, or of the bare repository."""
    git_dir: str
    """Absolute path of the common dir: linked work trees share one registration."""
    registered_at: str


def registrations(home: Path) -> list[Registration]:
    """All that can be understood; nothing from a file that cannot be read."""
    return [one for item in _items(home) if (one := _registration(item))]


def register(home: Path, new: Registration) -> bool:
    """Add a repository; False when it is known already."""
    with locked(home / "registry.lock"):
        if any(one.git_dir == new.git_dir for one in registrations(home)):
            return False
        _put_aside_what_cannot_be_read(home)
        content = json.dumps([*_items(home), asdict(new)], indent=2)
        try:
            replace_file(home / _FILE, f"{content}\n".encode())
        except OSError as error:
            raise NoPermission(
                f"Cannot write {home / _FILE}: {error.strerror}."
            ) from error
        return True


def _put_aside_what_cannot_be_read(home: Path) -> None:
    """Somebody may want to mend a registry that was cut short."""
    path = home / _FILE
    if path.exists() and path.stat().st_size and not _items(home):
        path.replace(home / f"{_FILE}.unreadable")


def _items(home: Path) -> list[object]:
    """The entries as they stand there; a newer gitmem may have written some."""
    try:
        data = json.loads((home / _FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return data if isinstance(data, list) else []


def _registration(item: object) -> Registration | None:
    try:
        found = Registration(**item) if isinstance(item, dict) else None
    except TypeError:
        return None
    is_sound = found and fits(found, Registration) and "\0" not in found.git_dir
    return found if is_sound else None
