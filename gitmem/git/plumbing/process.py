"""The git command at one repository: a process a question, and one for all objects."""

from collections.abc import Mapping
from pathlib import Path

from gitmem.git.command import RefusedError, environment_of, options_to, output_of_git
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.plumbing.cat_file import CatFile, Stored
from gitmem.git.values import Change, FileChange, Oid, is_oid

_AS_IT_IS = (
    "--no-replace-objects",  # objects are what their names say
    *("-c", "core.hooksPath=/dev/null"),  # hooks are for what the user does
    *("-c", "core.fsmonitor=false"),  # nor is a program asked what changed
)
_SYNCED = (
    *("-c", "core.fsync=all"),
    *("-c", "core.fsyncObjectFiles=true"),  # for git before 2.36
)
_DEPRECATED = "warning: core.fsyncObjectFiles is deprecated; use core.fsync instead"


class Process:
    """What runs git there, in an environment that leads it nowhere else."""

    def __init__(
        self,
        git_dir: Path,
        common_dir: Path,
        work_tree: Path | None,
        object_format: ObjectFormat,
        variables: Mapping[str, str],
    ) -> None:
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.work_tree = work_tree
        self.object_format = object_format
        self._variables = variables  # of the user
        self._contents = self._cat_file("--batch")
        self._sizes = self._cat_file("--batch-check")

    def output(self, *arguments: str, given: bytes = b"") -> bytes:
        """What a git command prints that reads `given`.

        Raises RefusedError where git fails, which has the status and what it printed,
        and Unavailable where it does not run or takes too long.
        """
        return self._run([*_AS_IT_IS, *arguments], given)

    def write(self, *arguments: str, given: bytes = b"") -> bytes:
        """The same for a command that writes: the disk has it when it returns."""
        try:
            return self._run([*_AS_IT_IS, *_SYNCED, *arguments], given)
        except RefusedError as refused:
            said = str(refused).removeprefix(_DEPRECATED).strip()
            raise RefusedError(said, refused.status, refused.output) from None

    def config(self) -> bytes:
        """All settings, as `git config -z --list` prints them, and none of ours."""
        return self._run(["config", "-z", "--list", "--includes", "--show-origin"], b"")

    def stored(self, oid: Oid, most: int | None = None) -> Stored | None:
        """An object; None when it is not there.

        Raises ValueError for more than `most` bytes, before they are read, and
        RefusedError for an object that cannot be read.
        """
        return self._contents.stored(oid, most) if is_oid(oid) else None

    def peeled(self, oid: Oid, kind: str) -> Stored | None:
        """The `commit` or `tree` an object leads to, as `git rev-parse OID^{KIND}`.

        None when it is not there, or leads to none.
        """
        return self._contents.stored(f"{oid}^{{{kind}}}", None) if is_oid(oid) else None

    def header(self, oid: Oid) -> Stored | None:
        """An object without its content; None when it is not there."""
        return self._sizes.header(oid) if is_oid(oid) else None

    def _cat_file(self, option: str) -> CatFile:
        where = options_to(self.git_dir, self.work_tree)
        command = ["git", *where, *_AS_IT_IS, "cat-file", option]
        return CatFile(command, self.git_dir, environment_of(self._variables))

    def _run(self, arguments: list[str], given: bytes) -> bytes:
        where = self.git_dir, self.work_tree
        with output_of_git(*where, arguments, self._variables, given) as output:
            return output.read()


RAW = ("--raw", "-r", "-z", "--no-renames", "--no-abbrev")
"""Each file by itself, as `:MODE MODE OID OID STATUS`, and its path after it."""

_CHANGES = {b"A": Change.CREATED, b"D": Change.DELETED}


def fields(output: bytes) -> list[bytes]:
    """What ends with a zero byte each."""
    return output.split(b"\0")[:-1]


def text(path: bytes) -> str:
    """As a session writes it."""
    return path.decode("utf-8", "replace")


def changes(output: bytes) -> dict[bytes, Change]:
    """How the files differ between two states, by their paths."""
    each = iter(fields(output))
    return {path: _change(told) for told, path in zip(each, each, strict=True)}


def of_commits(output: bytes) -> dict[Oid, list[FileChange]]:
    """What `git diff-tree --stdin` says of each commit, against its first parent."""
    found: dict[Oid, list[FileChange]] = {}
    files: list[FileChange] = []
    each = iter(fields(output))
    for told in each:
        if told.startswith(b":"):
            files.append(FileChange(text(next(each)), _change(told)))
        else:  # the commit's name: of a merge again before each parent's files
            files = []
            found.setdefault(told.decode(), files)
    return found


def _change(told: bytes) -> Change:
    return _CHANGES.get(told[-1:], Change.MODIFIED)
