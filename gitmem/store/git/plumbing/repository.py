"""A Repository over git's own low-level commands, for what libgit2 does not open."""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from gitmem.model.session import FileChange
from gitmem.store.git.blame import blame
from gitmem.store.git.command import RefusedError
from gitmem.store.git.failures import translated
from gitmem.store.git.plumbing import history, work_tree
from gitmem.store.git.plumbing.process import Process
from gitmem.store.git.repository import (
    Blame,
    CommitDetails,
    Dated,
    FileStat,
    Lines,
    Move,
    Oid,
    RawCommit,
    Repository,
)
from gitmem.store.git.revisions import rev_parse


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """See `gitmem.store.git.opening`. Raises Unavailable where git does not open it."""
    raise NotImplementedError


class PlumbingRepository:
    """Repository over a Process."""

    def __init__(self, git: Process) -> None:
        self._git = git
        self.git_dir = git.git_dir
        self.common_dir = git.common_dir
        self.work_tree = git.work_tree

    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        with _translated("the work tree"):
            return tuple(work_tree.changes_since(self._git, commit))

    def stats_since(
        self, commit: Oid | None, paths: Container[str]
    ) -> tuple[FileStat, ...]:
        with _translated("the work tree"):
            return tuple(work_tree.stats_since(self._git, commit, paths))

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        with _translated("the work tree"):
            return set(work_tree.differing(self._git, commit, paths))

    def tracks(self, path: str) -> bool:
        return work_tree.tracks(self._git, path)

    def is_ignored(self, path: str) -> bool:
        with _translated("the rules for files that are ignored"):
            return work_tree.is_ignored(self._git, path)

    def commit_details(self, commit: Oid) -> CommitDetails | None:
        with _translated(commit):
            return history.commit_details(self._git, commit)

    def full_name(self, beginning: str) -> Oid | None:
        with _translated(beginning):
            return history.full_name(self._git, beginning)

    def rev_parse(self, name: str, variables: Mapping[str, str]) -> Oid | None:
        return rev_parse(self, name, variables)

    def blame(
        self, path: str, lines: Lines | None, variables: Mapping[str, str]
    ) -> Blame:
        return blame(self, path, lines, variables)

    def commits_between(self, old: Oid | None, new: Oid) -> list[CommitDetails]:
        with _translated(new):
            return list(history.commits_between(self._git, old, new))

    def merge_base(self, one: Oid, other: Oid) -> Oid | None:
        with _translated(other):
            return history.merge_base(self._git, one, other)

    def ancestry(self, commit: Oid) -> Iterator[RawCommit]:
        with _translated(commit):
            yield from history.ancestry(self._git, commit)

    def head_moves(self) -> list[Move] | None:
        with _translated("the reflog of HEAD"):
            return history.head_moves(self._git)

    def first_parents(self, commit: Oid, most: int) -> list[Dated]:
        with _translated(commit):
            return list(history.first_parents(self._git, commit, most))

    def blobs(self, commit: Oid, paths: Iterable[str]) -> dict[str, Oid]:
        with _translated(commit):
            return dict(history.blobs(self._git, commit, paths))


def _translated(what: str) -> AbstractContextManager[None]:
    return translated(what, RefusedError, OSError, KeyError, ValueError, TypeError)
