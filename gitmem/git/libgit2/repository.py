"""The same through pygit2, where libgit2 answers faster than a process can begin.

libgit2 opens no SHA-256, reftable or partial-clone repository.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, RepositoryOpenFlag

from gitmem.git.failures import opening_failed
from gitmem.git.layout import common_dir_of
from gitmem.git.libgit2.refs import move_ref, refs_below
from gitmem.git.odb.objects import GitObject, ObjectFormat
from gitmem.git.plumbing.cat_file import Stored
from gitmem.git.plumbing.configuration import Entry
from gitmem.git.plumbing.process import is_inside
from gitmem.git.repository import Repository
from gitmem.git.values import Head, Oid

# libgit2 syncs nothing by default: after a power cut most repositories are corrupt.
pygit2.settings.enable_fsync_gitdir(True)
# Left alone it maps packs of any size as a whole, and whoever reads a large memory from
# end to end has all of it in its own.
pygit2.settings.mwindow_size = 16 << 20
pygit2.settings.mwindow_mapped_limit = 128 << 20

_SEARCH_UPWARDS = RepositoryOpenFlag(0)


def open_repository(
    start: Path,
    git_dir: Path | None = None,
    variables: Mapping[str, str] = os.environ,
) -> "Libgit2Repository":
    """The repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    Raises NotARepository where there is none, Unavailable where libgit2 cannot open
    it, NoPermission where git's ownership rule forbids it.
    """
    try:
        if git_dir:
            found = pygit2.Repository(str(git_dir))
        else:
            found = pygit2.Repository(str(start), _SEARCH_UPWARDS)
        return Libgit2Repository(found, variables)
    except (pygit2.GitError, KeyError, OSError) as error:
        raise opening_failed(git_dir or start, str(error)) from error


class Libgit2Repository(Repository):
    """Repository over a pygit2.Repository."""

    errors = (pygit2.GitError, *Repository.errors)

    def __init__(self, git: pygit2.Repository, variables: Mapping[str, str]) -> None:
        git_dir, work_tree = Path(git.path), Path(git.workdir) if git.workdir else None
        places = git_dir, common_dir_of(git_dir), work_tree
        super().__init__(*places, ObjectFormat.SHA1, variables)
        self._git = git

    def look_anew(self) -> None:
        """libgit2 goes on to look into packs that it has open, and that may be gone."""
        self._git.free()

    def stored(self, oid: Oid, most: int | None = None) -> Stored | None:
        found = self.header(oid)
        if found is None:
            return None
        if most is not None and found.size > most:
            raise ValueError(f"it has {found.size:,} bytes, and {most:,} are allowed")
        return Stored(oid, found.kind, found.size, self._git.odb.read(oid)[1])

    def header(self, oid: Oid) -> Stored | None:
        try:
            kind, size = self._git.odb.read_header(oid)
        except KeyError:
            return None
        return Stored(oid, ObjectType(kind).name.lower(), size)

    def head(self) -> Head:
        with self.translated("HEAD"):
            target = self._git.lookup_reference("HEAD").raw_target
            branch = None
            if isinstance(target, bytes):
                branch = target.decode("utf-8", "replace").removeprefix("refs/heads/")
            unborn = self._git.head_is_unborn
            return Head(branch, None if unborn else str(self._git.head.target))

    def resolve_ref(self, name: str) -> Oid | None:
        with self.translated(name):
            reference = self._git.references.get(name)
            return str(reference.resolve().target) if reference else None

    def refs(self, prefix: str) -> list[str]:
        with self.translated(prefix):
            return refs_below(self.common_dir, prefix)

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        with self.translated(name):
            return move_ref(self._git, self.common_dir, name, (old, new), reason)

    def full_name(self, beginning: str) -> Oid | None:
        with suppress(ValueError):  # no such name, or several objects begin so
            found = self._git.get(beginning)
            is_commit = found and found.type == ObjectType.COMMIT
            return str(found.id) if found and is_commit else None
        return None

    def merge_base(self, one: Oid, other: Oid) -> Oid | None:
        with self.translated(other):
            base = self._git.merge_base(one, other)
            return str(base) if base else None

    def tracks(self, path: str) -> bool:
        with suppress(pygit2.GitError, OSError, ValueError):
            index = self._git.index
            index.read(force=False)  # others write it, too
            return path in index
        return False

    def is_ignored(self, path: str) -> bool:
        if self.work_tree is None or not is_inside(path) or self.tracks(path):
            return False
        with self.translated("the rules for files that are ignored"):
            return self._git.path_is_ignored(path.encode(errors="replace").decode())

    def _settings(self) -> Iterator[Entry]:
        with self.translated("the configuration"):
            for entry in self._git.config:
                yield entry.raw_name, entry.raw_value or b""

    def _save_loose(self, new: Collection[GitObject]) -> None:
        for each in new:
            self._git.write(each.kind, each.content)
