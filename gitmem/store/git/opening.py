"""Opening a repository: through libgit2 where it can, else through the git command."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError, Unavailable
from gitmem.store.git.config import is_on
from gitmem.store.git.libgit2 import repository as libgit2
from gitmem.store.git.repository import Repository

_FOR_GIT_ALONE = ("core.sparseCheckout", "core.splitIndex")
"""To libgit2 what is not checked out was deleted, and such an index is damaged."""


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """The repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    `variables` are the environment of the user. Raises NotARepository where there is
    none, NoPermission where git's ownership rule forbids it, and Unavailable where
    libgit2 cannot open it and git cannot, either.
    """
    if git_dir:  # its work tree may be known to a `.git` file in there alone
        with suppress(GitmemError, OSError):
            around = _opened(start, variables, None)
            if around.git_dir.samefile(git_dir):
                return around
    return _opened(start, variables, git_dir)


def _opened(
    start: Path, variables: Mapping[str, str], git_dir: Path | None
) -> Repository:
    try:
        found = libgit2.open_repository(start, git_dir)
    except Unavailable:
        return _through_git(start, variables, git_dir)
    if any(is_on(found, setting) for setting in _FOR_GIT_ALONE):
        with suppress(Unavailable):
            return _through_git(start, variables, git_dir)
    return found


def _through_git(
    start: Path, variables: Mapping[str, str], git_dir: Path | None
) -> Repository:
    from gitmem.store.git.plumbing import repository as plumbing  # few need it

    return plumbing.open_repository(start, variables, git_dir)
