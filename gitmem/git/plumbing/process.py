"""The git command at one repository: a process a question, and one for all objects.

Its configuration is read again only when one of its files changed.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO

from gitmem.git.command import (
    Input,
    RefusedError,
    environment_of,
    options_to,
    output_in,
)
from gitmem.git.failures import explained
from gitmem.git.files import file_state
from gitmem.git.layout import config_files
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.plumbing.cat_file import CatFile, Stored
from gitmem.git.values import Oid, is_oid

_AS_IT_IS = (
    "--no-replace-objects",  # objects are what their names say
    *("-c", "core.hooksPath=/dev/null"),  # hooks are for what the user does
    *("-c", "core.fsmonitor=false"),  # nor is a program asked what changed
)
_SYNCED = (
    *("-c", "core.fsync=all"),
    *("-c", "core.fsyncObjectFiles=true"),  # for git before 2.36
)
PLAIN_DIFF = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
"""Options for a diff that no setting or attribute changes, nor runs a program for."""
COMMIT_DIFF = ("diff-tree", "-r", "--root", *PLAIN_DIFF)
LARGE_AS_BINARY = ("-c", "core.bigFileThreshold=500k")
_TRIES = 4
"""Git replaces packs beside us: the new one is there as soon as one looks again."""
_AT_ONCE = 500
"""So many paths are in one command: the system bounds how long those are."""
_LONGEST = 4096
"""Bytes of a path; no system takes more."""
_DEPRECATED = "warning: core.fsyncObjectFiles is deprecated; use core.fsync instead"


class GitProcess:
    """Runs git there, in an environment that leads it nowhere else."""

    errors: tuple[type[Exception], ...] = (
        *(RefusedError, OSError, KeyError, ValueError, TypeError),
    )

    def __init__(
        self,
        git_dir: Path,
        common_dir: Path,
        work_tree: Path | None,
        object_format: ObjectFormat,
        variables: Mapping[str, str],
    ) -> None:
        self.git_dir = git_dir
        """The `.git` of this work tree alone."""
        self.common_dir = common_dir
        """The `.git` that all linked work trees share."""
        self.work_tree = work_tree
        """None in a bare repository."""
        self.object_format = object_format
        self.variables = variables
        """The user's environment."""

    @cached_property
    def _contents(self) -> CatFile:
        return self._cat_file("--batch")

    @cached_property
    def _headers(self) -> CatFile:
        return self._cat_file("--batch-check")

    def output(
        self, *arguments: str, stdin: Input = b"", patience: float | None = None
    ) -> bytes:
        """Return what a git command prints that reads `stdin`.

        Raises RefusedError where git fails, which has the status and what it printed,
        and Unavailable where it does not run or takes too long: see output_in.
        """
        with self._run([*_AS_IT_IS, *arguments], stdin, patience) as output:
            return output.read()

    def lines(
        self, *arguments: str, stdin: bytes = b"", patience: float | None = None
    ) -> Iterator[bytes]:
        """Yield the lines of an output that may be long; raises the same."""
        with self._run([*_AS_IT_IS, *arguments], stdin, patience) as output:
            yield from output

    def output_for_user(self, *arguments: str) -> bytes:
        """Return what a git command prints, as the user would see it; raises so."""
        with self._run(arguments) as output:
            return output.read()

    def write(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run a git command that writes: the disk has it when this returns."""
        try:
            return self.output(*_SYNCED, *arguments, stdin=stdin)
        except RefusedError as refused:
            message = str(refused).removeprefix(_DEPRECATED).strip()
            raise RefusedError(message, refused.status, refused.output) from None

    def stored(self, oid: Oid, most: int | None = None) -> Stored | None:
        """Return an object; None when it is not there.

        Raises ValueError for more than `most` bytes, before they are read, and
        RefusedError for an object that cannot be read.
        """
        return self._contents.stored(oid, most)

    def header(self, oid: Oid) -> Stored | None:
        """Return an object without its content; None when it is not there."""
        return self._headers.header(oid)

    def read(self, oid: Oid, kind: str, most: int | None = None) -> bytes | None:
        """Return the content of an object; None if none has this name and kind.

        Raises Damaged for one that cannot be read, and for more than `most` bytes.
        """
        obj = self._again(oid, lambda: self.stored(oid, most))
        is_it = obj and (obj.oid, obj.kind) == (oid, kind)
        return obj.content if obj and is_it else None

    def read_header(self, oid: Oid) -> Stored | None:
        """Return an object without its content; raises as above."""
        header = self._again(oid, lambda: self.header(oid))
        return header if header and header.oid == oid else None

    def close_packs(self) -> None:
        """Know nothing any more of what the disk had; git does so by itself."""

    @contextmanager
    def translated(self, subject: str) -> Iterator[None]:
        """Turn failures around a subject into errors of ours."""
        try:
            yield
        except self.errors as error:
            raise explained(subject, error) from error

    def _again(self, oid: Oid, read: Callable[[], Stored | None]) -> Stored | None:
        """Read an object; again while it fails, as git replaces packs meanwhile."""
        if not is_oid(oid):
            return None
        for _ in range(_TRIES - 1):
            with suppress(*self.errors):
                return read()
            self.close_packs()
        with self.translated(oid):
            return read()

    def _cat_file(self, option: str) -> CatFile:
        options = options_to(self.git_dir, self.work_tree)
        command = ["git", *options, *_AS_IT_IS, "cat-file", option]
        return CatFile(command, self.git_dir, environment_of(self.variables))

    def _run(
        self,
        arguments: Iterable[str],
        stdin: Input = b"",
        patience: float | None = None,
    ) -> AbstractContextManager[IO[bytes]]:
        command = [*options_to(self.git_dir, self.work_tree), *arguments]
        folder = self.work_tree or self.git_dir
        return output_in(folder, command, self.variables, stdin, patience)


def fields(output: bytes) -> list[bytes]:
    """Split output whose fields end with a zero byte each."""
    return output.split(b"\0")[:-1]


def text(path: bytes) -> str:
    """Decode a path as a session writes it."""
    return path.decode("utf-8", "replace")


def is_inside(path: str) -> bool:
    """Return whether it can name a file of a work tree, and none outside of it."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and parts[0] != "/"
        and not {"..", ".git"} & set(parts)
        and "\0" not in path
    )


