"""Opening a repository: through libgit2 where it can, else through the git command."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError, NoPermission, Unavailable
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.config import is_on
from gitmem.git.failures import opening_failed
from gitmem.git.layout import common_dir_of, git_dir_of, is_config_usual
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.repository import Repository

_FOR_GIT_ALONE = ("core.sparseCheckout", "core.splitIndex")
"""To libgit2 what is not checked out was deleted, and such an index is damaged; what a
partial clone left out is not there."""
_UNKNOWN_INCLUDE = re.compile(rb"includeif\.(?!gitdir:|gitdir/i:|onbranch:)")
"""A file that libgit2 passes over, by a condition that it does not know."""
_OF_ONE_USER = ("", "umask", "false", "no", "off", "0")
"""Values of `core.sharedRepository`. libgit2 knows none, and where it began a folder of
objects nobody else of a group could add one: git would fail for them."""

_QUESTION = (
    "rev-parse",
    *("--show-object-format", "--is-bare-repository", "--is-inside-work-tree"),
    "--absolute-git-dir",  # last of all: a path may have lines
)


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """Return the repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    `variables` are the environment of the user. Raises NotARepository where there is
    none, NoPermission where git's ownership rule forbids it, and Unavailable where
    libgit2 cannot open it and git cannot, either.
    """
    if git_dir:  # its work tree may be known to a `.git` file in there alone
        with suppress(GitmemError, OSError):
            around = _open(start, variables, None)
            if around.git_dir.samefile(git_dir):
                return around
    return _open(start, variables, git_dir)


def _open(
    start: Path, variables: Mapping[str, str], git_dir: Path | None
) -> Repository:
    if not is_config_usual(variables):
        return open_through_git(start, variables, git_dir)
    from gitmem.git.libgit2 import repository as libgit2  # takes its time

    try:
        repository = libgit2.open_repository(start, git_dir, variables)
    except (NoPermission, Unavailable):  # git trusts more owners, and knows more forms
        return open_through_git(start, variables, git_dir)
    if _is_for_git_alone(repository):
        with suppress(Unavailable):
            return open_through_git(start, variables, git_dir)
    return repository


def _is_for_git_alone(repository: Repository) -> bool:
    shared = (repository.config("core.sharedRepository") or "").strip().lower()
    is_misread = repository.is_partial or repository.has_setting(_UNKNOWN_INCLUDE)
    is_misread = is_misread or any(is_on(repository, key) for key in _FOR_GIT_ALONE)
    return is_misread or shared not in _OF_ONE_USER


def open_through_git(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """Open without libgit2: a few questions take less time than to load it.

    Raises Unavailable also where git cannot open it.
    """
    options = [f"--git-dir={git_dir}"] if git_dir else []
    try:
        answer = _answer(git_dir or start, [*options, *_QUESTION], variables)
        named_by, is_bare, is_inside, path = answer.split("\n", 3)
        if is_inside == "true" and not git_dir:
            top = _answer(start, ["rev-parse", "--show-toplevel"], variables)
            work_tree: Path | None = Path(top)
        else:
            work_tree = _work_tree_of(Path(path), is_bare == "true", variables)
    except (RefusedError, OSError, ValueError) as error:
        raise opening_failed(git_dir or start, str(error)) from error
    common_dir, object_format = common_dir_of(Path(path)), ObjectFormat(named_by)
    return Repository(Path(path), common_dir, work_tree, object_format, variables)


def open_known(
    common_dir: Path, work_tree: Path | None, variables: Mapping[str, str]
) -> Repository:
    """Open a repository of which somebody knows where it is, without asking git.

    One without a work tree is bare.
    """
    git_dir = git_dir_of(work_tree / ".git") if work_tree else common_dir
    repository = Repository(
        git_dir, common_dir, work_tree, ObjectFormat.SHA1, variables
    )
    if object_format := repository.config("extensions.objectFormat"):
        repository.object_format = ObjectFormat(object_format)
    return repository


def _work_tree_of(
    git_dir: Path, is_bare: bool, variables: Mapping[str, str]
) -> Path | None:
    """Find the work tree of a repository that was named, or is around us."""
    with suppress(FileNotFoundError):
        target = os.fsdecode((git_dir / "gitdir").read_bytes().strip())
        return (git_dir / target).parent.resolve()  # git 2.48 may keep a relative path
    if is_bare:
        return None
    with suppress(RefusedError):  # nobody has set it
        command = [f"--git-dir={git_dir}", "config", "--get", "core.worktree"]
        return (git_dir / _answer(git_dir, command, variables)).resolve()
    return git_dir.parent if git_dir.name == ".git" else None


def _answer(folder: Path, command: list[str], variables: Mapping[str, str]) -> str:
    return os.fsdecode(answer_in(folder, command, variables)).removesuffix("\n")


def make_bare(folder: Path, variables: Mapping[str, str]) -> None:
    """Make an empty bare repository that only its user can read.

    Raises Unavailable and NoPermission.
    """
    try:
        folder.mkdir(mode=0o700, parents=True)
        _answer(folder, ["init", "--quiet", "--bare", "--template="], variables)
    except PermissionError as error:
        raise NoPermission(f"{folder} cannot be made: {error.strerror}.") from error
    except (RefusedError, OSError) as error:
        raise Unavailable(f"{folder} cannot be made: {error}.") from error


OLDEST_GIT = "2.31"
"""The oldest git that can reach remotes for us: it takes settings from variables, which
nobody else sees. All else works with 2.30 as well."""
OLDEST_FOR_PARTIAL_CLONES = "2.36"
"""The first git that can fetch again what a plain fetch left out."""


def library_versions() -> str:
    from importlib.metadata import version

    from pygit2 import LIBGIT2_VERSION

    return f"pygit2 {version('pygit2')} (libgit2 {LIBGIT2_VERSION})"


def git_version(variables: Mapping[str, str]) -> str | None:
    """Return the version of the git command; None where it does not run."""
    with suppress(RefusedError, Unavailable):
        output = _answer(Path("/"), ["--version"], variables)
        match = re.search(r"\d[\w.-]*", output)
        return match[0] if match else None
    return None


def is_too_old(version: str) -> bool:
    """Return whether a git of this version is older than OLDEST_GIT."""
    return _numbers(version) < _numbers(OLDEST_GIT)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:2]]
