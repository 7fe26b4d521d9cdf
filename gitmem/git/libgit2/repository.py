"""A Repository over pygit2.

libgit2 opens no SHA-256, reftable or partial-clone repository; `plumbing` does.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, RepositoryOpenFlag

from gitmem.git.config import Entry
from gitmem.git.failures import opening_failed, translated
from gitmem.git.layout import common_dir_of
from gitmem.git.libgit2 import history
from gitmem.git.libgit2.refs import move_ref, refs_below
from gitmem.git.odb.objects import GitObject, ObjectFormat, distinct, entries_of
from gitmem.git.odb.retry_reads import even_if_pruned, persistent
from gitmem.git.paths import is_inside
from gitmem.git.ref_files import forget_moves, reflog
from gitmem.git.reflog import moves_in_file
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

# libgit2 syncs nothing by default: after a power cut most repositories are corrupt.
pygit2.settings.enable_fsync_gitdir(True)
# Left alone it maps packs of any size as a whole, and whoever reads a large memory from
# end to end has all of it in its own.
pygit2.settings.mwindow_size = 16 << 20
pygit2.settings.mwindow_mapped_limit = 128 << 20

_SEARCH_UPWARDS = RepositoryOpenFlag(0)


def open_repository(start: Path, git_dir: Path | None = None) -> "Libgit2Repository":
    """The repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    Raises NotARepository where there is none, Unavailable where libgit2 cannot open
    it, NoPermission where git's ownership rule forbids it.
    """
    try:
        if git_dir:
            return Libgit2Repository(pygit2.Repository(str(git_dir)))
        return Libgit2Repository(pygit2.Repository(str(start), _SEARCH_UPWARDS))
    except (pygit2.GitError, KeyError, OSError) as error:
        raise opening_failed(git_dir or start, str(error)) from error


class Libgit2Repository(Asking, Drafting):
    """Repository over a pygit2.Repository."""

    object_format = ObjectFormat.SHA1

    def __init__(self, repository: pygit2.Repository) -> None:
        self._git = repository
        self.git_dir = Path(repository.path)
        self.common_dir = common_dir_of(self.git_dir)
        self.work_tree = Path(repository.workdir) if repository.workdir else None

    def look_anew(self) -> None:
        """libgit2 goes on to look into packs that it has open, and that may be gone."""
        self._git.free()

    def head(self) -> Head:
        with self._translated("HEAD"):
            target = self._git.lookup_reference("HEAD").raw_target
            branch = None
            if isinstance(target, bytes):
                branch = target.decode("utf-8", "replace").removeprefix("refs/heads/")
            unborn = self._git.head_is_unborn
            return Head(branch, None if unborn else str(self._git.head.target))

    def resolve_ref(self, name: str) -> Oid | None:
        with self._translated(name):
            reference = self._git.references.get(name)
            return str(reference.resolve().target) if reference else None

    @even_if_pruned
    @persistent
    def tree_of(self, commit: Oid) -> Oid | None:
        with self._translated(commit):
            if commit not in self._git:
                return None
            return str(self._git[commit].peel(pygit2.Commit).tree_id)

    @persistent
    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]:
        with self._translated(tree):
            entries = self._git[tree].peel(pygit2.Tree)
            named = {
                entry.name or "": TreeEntry(str(entry.id), int(entry.filemode))
                for entry in entries
            }
            return distinct(named, len(entries))

    @persistent
    def read_blob(self, blob: Oid, most: int) -> bytes:
        with self._translated(blob):
            size = self._git.odb.read_header(blob)[1]
            if size > most:
                raise ValueError(f"it has {size:,} bytes, and {most:,} are allowed")
            return self._git[blob].peel(pygit2.Blob).data

    @persistent
    def blob_size(self, blob: Oid) -> int:
        with self._translated(blob):
            kind, size = self._git.odb.read_header(blob)
            if kind != ObjectType.BLOB:
                raise ValueError("it is no blob")
            return size

    @persistent
    def committed_at(self, commit: Oid) -> int:
        with self._translated(commit):
            return self._git[commit].peel(pygit2.Commit).commit_time

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        with self._translated(name):
            return move_ref(self._git, self.common_dir, name, (old, new), reason)

    def refs(self, prefix: str) -> list[str]:
        with self._translated(prefix):
            return refs_below(self.common_dir, prefix)

    def delete_ref(self, name: str) -> None:
        with self._translated(name):
            if name in self._git.references:
                self._git.references.delete(name)

    def forget_moves(self, name: str) -> None:
        with self._translated(name):
            forget_moves(self.common_dir, name)

    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        with self._translated("the work tree"):
            return tuple(history.changes_since(self._git, commit))

    def stats_since(
        self, commit: Oid | None, paths: Container[str]
    ) -> tuple[FileStat, ...]:
        with self._translated("the work tree"):
            return tuple(history.stats_since(self._git, commit, paths))

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        with self._translated("the work tree"):
            return set(history.differing(self._git, commit, paths))

    def tracks(self, path: str) -> bool:
        with suppress(
            pygit2.GitError, OSError, ValueError
        ):  # a split index is for git alone
            index = self._git.index
            index.read(force=False)  # others write it, too
            return path in index
        return False

    def is_ignored(self, path: str) -> bool:
        if self.work_tree is None or not is_inside(path) or self.tracks(path):
            return False
        with self._translated("the rules for files that are ignored"):
            return self._git.path_is_ignored(path.encode(errors="replace").decode())

    def commit_details(self, commit: Oid) -> CommitDetails | None:
        with self._translated(commit):
            return history.commit_details(self._git, commit)

    def full_name(self, beginning: str) -> Oid | None:
        with self._translated(beginning):
            return history.full_name(self._git, beginning)

    def commits_between(self, old: Oid | None, new: Oid) -> list[CommitDetails]:
        with self._translated(new):
            return history.commits_between(self._git, old, new)

    def merge_base(self, one: Oid, other: Oid) -> Oid | None:
        with self._translated(other):
            base = self._git.merge_base(one, other)
            return str(base) if base else None

    def ancestry(self, commit: Oid, known: Oid | None = None) -> Iterator[RawCommit]:
        with self._translated(commit):
            yield from history.ancestry(self._git, commit, known)

    def reflog(self, name: str) -> list[Oid]:
        with self._translated(name):
            return reflog(self.common_dir, name)

    def moves(self, name: str, most: int = MOST_MOVES) -> list[Move] | None:
        folder = self.git_dir if name == "HEAD" else self.common_dir
        return moves_in_file(folder / "logs" / name, most)

    def first_parents(self, commit: Oid, most: int) -> list[Dated]:
        with self._translated(commit):
            return [*islice(history.first_parents(self._git, commit), most)]

    def blobs(self, commit: Oid, paths: Iterable[str]) -> dict[str, Oid]:
        with self._translated(commit):
            return dict(history.blobs(self._git, commit, paths))

    def _settings(self) -> Iterator[Entry]:
        with self._translated("the configuration"):
            for entry in self._git.config:
                yield entry.raw_name, entry.raw_value or b""

    def _save_loose(self, new: Collection[GitObject]) -> None:
        for each in new:
            self._git.write(each.kind, each.content)

    @persistent
    def _raw_tree(self, tree: Oid) -> dict[bytes, TreeEntry]:
        with self._translated(tree):
            content = self._git[tree].peel(pygit2.Tree).read_raw()
            return dict(entries_of(content, self.object_format))

    def _translated(self, what: str) -> AbstractContextManager[None]:
        return translated(
            what, pygit2.GitError, OSError, KeyError, ValueError, TypeError
        )
