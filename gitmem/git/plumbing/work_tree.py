"""The files of a work tree: which differ, and which git tracks.

The index is only read, and no program of the user's runs but filters.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError
from gitmem.git.odb.objects import GitObject, ObjectType, tree_of_commit
from gitmem.git.plumbing.blame import blame, line_count
from gitmem.git.plumbing.history import History, change
from gitmem.git.plumbing.process import askable, fields, text
from gitmem.git.values import Blame, Change, FileChange, FileStat, Lines, Oid

MOST_COUNTED = 2_000_000
"""Bytes of a file whose lines are counted."""
_BINARY_WITHIN = 8000
"""Bytes; with a zero byte among the first of them a file is binary, to git as well."""

DIFF = (
    *("-c", "diff.autoRefreshIndex=false"),  # the index is the user's
    *("-c", f"core.bigFileThreshold={MOST_COUNTED}"),  # above it a file is binary
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
)
_NUMSTAT = (
    *DIFF,
    *("--diff-algorithm=myers", "--ignore-submodules=dirty"),
    *("--numstat", "-z", "--no-renames"),
)
_CHECK_IGNORE = (
    "--no-literal-pathspecs",  # which it refuses, and takes all as they are
    *("check-ignore", "-z", "--stdin"),
)
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--no-renames"),
    *("--untracked-files=all", "--ignore-submodules=dirty"),
)
_FILES = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_GREP = (
    *("grep", "-I", "-F", "-w", "-z", "--untracked", "--no-recurse-submodules"),
    *("--no-color", "--no-column", "--no-line-number", "--full-name", "-f", "-"),
)
_LINE_LENGTH, _MOST_LINES, _GREP_PATIENCE = 1000, 100_000, 2.0
"""Characters of a line in which words are looked for, lines, and seconds."""
_GONE = (b"D ", b" D", b"MD", b"AD", b"TD", b"DD")
"""Start of git's message about a file that is missing or not tracked."""
_NEW = b"??"


