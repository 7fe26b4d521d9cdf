"""Where git and gitmem keep files in a common dir; see gitrepository-layout(5)."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import is_file, is_folder

OUR_REFS = "refs/ocm/"
"""Below it are all refs of ours, but for that of the notes."""
FOLDER = ".openCodeMemory"
"""Ours, in the user's home and in a work tree with readable copies."""


def own_dir(common_dir: Path) -> Path:
    """Return the folder of gitmem's own files, which are in no commit."""
    return common_dir / "ocm"


def private_dir(common_dir: Path) -> Path:
    """Return the bare repository for what stays on this machine: nothing pushes it."""
    return common_dir / "ocm-private.git"


def git_dir_of(dot_git: Path) -> Path:
    """Return the git dir that the `.git` of a work tree is, or names in a file."""
    if dot_git.is_dir():
        return dot_git.resolve()
    target = os.fsdecode(dot_git.read_bytes()).removeprefix("gitdir:").strip()
    return (dot_git.parent / target).resolve()


def common_dir_of(git_dir: Path) -> Path:
    """Return the common dir, which a linked work tree names in `commondir`."""
    try:
        target = os.fsdecode((git_dir / "commondir").read_bytes()).strip()
        return (git_dir / target).resolve()
    except (FileNotFoundError, NotADirectoryError):
        return git_dir.resolve()


_SYSTEM_CONFIG = (
    *("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"),
)
"""Paths where builds of git keep the settings for all users."""
_NO = ("", "0", "false", "no", "off")


def config_files(common_dir: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that may hold settings, without included ones; see git-config(1).

    `variables` are the environment of the user.
    """
    yield common_dir / "config"
    yield common_dir / "config.worktree"
    if has_system_config(variables):
        system = variables.get("GIT_CONFIG_SYSTEM")
        yield from map(Path, [system] if system else _SYSTEM_CONFIG)
    if "GIT_CONFIG_GLOBAL" in variables:
        yield Path(variables["GIT_CONFIG_GLOBAL"])
        return
    home = Path(variables.get("HOME") or "/")
    yield Path(variables.get("XDG_CONFIG_HOME") or home / ".config") / "git" / "config"
    yield home / ".gitconfig"


def has_system_config(variables: Mapping[str, str]) -> bool:
    """Return whether git reads settings for all users."""
    return variables.get("GIT_CONFIG_NOSYSTEM", "").lower() in _NO


def is_config_usual(variables: Mapping[str, str]) -> bool:
    """Return whether no variable names or holds settings, as libgit2 knows none."""
    usual = (None, f"{variables.get('HOME')}/.gitconfig")
    is_moved = {"GIT_CONFIG_COUNT", "GIT_CONFIG_SYSTEM"} & variables.keys()
    return not is_moved and variables.get("GIT_CONFIG_GLOBAL") in usual


def work_trees_of(common_dir: Path) -> Iterator[Path]:
    """Yield the paths of work trees that git knows, or knew.

    It does not know where the main one is if its `.git` is elsewhere.
    """
    if common_dir.name == ".git":
        yield common_dir.parent
    for file in sorted(common_dir.glob("worktrees/*/gitdir")):
        with suppress(OSError):
            target = os.fsdecode(file.read_bytes().strip())
            yield (file.parent / target).parent.resolve()


_DEAD = 12 * 3600.0
"""Seconds; it never takes so long, and a `gc.pid` that is older is of one that died."""


def gc_began(common_dir: Path) -> float | None:
    """Return when the running `git gc` began, in seconds since 1970, if one runs.

    What says so is left behind where it died; git as well takes no notice in the end.
    """
    with suppress(OSError):
        began = (common_dir / "gc.pid").stat().st_mtime
        if time.time() - began < _DEAD:
            return began
    return None


_FOLDERS = (
    "ocm",
    "ocm/journal",
    "ocm/journal/past",
    "ocm/sessions",
    "ocm/tips",
)
"""The outer ones first."""
_FILES = ("lock", "index.lock", "log", "run", "packs")
MOVE_AWAY = (
    "Move it away. If it is a link to the folder that was here, move that folder back."
)


def own_folders(common_dir: Path) -> list[Path]:
    """Return the folders of gitmem that exist and are reached through no link."""
    folders = [common_dir]
    for name in _FOLDERS:
        path = common_dir / name
        if path.parent in folders and is_folder(path):
            folders.append(path)
    return folders[1:]


def path_conflicts(common_dir: Path) -> Iterator[Path]:
    """Yield what is neither a file nor a folder of gitmem's, but has its place.

    Whoever opens such a link or pipe is refused.
    """
    folders = {common_dir / name for name in _FOLDERS}
    inside = (path for folder in own_folders(common_dir) for path in folder.iterdir())
    for path in sorted(filter(os.path.lexists, {own_dir(common_dir), *inside})):
        is_file_ours = path not in folders and is_file(path)
        if not is_file_ours and (path.name in _FILES or not is_folder(path)):
            yield path
