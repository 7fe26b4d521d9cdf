"""Where git keeps things, as gitrepository-layout(5) says."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

OUR_REFS = "refs/ocm/"
"""Below it are all refs of ours, but for that of the notes."""
FOLDER = ".openCodeMemory"
"""Ours, in the user's home and in a work tree with readable copies."""


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


_SYSTEM_CONFIG = (
    *("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"),
)
"""Where builds of git have the settings for all users."""


def config_files(common_dir: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    """Where settings may stand, but for files that others include; see git-config(1).

    `variables` are the environment of the user.
    """
    yield common_dir / "config"
    yield common_dir / "config.worktree"
    named = variables.get("GIT_CONFIG_SYSTEM")
    yield from map(Path, [named] if named else _SYSTEM_CONFIG)
    if "GIT_CONFIG_GLOBAL" in variables:
        yield Path(variables["GIT_CONFIG_GLOBAL"])
        return
    home = Path(variables.get("HOME") or "/")
    yield Path(variables.get("XDG_CONFIG_HOME") or home / ".config") / "git" / "config"
    yield home / ".gitconfig"


def work_trees_of(common_dir: Path) -> Iterator[Path]:
    """Where git says that the work trees of a repository are, or were.

    It does not know where the main one is if its `.git` is elsewhere.
    """
    if common_dir.name == ".git":
        yield common_dir.parent
    for file in sorted(common_dir.glob("worktrees/*/gitdir")):
        with suppress(OSError):
            yield (file.parent / os.fsdecode(file.read_bytes().strip())).parent


_DEAD = 12 * 3600.0
"""Seconds; it never takes so long, and a `gc.pid` that is older is of one that died."""


def gc_began(common_dir: Path) -> float | None:
    """When the `git gc` began that is at work, in seconds since 1970, if one is.

    What says so is left behind where it died; git as well takes no notice in the end.
    """
    with suppress(OSError):
        began = (common_dir / "gc.pid").stat().st_mtime
        if time.time() - began < _DEAD:
            return began
    return None
