"""Finding a repository as git itself does."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.command import RefusedError, output_in
from gitmem.git.failures import opening_failed
from gitmem.git.layout import common_dir_of
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.plumbing.process import Process

_QUESTION = (
    "rev-parse",
    *("--show-object-format", "--is-bare-repository", "--is-inside-work-tree"),
    "--absolute-git-dir",  # last of all: a path may have lines
)


def opened(start: Path, variables: Mapping[str, str], git_dir: Path | None) -> Process:
    """See `gitmem.git.opening`."""
    where = [f"--git-dir={git_dir}"] if git_dir else []
    try:
        told = _told(git_dir or start, [*where, *_QUESTION], variables)
        named_by, is_bare, is_inside, found = told.split("\n", 3)
        if is_inside == "true" and not git_dir:
            top = _told(start, ["rev-parse", "--show-toplevel"], variables)
            work_tree: Path | None = Path(top)
        else:
            work_tree = _work_tree_of(Path(found), is_bare == "true", variables)
    except (RefusedError, OSError, ValueError) as error:
        raise opening_failed(git_dir or start, str(error)) from error
    common_dir, named = common_dir_of(Path(found)), ObjectFormat(named_by)
    return Process(Path(found), common_dir, work_tree, named, variables)


def _work_tree_of(
    git_dir: Path, is_bare: bool, variables: Mapping[str, str]
) -> Path | None:
    """For whoever names the repository or is inside of it, where git says nothing."""
    with suppress(FileNotFoundError):
        return Path(os.fsdecode((git_dir / "gitdir").read_bytes().strip())).parent
    if is_bare:
        return None
    with suppress(RefusedError):  # nobody has set it
        command = [f"--git-dir={git_dir}", "config", "--get", "core.worktree"]
        return (git_dir / _told(git_dir, command, variables)).resolve()
    return git_dir.parent if git_dir.name == ".git" else None


def _told(folder: Path, command: list[str], variables: Mapping[str, str]) -> str:
    with output_in(folder, command, variables) as output:
        return os.fsdecode(output.read()).removesuffix("\n")
