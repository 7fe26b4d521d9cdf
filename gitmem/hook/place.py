"""The work tree of a conversation and its settings, without opening the repository."""

import os
from pathlib import Path

from gitmem.config import CONVERSATIONS_SETTING
from gitmem.frozen import frozen
from gitmem.git.layout import FOLDER, common_dir_of, git_dir_of

LONGEST_PATH = 4096
"""Characters."""


@frozen
class Checkout:
    root: Path
    """Resolved."""
    common_dir: Path

    def path_of(self, name: str, folder: str) -> str | None:
        """Return a file's path in its work tree, links followed.

        None in no work tree of this repository, and for files of git or gitmem.
        """
        if len(name) > LONGEST_PATH:
            return None
        try:
            file = Path(os.path.realpath(self.root / folder / name))
            place = find_place(file.parent)
        except (OSError, ValueError):  # no file system has such a name
            return None
        if place is None or place.common_dir != self.common_dir:
            return None
        parts = file.relative_to(place.root).parts
        is_work = parts[0] != FOLDER and ".git" not in parts
        return "/".join(parts) if is_work else None


def find_place(start: Path) -> Checkout | None:
    """Return the work tree around `start`, as gitrepository-layout(5) has it.

    None outside of one, and for another user's repository, as in git.
    """
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if dot_git.is_dir() or dot_git.is_file():  # and no pipe
            common_dir = common_dir_of(git_dir_of(dot_git))
            return (
                Checkout(folder.resolve(), common_dir) if _is_ours(common_dir) else None
            )
    return None


def _is_ours(common_dir: Path) -> bool:
    is_one = (common_dir / "HEAD").is_file() and (common_dir / "objects").is_dir()
    return is_one and common_dir.stat().st_uid == os.getuid()


def is_set(common_dir: Path, name: str) -> bool:
    return setting(common_dir, name, "--type=bool") == "true"


def reads_transcripts(common_dir: Path) -> bool:
    return setting(common_dir, CONVERSATIONS_SETTING, "--type=bool") != "false"


def setting(common_dir: Path, name: str, *options: str) -> str:
    """Return a setting; "" where it is not set, or not of its type."""
    from gitmem.git.command import RefusedError, answer_in, options_to

    command = [*options_to(common_dir, None), "config", *options, "--get", name]
    try:
        value = answer_in(common_dir, command, os.environ)
        return value.decode("utf-8", "replace").strip()
    except RefusedError:
        return ""
