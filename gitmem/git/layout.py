"""Where git keeps things, as gitrepository-layout(5) says, without opening them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OUR_REFS = "refs/ocm/"
"""Below it are all refs of ours, but for that of the notes."""


def own_dir(common_dir: Path) -> Path:
    """Where gitmem keeps what is its own, beside git's files and in no commit."""
    return common_dir / "ocm"


def common_dir_of(git_dir: Path) -> Path:
    """What linked work trees share: the one of a linked one is named in `commondir`."""
    try:
        return (
            git_dir / os.fsdecode((git_dir / "commondir").read_bytes()).strip()
        ).resolve()
    except (FileNotFoundError, NotADirectoryError):
        return git_dir.resolve()


def work_trees_of(common_dir: Path) -> Iterator[Path]:
    """Where git says that the work trees of a repository are, or were.

    It does not know where the main one is if its `.git` is elsewhere.
    """
    if common_dir.name == ".git":
        yield common_dir.parent
    for file in sorted(common_dir.glob("worktrees/*/gitdir")):
        with suppress(OSError):
            yield (file.parent / os.fsdecode(file.read_bytes().strip())).parent
