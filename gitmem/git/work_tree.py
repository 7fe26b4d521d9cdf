"""The files of a work tree: which differ, and which git tracks.

The index is only read, and no program of the user's runs but filters.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import read_text
from gitmem.git.odb.objects import GitObject, ObjectType, tree_of_commit
from gitmem.git.plumbing.blame import line_count
from gitmem.git.plumbing.history import change
from gitmem.git.plumbing.process import askable, fields, text
from gitmem.git.repository import Repository
from gitmem.git.values import Change, FileChange, FileStat, Oid

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
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--no-renames"),
    *("--untracked-files=all", "--ignore-submodules=dirty"),
)
_FILES = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_GONE = (b"D ", b" D", b"MD", b"AD", b"TD", b"DD")
"""Start of git's message about a file that is missing or not tracked."""
_NEW = b"??"


_REBASES = ("rebase-merge", "rebase-apply")
"""Folders of git's about a rebase that is under way, during which HEAD is detached."""


def rebased_branch(git: Repository) -> str | None:
    """Return the branch that a rebase is under way for."""
    refs = (read_text(git.git_dir / name / "head-name").strip() for name in _REBASES)
    names = (ref.removeprefix("refs/heads/") for ref in refs if ref.startswith("refs/"))
    return next(names, None)


def changes_since(git: Repository, commit: Oid | None) -> tuple[FileChange, ...]:
    """Work tree against commit; untracked files count, ignored ones do not."""
    with git.translated("the work tree"):
        changes = _changes(git, commit)
        return tuple(FileChange(text(path), changes[path]) for path in changes)


def stats_since(
    git: Repository, commit: Oid | None, paths: Iterable[str]
) -> tuple[FileStat, ...]:
    """Return the same for the files at `paths` only, with their lines counted.

    Those of a file of more than MOST_COUNTED bytes count as none, and so do those
    of one that may not be read.
    """
    with git.translated("the work tree"):
        valid = [path for batch in askable(sorted(paths)) for path in batch]
        then = git.entries_below(_tree(git, commit))
        counts = _counts(git, commit, valid)
        stats: list[FileStat] = []
        for path in valid:
            had, has = then(os.fsencode(path)) is not None, _is_there(git, path)
            counted = counts.get(path)
            if counted is None and has and not had:
                counted = _lines(git, path), 0
            if counted:
                file = FileChange(path, change(had=had, has=has))
                stats.append(FileStat(file, *counted))
        return tuple(stats)


def differing_paths(git: Repository, commit: Oid, paths: Iterable[str]) -> set[str]:
    """Return those of `paths` whose file in the work tree is not as in the commit.

    Only these are looked at, however many files there are. What is in neither does
    not differ, nor does what git ignores; a file that was committed since and went
    back without a commit does.
    """
    with git.translated("the work tree"):
        git.require_commit(commit)
        trees = _tree(git, commit), _tree(git, git.head().commit)
        then, now = map(git.entries_below, trees)
        candidates = set(paths)
        valid = [os.fsencode(path) for batch in askable(candidates) for path in batch]
        changed = {path for path in valid if then(path) != now(path)}
        for batch in askable(candidates):
            changed.update(path for _, path in _status(git, *batch))
        return candidates.intersection(map(os.fsdecode, changed))


def work_tree_files(git: Repository) -> list[str]:
    """Return the paths of all files that git tracks or may track.

    Raises Damaged and Unavailable.
    """
    with git.translated("the work tree"):
        return [*map(text, fields(git.output(*_FILES)))] if git.work_tree else []


def _tree(git: Repository, commit: Oid | None) -> Oid | None:
    """Return the tree of a commit; None without one."""
    return tree_of_commit(git.require_commit(commit)) if commit else None


def _status(git: Repository, *paths: str) -> list[tuple[bytes, bytes]]:
    """Return how files differ from HEAD and the index, in git's letters, and which.

    All of them where no paths are given.
    """
    lines = fields(git.output(*_STATUS, "--", *paths))
    return [(line[:2], line[len("XY ") :]) for line in lines]


def _changes(git: Repository, commit: Oid | None) -> dict[bytes, Change]:
    """Return changes by path; an untracked rest of a deleted file is modified."""
    then, now = _tree(git, commit), _tree(git, git.head().commit)
    files = dict(git.changed_files(then, now))
    entry_at, status = git.entries_below(then), _status(git)
    new = {path for mark, path in status if mark == _NEW}
    for mark, path in status:
        had, has = entry_at(path) is not None, path in new or mark not in _GONE
        if had or has:
            files[path] = change(had=had, has=has)
        else:
            files.pop(path, None)
    return files


def _counts(
    git: Repository, commit: Oid | None, paths: Iterable[str]
) -> dict[str, tuple[int, int]]:
    """Return how many lines came and went in tracked files that differ."""
    closed = {path for path in paths if _is_closed(git, path)}  # git gives up there
    counts = dict.fromkeys(closed, (0, 0))
    state = commit or GitObject(ObjectType.TREE, b"", git.object_format).oid
    for batch in askable(path for path in paths if path not in closed):
        for line in fields(git.output(*_NUMSTAT, state, "--", *batch)):
            added, removed, path = line.split(b"\t", 2)
            is_text = added != b"-"
            counted = (int(added), int(removed)) if is_text else (0, 0)
            counts[os.fsdecode(path)] = counted
    return counts


def _is_there(git: Repository, path: str) -> bool:
    """Return whether there is a file, or a link, that git does not ignore."""
    file = Path(git.work_tree or "", path)
    return (file.is_file() or file.is_symlink()) and not git.is_ignored(path)


def _is_closed(git: Repository, path: str) -> bool:
    file = Path(git.work_tree or "", path)
    return file.is_file() and not os.access(file, os.R_OK)


def _lines(git: Repository, path: str) -> int:
    """Count the lines of an untracked file; a link has one."""
    with suppress(OSError):
        file = Path(git.work_tree or "", path)
        if file.is_symlink():
            return 1
        if file.stat().st_size <= MOST_COUNTED:
            content = file.read_bytes()
            return 0 if b"\0" in content[:_BINARY_WITHIN] else line_count(content)
    return 0
