"""The files of a work tree: which differ, and which git knows.

Its index is read and never written, and nothing of the user's runs but the filters that
make a file what git keeps.
"""

import os
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.command import RefusedError
from gitmem.git.paths import askable
from gitmem.git.plumbing.blame import blame, line_count
from gitmem.git.plumbing.history import History
from gitmem.git.plumbing.process import fields, text
from gitmem.git.values import Blame, Change, FileChange, FileStat, Lines, Oid

MOST_COUNTED = 2_000_000
"""Bytes of a file whose lines are counted."""
_BINARY_WITHIN = 8000
"""Bytes; with a zero byte among the first of them a file is binary, to git as well."""

_RAW = ("--raw", "-r", "-z", "--no-renames", "--no-abbrev")
"""Each file by itself, as `:MODE MODE OID OID STATUS`, and its path after it."""
_CHANGES = {b"A": Change.CREATED, b"D": Change.DELETED}
_DIFF = (
    *("-c", "diff.autoRefreshIndex=true"),  # else what was touched would count
    *("-c", f"core.bigFileThreshold={MOST_COUNTED}"),  # above it no lines are counted
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
    *("--diff-algorithm=myers", "--ignore-submodules=dirty"),
)
_UNTRACKED = ("ls-files", "--others", "--exclude-standard", "-z")
_CHECK_IGNORE = (
    "--no-literal-pathspecs",  # which it refuses, and takes all as they are
    *("check-ignore", "-z", "--stdin"),
)
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--no-renames"),
    *("--untracked-files=all", "--ignore-submodules=dirty"),
)


class WorkTree(History):
    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        """Work tree against commit; untracked files count, ignored ones do not."""
        with self.translated("the work tree"):
            changes = self._changes(self._state(commit))
            return tuple(FileChange(text(path), changes[path]) for path in changes)

    def stats_since(
        self, commit: Oid | None, paths: Container[str]
    ) -> tuple[FileStat, ...]:
        """The same for the files at `paths` only, with their lines counted.

        Those of a file of more than MOST_COUNTED bytes count as none.
        """
        with self.translated("the work tree"):
            state = self._state(commit)
            changes = self._changes(state)
            wanted = [path for path in changes if text(path) in paths]
            counts = self._counts(state, wanted)
            return tuple(
                FileStat(
                    FileChange(text(path), changes[path]),
                    *(counts.get(path) or (self._lines(path), 0)),
                )
                for path in wanted
            )

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        """Those of `paths` whose file in the work tree is not as in the commit.

        Only these are looked at, however many files there are. What is in neither does
        not differ, nor does what git ignores; a file that was committed since and went
        back without a commit does.
        """
        with self.translated("the work tree"):
            self._require_commit(commit)
            wanted, head = set(paths), self.head().commit
            found: set[bytes] = set()
            for some in askable(wanted):
                if head:
                    between = self.output("diff-tree", *_RAW, commit, head, "--", *some)
                    found.update(dict(_changes_in(between)))
                now = fields(self.output(*_STATUS, "--", *some))
                found.update(line[len("XY ") :] for line in now)
            return wanted.intersection(map(os.fsdecode, found))

    def tracks(self, path: str) -> bool:
        """Whether the file at this path of the work tree is in git's index.

        False where the index cannot be read.
        """
        with suppress(RefusedError):
            for asked in askable([path]):
                found = self.output("ls-files", "-z", "--", *asked)
                return os.fsencode(path) in fields(found)
        return False

    def is_ignored(self, path: str) -> bool:
        """As `git check-ignore` for the file at this path of the work tree.

        False for a tracked file, for a path with `..` or from the root of the file
        system, and where there is no work tree.
        """
        if self.work_tree is None:
            return False
        with suppress(RefusedError):  # it says no, or this is beyond a link
            for asked in askable([path]):
                given = b"./%b\0" % os.fsencode(asked[0])  # or `:` would say more
                return bool(self.output(*_CHECK_IGNORE, given=given))
        return False

    def blame(
        self, path: str, lines: Lines | None, variables: Mapping[str, str]
    ) -> Blame:
        """As `git blame` for a file of the work tree, or for some of its lines.

        `path` is relative to the work tree; `variables` are the environment of the
        user. Raises NotFound for a file that is not there or that git does not know,
        InvalidInput for lines that it does not have and for more than 20 MB,
        Unavailable without a git command and after a minute of its work.
        """
        return blame(self, path, lines, variables)

    def _state(self, commit: Oid | None) -> Oid:
        """What the work tree is compared with: a commit, or the tree without a file."""
        if commit:
            return self._require_commit(commit).oid
        return self.output("hash-object", "-t", "tree", "--stdin").decode().strip()

    def _changes(self, state: Oid) -> dict[bytes, Change]:
        """By the paths of files; what is left of a file that git forgot is modified."""
        found = dict(_changes_in(self.output(*_DIFF, *_RAW, state, "--")))
        for path in fields(self.output(*_UNTRACKED)):
            found[path] = Change.MODIFIED if path in found else Change.CREATED
        return found

    def _counts(
        self, state: Oid, paths: Iterable[bytes]
    ) -> dict[bytes, tuple[int, int]]:
        """The lines that came and went in files which git knows."""
        found: dict[bytes, tuple[int, int]] = {}
        for some in askable(map(os.fsdecode, paths)):
            command = (*_DIFF, "--numstat", "-z", "--no-renames", state, "--", *some)
            for line in fields(self.output(*command)):
                added, removed, path = line.split(b"\t", 2)
                is_text = added != b"-"
                found[path] = (int(added), int(removed)) if is_text else (0, 0)
        return found

    def _lines(self, path: bytes) -> int:
        """Of a file that git does not know; a link has one."""
        with suppress(OSError):
            file = Path(self.work_tree or "", os.fsdecode(path))
            if file.is_symlink():
                return 1
            if file.is_file() and file.stat().st_size <= MOST_COUNTED:
                content = file.read_bytes()
                return 0 if b"\0" in content[:_BINARY_WITHIN] else line_count(content)
        return 0


def _changes_in(output: bytes) -> Iterator[tuple[bytes, Change]]:
    """How the files differ between two states, by their paths."""
    each = iter(fields(output))
    for told, path in zip(each, each, strict=True):
        yield path, _CHANGES.get(told[-1:], Change.MODIFIED)
