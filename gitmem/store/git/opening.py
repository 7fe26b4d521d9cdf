"""Opening a repository: through libgit2 where it can, else through the git command."""

from collections.abc import Mapping
from pathlib import Path

from gitmem.errors import Unavailable
from gitmem.store.git.libgit2 import repository as libgit2
from gitmem.store.git.repository import Repository


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """The repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    `variables` are the environment of the user. Raises NotARepository where there is
    none, NoPermission where git's ownership rule forbids it, and Unavailable where
    libgit2 cannot open it and git cannot, either.
    """
    try:
        return libgit2.open_repository(start, git_dir)
    except Unavailable:
        from gitmem.store.git.plumbing import repository as plumbing  # few need it

        return plumbing.open_repository(start, variables, git_dir)