def askable(paths: Iterable[str]) -> Iterator[list[str]]:
    """Yield the valid paths, in batches that fit a command line."""
    valid = [path for path in paths if is_inside(path) and _can_be_said(path)]
    for start in range(0, len(valid), _AT_ONCE):
        yield valid[start : start + _AT_ONCE]


def _can_be_said(path: str) -> bool:
    try:
        return len(path.encode(errors="surrogateescape")) <= _LONGEST
    except UnicodeEncodeError:
        return False


Entry = tuple[bytes, bytes]
"""A key as git keeps it, and a value."""


class Configuration:
    def __init__(self, git: GitProcess) -> None:
        self._git = git
        self._files = {
            *config_files(git.common_dir, git.variables),
            git.git_dir / "config.worktree",
        }
        self._seen: dict[Path, object] | None = None
        self._entries: list[Entry] = []

    def entries(self) -> list[Entry]:
        """Return all settings, in the order in which git reads them."""
        if self._seen != (now := {file: file_state(file) for file in self._files}):
            self._seen, self._entries = now, list(self._list())
        return self._entries

    def _list(self) -> Iterator[Entry]:
        """Read all settings; each file that holds some is watched from now on."""
        folder = self._git.work_tree or self._git.git_dir
        listing = ("config", "-z", "--list", "--includes", "--show-origin")
        rows = iter(fields(self._git.output_for_user(*listing)))
        for origin, setting in zip(rows, rows, strict=True):
            if origin.startswith(b"file:"):
                file = os.fsdecode(origin.removeprefix(b"file:"))
                self._files.add(folder / file)
            key, _, value = setting.partition(b"\n")
            yield key, value
