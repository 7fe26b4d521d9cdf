"""What has to stand in our places in a common dir, and what stands there instead.

Nobody but us makes anything by these names. Still a hand that slipped, a backup or a
hostile program may leave something else there. A link is neither the folder nor the
file that it leads to: what we write would go elsewhere. The search index is no such
place, as it is made anew whatever is there.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path

from gitmem.git.files import is_folder

_OBJECT_NAMES = ("?" * 40, "?" * 64)
_PLACES: Mapping[str, tuple[str, ...]] = {
    "ocm": (
        *("lock", "*.lock", "log", "run", "*.json", "told-*", "push-failed", "pulled"),
        *("packs", "packed", "packing-failed", "share-declined"),
        *("forgotten", "forgotten-here"),
    ),
    "ocm/journal": ("*.jsonl", "*.mark"),
    "ocm/journal/past": ("*.json", "*.left"),
    "ocm/kept": (*_OBJECT_NAMES, "pack-*.pack", "pack-*.idx"),
    "ocm/sessions": ("*.md",),
}
"""Our folders, the outer ones first, and the names of the files in them."""
_ASIDE = ".aside"
IF_MEANT = (
    "If the link leads to the folder that was here, move that into its place;"
    " else move the link away."
)
"""What to do about a link that somebody may have left in place of a folder."""
_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFLNK: "a symbolic link",
}


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Something else than there should be."""

    path: Path
    name: str
    """Relative to the common dir."""
    kind: str
    """What it is, such as `a pipe`."""
    wanted: str
    """What should be there: `a folder` or `a file`."""

    @property
    def may_be_meant(self) -> bool:
        """Whether a folder of ours may have been moved, and a link left behind."""
        is_link_to_folder = self.path.is_symlink() and self.path.is_dir()
        return is_link_to_folder and self.wanted == _KINDS[stat.S_IFDIR]

    def set_aside(self) -> Path:
        """Give it another name beside this one, which it returns. Raises OSError."""
        names = (f"{self.path.name}{_ASIDE}{number or ''}" for number in count())
        paths = map(self.path.with_name, names)
        return self.path.rename(next(p for p in paths if not os.path.lexists(p)))


def own_folders(common_dir: Path) -> list[Path]:
    """Those of our folders that are there, and that are reached through no link."""
    found = [common_dir]
    for name in _PLACES:
        path = common_dir / name
        if path.parent in found and is_folder(path):
            found.append(path)
    return found[1:]


def misplaced(common_dir: Path) -> Iterator[Misplaced]:
    """What stands in our places and is not ours; nothing in folders that are not.

    Each is looked at as it is asked for, so that nothing sound is moved aside.
    """
    sound = own_folders(common_dir)
    for name, patterns in _PLACES.items():
        path = common_dir / name
        if path in sound:
            yield from _misplaced_in(path, name, patterns)
        elif path.parent in (common_dir, *sound):
            yield from _misplaced(path, name, stat.S_IFDIR)


def _misplaced_in(
    folder: Path, name: str, patterns: tuple[str, ...]
) -> Iterator[Misplaced]:
    with os.scandir(folder) as entries:
        others = [e.name for e in entries if not e.is_file(follow_symlinks=False)]
    for other in sorted(others):
        if _ASIDE not in other and any(fnmatchcase(other, each) for each in patterns):
            yield from _misplaced(folder / other, f"{name}/{other}", stat.S_IFREG)


def _misplaced(path: Path, name: str, wanted: int) -> Iterator[Misplaced]:
    """Nothing where another process has made meanwhile what is wanted."""
    try:
        found = stat.S_IFMT(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return
    if found != wanted:
        kind = _KINDS.get(found, "a device or a socket")
        yield Misplaced(path, name, kind, _KINDS[wanted])
