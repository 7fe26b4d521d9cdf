"""What libgit2 says of the user's own history: files that differ, commits between."""

import os
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pygit2
from pygit2.enums import DeltaStatus, DiffOption, FileStatus, ObjectType, SortMode

from gitmem.git.repository import MOST_COMMITS, MOST_COUNTED
from gitmem.git.values import (
    Change,
    CommitDetails,
    Dated,
    FileChange,
    FileStat,
    Oid,
    RawCommit,
    Signature,
)
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""In every repository, without being written."""

_ALL = (
    DiffOption.INCLUDE_UNTRACKED
    | DiffOption.RECURSE_UNTRACKED_DIRS
    | DiffOption.SHOW_UNTRACKED_CONTENT
    | DiffOption.INCLUDE_TYPECHANGE  # else a file that became a link is told of twice
)
_FULL_NAME = pattern(r"[0-9a-f]{40}")
_BEGINNING = pattern(r"[0-9a-f]{4,40}")

_CHANGES = {
    DeltaStatus.ADDED: Change.CREATED,
    DeltaStatus.UNTRACKED: Change.CREATED,
    DeltaStatus.DELETED: Change.DELETED,
}


def changes_since(git: pygit2.Repository, commit: Oid | None) -> Iterator[FileChange]:
    """See Repository.changes_since."""
    return (_change_there(git, each) for each in _work_tree_diff(git, commit).deltas)


def stats_since(
    git: pygit2.Repository, commit: Oid | None, paths: Container[str]
) -> Iterator[FileStat]:
    """See Repository.stats_since."""
    diff = _work_tree_diff(git, commit)
    for number, delta in enumerate(diff.deltas):
        file = _change_there(git, delta)
        if file.path in paths:
            is_countable = _is_countable(git, delta)
            yield FileStat(file, *(_counts(diff, number) if is_countable else (0, 0)))


def commit_details(git: pygit2.Repository, commit: Oid) -> CommitDetails | None:
    """See Repository.commit_details."""
    if not _FULL_NAME.fullmatch(commit) or commit not in git:
        return None
    found = _commit(git[commit])
    return _details(found) if found else None


def full_name(git: pygit2.Repository, beginning: str) -> Oid | None:
    """See Repository.full_name."""
    if not _BEGINNING.fullmatch(beginning):
        return None
    try:
        found = _commit(git.get(beginning))
    except ValueError:  # several objects begin so
        return None
    return str(found.id) if found else None


def differing(
    git: pygit2.Repository, commit: Oid, paths: Iterable[str]
) -> Iterator[str]:
    """See Repository.differing.

    A diff of libgit2 reads every file of the work tree; git's index knows of most of
    them that they are as in HEAD.
    """
    then = git[commit].peel(pygit2.Tree)
    now = then if git.head_is_unborn else git.head.peel(pygit2.Tree)
    for path in paths:
        if _blob_at(then, path) != _blob_at(now, path) or _differs_from_head(git, path):
            yield path


def commits_between(
    git: pygit2.Repository, old: Oid | None, new: Oid
) -> list[CommitDetails]:
    """See Repository.commits_between."""
    if old and (old not in git or not git.descendant_of(new, old)):
        return []
    walk = git.walk(new, SortMode.TOPOLOGICAL)
    if old:
        walk.hide(old)
    walk.simplify_first_parent()
    plain = (commit for commit in walk if len(commit.parents) < 2)
    return [_details(commit) for commit in islice(plain, MOST_COMMITS)]


def first_parents(git: pygit2.Repository, commit: Oid) -> Iterator[Dated]:
    """See Repository.first_parents."""
    found = _commit(git.get(commit))
    while found:
        yield Dated(str(found.id), moment_at(found.commit_time))
        parents = found.parent_ids
        found = _commit(git.get(parents[0])) if parents else None


def ancestry(
    git: pygit2.Repository, commit: Oid, known: Oid | None
) -> Iterator[RawCommit]:
    """See Repository.ancestry."""
    walk = git.walk(commit, SortMode.TOPOLOGICAL | SortMode.REVERSE)
    if known:
        walk.hide(known)
    for each in walk:
        yield RawCommit(str(each.id), each.read_raw())


def blobs(
    git: pygit2.Repository, commit: Oid, paths: Iterable[str]
) -> Iterator[tuple[str, Oid]]:
    """See Repository.blobs."""
    tree = git[commit].peel(pygit2.Tree)
    for path in paths:
        if found := _blob_at(tree, path):
            yield path, found


def _blob_at(tree: pygit2.Tree, path: str) -> Oid | None:
    """None also for what is no path at all."""
    try:
        return str(tree[path].id)
    except (KeyError, ValueError, TypeError, pygit2.GitError):
        return None


def _commit(found: pygit2.Object | None) -> pygit2.Commit | None:
    if found is None or found.type != ObjectType.COMMIT:
        return None
    return found.peel(pygit2.Commit)


def _work_tree_diff(git: pygit2.Repository, commit: Oid | None) -> pygit2.Diff:
    """By way of git's index, which knows of most files that they are as they were.

    To put a tree beside the work tree alone, libgit2 reads every file.
    """
    tree, index = git[commit or _EMPTY_TREE].peel(pygit2.Tree), git.index
    index.read(force=False)  # others write it, too
    diff = tree.diff_to_index(index, _ALL)
    diff.merge(index.diff_to_workdir(_ALL))
    return diff


def _change_there(git: pygit2.Repository, delta: pygit2.DiffDelta) -> FileChange:
    """What is left of a file that git forgot is modified, if it is not ignored."""
    file, path = _file_change(delta), _path(git, delta)
    is_there = path.is_file() or path.is_symlink()
    if file.change is Change.DELETED and is_there:
        is_ignored = git.path_is_ignored(file.path)
        return file if is_ignored else FileChange(file.path, Change.MODIFIED)
    return file


def _differs_from_head(git: pygit2.Repository, path: str) -> bool:
    try:
        status = git.status_file(path)
    except (KeyError, pygit2.GitError, ValueError):  # no such file, or a folder
        return False
    return status not in (FileStatus.CURRENT, FileStatus.IGNORED)


def _is_countable(git: pygit2.Repository, delta: pygit2.DiffDelta) -> bool:
    """Not where it may not be read, or would cost more than anyone wants to know it."""
    before, path = delta.old_file.id, _path(git, delta)
    sizes = [git.odb.read_header(before)[1]] if before in git.odb else []
    with suppress(OSError):
        sizes.append(path.lstat().st_size)
    is_closed = path.is_file() and not os.access(path, os.R_OK)
    return max(sizes, default=0) <= MOST_COUNTED and not is_closed


def _counts(diff: pygit2.Diff, number: int) -> tuple[int, int]:
    """The lines that came and went.

    None of a file that is shorter than the index has it: git may have been told not to
    look at it, and somebody may be writing it.
    """
    with suppress(pygit2.GitError):
        patch = diff[number]
        _, added, removed = patch.line_stats if patch else (0, 0, 0)
        return added, removed
    return 0, 0


def _path(git: pygit2.Repository, delta: pygit2.DiffDelta) -> Path:
    """Of the file in the work tree."""
    return Path(git.workdir, os.fsdecode(delta.new_file.raw_path))


def _file_change(delta: pygit2.DiffDelta) -> FileChange:
    path = delta.new_file.raw_path.decode("utf-8", "replace")
    return FileChange(path, _CHANGES.get(delta.status, Change.MODIFIED))


def _details(commit: pygit2.Commit) -> CommitDetails:
    by = commit.committer
    if commit.parents:
        diff = commit.tree.diff_to_tree(commit.parents[0].tree, swap=True)
    else:
        diff = commit.tree.diff_to_tree(swap=True)
    return CommitDetails(
        oid=str(commit.id),
        subject=commit.message.partition("\n")[0],
        committer=Signature(by.name, by.email, moment_at(by.time, by.offset)),
        files=tuple(map(_file_change, diff.deltas)),
    )
