"""Whether a conversation was held here, and which of its files are this repository's.

A transcript has the names of folders and files of its time. By now they may be links,
moved or gone.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PureWindowsPath

from gitmem.git.layout import FOLDER

_LONGEST = 4096
_REMEMBERED = 10_000
_WORK_TREES = ("worktrees", ".worktrees")
"""Folders with linked work trees inside of a work tree."""


def is_foreign(path: str) -> bool:
    """Tell whether a path has the form of Windows, or begins in somebody's home."""
    return PureWindowsPath(path).is_absolute() or path.startswith("~/")


def _has_repository(folder: Path) -> bool:
    dot_git = folder / ".git"
    return dot_git.is_dir() or dot_git.is_file()  # and no pipe


class RepositoryFolders:
    """The work trees of a repository, former folders of it, and removed work trees."""

    def __init__(
        self,
        roots: Iterable[Path],
        former: Iterable[Path],
        is_ignored: Callable[[str], bool],
        removed: Iterable[Path] = (),
    ) -> None:
        self.roots = [root.resolve() for root in roots]
        names = (name for path in former for name in (path.absolute(), path.resolve()))
        self.former = [Path(os.path.normpath(name)) for name in names]
        self._removed = [*removed]
        self._is_ignored = is_ignored
        self._root_of = lru_cache(_REMEMBERED)(self._find_root)
        self.place_of = lru_cache(_REMEMBERED)(self._find_place)
        self.elsewhere = lru_cache(_REMEMBERED)(self._find_elsewhere)
        self.holds = lru_cache(_REMEMBERED)(self._is_held)

    def joined(self, removed: Iterable[Path]) -> "RepositoryFolders":
        """Return the same with these removed work trees."""
        trees = [*removed, *self._removed]
        return (
            RepositoryFolders(self.roots, self.former, self._is_ignored, trees)
            if trees
            else self
        )

    def without_former(self) -> "RepositoryFolders":
        return RepositoryFolders(self.roots, (), self._is_ignored, self._removed)

    def _is_held(self, folder: str) -> bool:
        """Tell whether a folder lies in a work tree; one that is unknown does not."""
        with suppress(OSError, ValueError):
            is_known = Path(folder).is_absolute() and len(folder) <= _LONGEST
            return is_known and self._root_of(self._present_path(folder)) is not None
        return False

    def path_of(self, folder: str, name: str) -> str | None:
        """Return a file's path in its work tree; None as `place_of`."""
        place = self.place_of(folder, name)
        return place[1] if place else None

    def _find_place(self, folder: str, name: str) -> tuple[Path, str] | None:
        """Return the root of a file's work tree, and its path in there.

        None for one elsewhere, ignored, or of git or gitmem.
        """
        with suppress(OSError, ValueError):
            file = self._file_named(folder, name)
            root = self._root_of(file.parent) if file else None
            parts = file.relative_to(root).parts if file and root else ()
            is_work = parts and parts[0] != FOLDER and ".git" not in parts
            path = "/".join(parts)
            if root and is_work and not self._is_ignored(path):
                return root, path
        return None

    def _find_elsewhere(self, folder: str, name: str) -> Path | None:
        """Return the root of another repository's work tree that a file is in."""
        with suppress(OSError, ValueError):
            file = self._file_named(folder, name)
            if file and ".git" not in file.parts and not self._root_of(file.parent):
                return next(filter(_has_repository, file.parents), None)
        return None

    def _file_named(self, folder: str, name: str) -> Path | None:
        """Return where a file is today, through links and moved folders."""
        if len(name) > _LONGEST or not name or is_foreign(name):
            return None
        absolute = Path(folder or self.roots[0], name)
        return self._present_path(str(absolute)) if absolute.is_absolute() else None

    def _present_path(self, name: str) -> Path:
        """Return where a file of then is today, through links and moved folders."""
        path = Path(os.path.normpath(name))
        for former in (*self._removed, *self.former):
            if path.is_relative_to(former):
                path = self.roots[0] / path.relative_to(former)
                break
        return Path(os.path.realpath(path))

    def _find_root(self, folder: Path) -> Path | None:
        """Return the innermost work tree of a folder, if it is of this repository.

        A deleted linked work tree is known by the folder it was in.
        """
        deleted: Path | None = None
        for ancestor in (folder, *folder.parents):
            if ancestor in self.roots:
                return deleted or ancestor
            if (ancestor / ".git").exists():
                return None
            if ancestor.parent.name in _WORK_TREES and not ancestor.exists():
                deleted = deleted or ancestor
        return None