class WorkTree(History):
    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        """Work tree against commit; untracked files count, ignored ones do not."""
        with self.translated("the work tree"):
            changes = self._changes(commit)
            return tuple(FileChange(text(path), changes[path]) for path in changes)

    def stats_since(
        self, commit: Oid | None, paths: Iterable[str]
    ) -> tuple[FileStat, ...]:
        """Return the same for the files at `paths` only, with their lines counted.

        Those of a file of more than MOST_COUNTED bytes count as none, and so do those
        of one that may not be read.
        """
        with self.translated("the work tree"):
            valid = [path for batch in askable(sorted(paths)) for path in batch]
            then = self._entries_below(self._tree(commit))
            counts = self._counts(commit, valid)
            stats: list[FileStat] = []
            for path in valid:
                had, has = then(os.fsencode(path)) is not None, self._is_there(path)
                counted = counts.get(path)
                if counted is None and has and not had:
                    counted = self._lines(path), 0
                if counted:
                    file = FileChange(path, change(had=had, has=has))
                    stats.append(FileStat(file, *counted))
            return tuple(stats)

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        """Return those of `paths` whose file in the work tree is not as in the commit.

        Only these are looked at, however many files there are. What is in neither does
        not differ, nor does what git ignores; a file that was committed since and went
        back without a commit does.
        """
        with self.translated("the work tree"):
            self._require_commit(commit)
            trees = self._tree(commit), self._tree(self.head().commit)
            then, now = map(self._entries_below, trees)
            candidates = set(paths)
            valid = [
                os.fsencode(path) for batch in askable(candidates) for path in batch
            ]
            changed = {path for path in valid if then(path) != now(path)}
            for batch in askable(candidates):
                changed.update(path for _, path in self._status(*batch))
            return candidates.intersection(map(os.fsdecode, changed))

    def tracks(self, path: str) -> bool:
        """Return whether the file at this path of the work tree is in git's index.

        False where the index cannot be read.
        """
        with suppress(RefusedError):
            for batch in askable([path]):
                output = self.output("ls-files", "-z", "--", *batch)
                return os.fsencode(path) in fields(output)
        return False

    def files(self) -> list[str]:
        """Return the paths of all files that git tracks or may track.

        Raises Damaged and Unavailable.
        """
        with self.translated("the work tree"):
            return [*map(text, fields(self.output(*_FILES)))] if self.work_tree else []

    def lines_with(self, words: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield path and text of each line of these files that has one of the words.

        None where there are so many files that it takes long; the first _MOST_LINES.
        """
        stdin = "\n".join(words).encode("utf-8", "replace")
        if stdin and self.work_tree:
            with suppress(RefusedError, Unavailable):
                output = self.lines(*_GREP, given=stdin, patience=_GREP_PATIENCE)
                for row in islice(output, _MOST_LINES):
                    path, _, line = row.partition(b"\0")
                    yield text(path), text(line[:_LINE_LENGTH])

    def is_ignored(self, path: str) -> bool:
        """Ask `git check-ignore` about the file at this path of the work tree.

        False for a tracked file, for a path with `..` or from the root of the file
        system, and where there is no work tree.
        """
        if self.work_tree is None:
            return False
        with suppress(RefusedError):  # it says no, or this is beyond a link
            for batch in askable([path]):
                stdin = b"./%b\0" % os.fsencode(batch[0])  # or `:` would say more
                return bool(self.output(*_CHECK_IGNORE, given=stdin))
        return False

    def blame(self, path: str, lines: Lines | None = None) -> Blame:
        """Run `git blame` for a file of the work tree, or for some of its lines.

        `path` is relative to the work tree. Raises NotFound for a file that is not
        there or that git does not know, InvalidInput for lines that it does not have
        and for more than 20 MB, Unavailable without a git command and after a minute of
        its work.
        """
        return blame(self, path, lines)

    def _tree(self, commit: Oid | None) -> Oid | None:
        """Return the tree of a commit; None without one."""
        return tree_of_commit(self._require_commit(commit)) if commit else None

    def _status(self, *paths: str) -> list[tuple[bytes, bytes]]:
        """Return how files differ from HEAD and the index, in git's letters, and which.

        All of them where no paths are given.
        """
        lines = fields(self.output(*_STATUS, "--", *paths))
        return [(line[:2], line[len("XY ") :]) for line in lines]

    def _changes(self, commit: Oid | None) -> dict[bytes, Change]:
        """Return changes by path; an untracked rest of a deleted file is modified."""
        then, now = self._tree(commit), self._tree(self.head().commit)
        files = dict(self._changed_files(then, now))
        entry_at, status = self._entries_below(then), self._status()
        new = {path for mark, path in status if mark == _NEW}
        for mark, path in status:
            had, has = entry_at(path) is not None, path in new or mark not in _GONE
            if had or has:
                files[path] = change(had=had, has=has)
            else:
                files.pop(path, None)
        return files

    def _counts(
        self, commit: Oid | None, paths: Iterable[str]
    ) -> dict[str, tuple[int, int]]:
        """Return how many lines came and went in tracked files that differ."""
        closed = {path for path in paths if self._is_closed(path)}  # git gives up there
        counts = dict.fromkeys(closed, (0, 0))
        state = commit or GitObject(ObjectType.TREE, b"", self.object_format).oid
        for batch in askable(path for path in paths if path not in closed):
            for line in fields(self.output(*_NUMSTAT, state, "--", *batch)):
                added, removed, path = line.split(b"\t", 2)
                is_text = added != b"-"
                counted = (int(added), int(removed)) if is_text else (0, 0)
                counts[os.fsdecode(path)] = counted
        return counts

    def _is_there(self, path: str) -> bool:
        """Return whether there is a file, or a link, that git does not ignore."""
        file = Path(self.work_tree or "", path)
        return (file.is_file() or file.is_symlink()) and not self.is_ignored(path)

    def _is_closed(self, path: str) -> bool:
        file = Path(self.work_tree or "", path)
        return file.is_file() and not os.access(file, os.R_OK)

    def _lines(self, path: str) -> int:
        """Count the lines of an untracked file; a link has one."""
        with suppress(OSError):
            file = Path(self.work_tree or "", path)
            if file.is_symlink():
                return 1
            if file.stat().st_size <= MOST_COUNTED:
                content = file.read_bytes()
                return 0 if b"\0" in content[:_BINARY_WITHIN] else line_count(content)
        return 0
