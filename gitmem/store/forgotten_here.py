"""Which sessions were forgotten in this clone, and not in another one.

A tombstone does not say where it was made. Whoever brings back all that others forgot
must not bring back what was forgotten here.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import make_folder, read_own, replace_file
from gitmem.git.layout import own_dir


def forgotten_here(common_dir: Path) -> set[str]:
    """Paths of their tombstones."""
    with suppress(OSError):
        return set(read_own(_file(common_dir)).decode("ascii", "replace").split())
    return set()


def note_forgotten(common_dir: Path, tombstones: Iterable[str]) -> None:
    """Raises OSError."""
    _write(common_dir, forgotten_here(common_dir).union(tombstones))


def note_restored(common_dir: Path, tombstones: Iterable[str]) -> None:
    """Raises OSError."""
    known = forgotten_here(common_dir)
    if left := known.difference(tombstones):
        _write(common_dir, left)
    elif known:
        _file(common_dir).unlink(missing_ok=True)


def _write(common_dir: Path, tombstones: set[str]) -> None:
    make_folder(own_dir(common_dir))
    text = "".join(f"{each}\n" for each in sorted(tombstones))
    replace_file(_file(common_dir), text.encode(), is_synced=True)


def _file(common_dir: Path) -> Path:
    return own_dir(common_dir) / "forgotten-here"
