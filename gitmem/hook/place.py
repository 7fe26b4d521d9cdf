"""Where a conversation is: its work tree, found without opening the repository."""

import os
from pathlib import Path

from gitmem.frozen import frozen
from gitmem.git.files import is_file
from gitmem.git.layout import FOLDER, common_dir_of

LONGEST_PATH = 4096
"""Characters of a path; no system takes more."""


@frozen
class Place:
    root: Path
    """The work tree, without symbolic links."""
    common_dir: Path

    def path_of(self, named: str, folder: str) -> str | None:
        """The file that a client working in `folder` names so, relative to its root.

        That is where its links lead, because so git knows it; in a linked work tree
        that lies inside of this one, relative to that. None outside of the project, and
        for what is git's or ours.
        """
        if len(named) > LONGEST_PATH:
            return None
        file = Path(os.path.realpath(self.root / folder / named))
        if not file.is_relative_to(self.root):
            return None
        parts = file.relative_to(self._root_of(file)).parts
        is_work = parts and parts[0] != FOLDER and ".git" not in parts
        return "/".join(parts) if is_work else None

    def _root_of(self, file: Path) -> Path:
        """The innermost work tree of this repository that holds the file."""
        inside = (each for each in file.parents if each.is_relative_to(self.root))
        found = (each for each in inside if is_file(each / ".git"))
        return next((each for each in found if self._is_linked(each)), self.root)

    def _is_linked(self, folder: Path) -> bool:
        return _common_dir(folder / ".git") == self.common_dir


def find_place(start: Path) -> Place | None:
    """The work tree around `start`, as gitrepository-layout(5) has it.

    None outside of one, and in one of another user, as by git's rule of ownership.
    """
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            common_dir = _common_dir(folder / ".git")
            return Place(folder.resolve(), common_dir) if _is_ours(common_dir) else None
    return None


def _common_dir(dot_git: Path) -> Path:
    """What `.git` is, or leads to where it is a file."""
    if dot_git.is_dir():
        return dot_git.resolve()
    named = os.fsdecode(dot_git.read_bytes()).removeprefix("gitdir:").strip()
    return common_dir_of(dot_git.parent / named)


def _is_ours(common_dir: Path) -> bool:
    is_one = (common_dir / "HEAD").is_file() and (common_dir / "objects").is_dir()
    return is_one and common_dir.stat().st_uid == os.getuid()
