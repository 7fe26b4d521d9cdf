"""A Repository over git's own low-level commands, for what libgit2 does not open."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from gitmem.git.command import RefusedError
from gitmem.git.config import Entry
from gitmem.git.failures import translated
from gitmem.git.odb.objects import (
    GitObject,
    committed_at,
    distinct,
    entries_of,
    tree_of_commit,
)
from gitmem.git.odb.pack import pack_of
from gitmem.git.odb.retry_reads import even_if_pruned, persistent
from gitmem.git.plumbing import history, refs, work_tree
from gitmem.git.plumbing.cat_file import Stored
from gitmem.git.plumbing.configuration import Configuration
from gitmem.git.plumbing.opening import opened
from gitmem.git.plumbing.process import Process
from gitmem.git.repository import MOST_MOVES
from gitmem.git.shared import Asking, Drafting
from gitmem.git.values import (
    CommitDetails,
    Dated,
    FileChange,
    FileStat,
    Head,
    Move,
    Oid,
    RawCommit,
    TreeEntry,
)


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> "PlumbingRepository":
    """See `gitmem.git.opening`. Raises Unavailable where git does not open it."""
    return PlumbingRepository(opened(start, variables, git_dir), variables)


class PlumbingRepository(Asking, Drafting):
    """Repository over a Process."""

    def __init__(self, git: Process, variables: Mapping[str, str]) -> None:
        self._git = git
        self._configuration = Configuration(git, variables)
        self.git_dir = git.git_dir
        self.common_dir = git.common_dir
        self.work_tree = git.work_tree
        self.object_format = git.object_format

    def look_anew(self) -> None:
        """Git does so by itself."""

    def head(self) -> Head:
        with self._translated("HEAD"):
            return refs.head(self._git)

    def resolve_ref(self, name: str) -> Oid | None:
        with self._translated(name):
            return refs.resolved(self._git, name)

    @even_if_pruned
    @persistent
    def tree_of(self, commit: Oid) -> Oid | None:
        with self._translated(commit):
            found = self._git.peeled(commit, "commit")
            if found is None and self._git.header(commit):
                raise ValueError("it is no commit")
            return tree_of_commit(found.content) if found else None

    @persistent
    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]:
        with self._translated(tree):
            content = self._peeled(tree, "tree").content
            entries = list(entries_of(content, self.object_format))
            named = {name.decode("utf-8", "replace"): entry for name, entry in entries}
            return distinct(named, len(entries))

    @persistent
    def read_blob(self, blob: Oid, most: int) -> bytes:
        with self._translated(blob):
            return _is_blob(self._git.stored(blob, most)).content

    @persistent
    def blob_size(self, blob: Oid) -> int:
        with self._translated(blob):
            return _is_blob(self._git.header(blob)).size

    @persistent
    def committed_at(self, commit: Oid) -> int:
        with self._translated(commit):
            return committed_at(self._peeled(commit, "commit").content)

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        with self._translated(name):
            return refs.move_ref(self._git, name, old, new, reason)

    def refs(self, prefix: str) -> list[str]:
        with self._translated(prefix):
            return refs.listed(self._git, prefix)

    def delete_ref(self, name: str) -> None:
        with self._translated(name):
            self._git.write("update-ref", "-d", name)

    def forget_moves(self, name: str) -> None:
        with self._translated(name):
            refs.forget_moves(self._git, name)

    def reflog(self, name: str) -> list[Oid]:
        with self._translated(name):
            return refs.reflog(self._git, name)

    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        with self._translated("the work tree"):
            return tuple(work_tree.changes_since(self._git, commit))

    def stats_since(
        self, commit: Oid | None, paths: Container[str]
    ) -> tuple[FileStat, ...]:
        with self._translated("the work tree"):
            return tuple(work_tree.stats_since(self._git, commit, paths))

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        with self._translated("the work tree"):
            return set(work_tree.differing(self._git, commit, paths))

    def tracks(self, path: str) -> bool:
        return work_tree.tracks(self._git, path)

    def is_ignored(self, path: str) -> bool:
        with self._translated("the rules for files that are ignored"):
            return work_tree.is_ignored(self._git, path)

    def commit_details(self, commit: Oid) -> CommitDetails | None:
        with self._translated(commit):
            return history.commit_details(self._git, commit)

    def full_name(self, beginning: str) -> Oid | None:
        with self._translated(beginning):
            return history.full_name(self._git, beginning)

    def commits_between(self, old: Oid | None, new: Oid) -> list[CommitDetails]:
        with self._translated(new):
            return list(history.commits_between(self._git, old, new))

    def merge_base(self, one: Oid, other: Oid) -> Oid | None:
        with self._translated(other):
            return history.merge_base(self._git, one, other)

    def ancestry(self, commit: Oid, known: Oid | None = None) -> Iterator[RawCommit]:
        with self._translated(commit):
            yield from history.ancestry(self._git, commit, known)

    def moves(self, name: str, most: int = MOST_MOVES) -> list[Move] | None:
        with self._translated(f"the reflog of {name}"):
            return history.moves(self._git, name, most)

    def first_parents(self, commit: Oid, most: int) -> list[Dated]:
        with self._translated(commit):
            return list(history.first_parents(self._git, commit, most))

    def blobs(self, commit: Oid, paths: Iterable[str]) -> dict[str, Oid]:
        with self._translated(commit):
            return dict(history.blobs(self._git, commit, paths))

    def _settings(self) -> Iterable[Entry]:
        with self._translated("the configuration"):
            return self._configuration.entries()

    def _save_loose(self, new: Collection[GitObject]) -> None:
        pack = pack_of(new, self.object_format)
        self._git.write("unpack-objects", "-q", given=pack)

    @persistent
    def _raw_tree(self, tree: Oid) -> dict[bytes, TreeEntry]:
        with self._translated(tree):
            content = self._peeled(tree, "tree").content
            return dict(entries_of(content, self.object_format))

    def _peeled(self, oid: Oid, kind: str) -> Stored:
        found = self._git.peeled(oid, kind)
        if found is None:
            raise ValueError(f"it is not there, or is no {kind}")
        return found

    def _translated(self, what: str) -> AbstractContextManager[None]:
        return translated(what, RefusedError, OSError, KeyError, ValueError, TypeError)


def _is_blob(found: Stored | None) -> Stored:
    if found is None or found.kind != "blob":
        raise ValueError("it is not there, or is no blob")
    return found
