"""The seam to git, in git's own words.

Above it there are commits, trees, blobs and refs, and no library. The git command
answers, as it can open every repository; `libgit2` answers faster where it can. Methods
raise NoPermission where the file system refuses, and Damaged for an object or a ref
that cannot be read.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property

from gitmem.git.files import sync
from gitmem.git.odb.draft import Draft, Objects
from gitmem.git.odb.object_backup import Watch, keep, keep_pack
from gitmem.git.odb.objects import (
    GitObject,
    committed_at,
    named,
    pack_of,
    tree_of_commit,
)
from gitmem.git.odb.packs import remember_packs
from gitmem.git.plumbing.process import (
    Configuration,
    Entry,
    remotes_of,
    values_of,
)
from gitmem.git.plumbing.work_tree import WorkTree
from gitmem.git.values import Oid, Signature, TreeChanges, TreeEntry
from gitmem.redaction.redact import Redacted, redact_own

__all__ = ["Objects", "Repository", "project_name"]

_MANY = 100
"""So many objects make a pack of their own: git's `transfer.unpackLimit`."""


class Repository(WorkTree):
    """Its Objects, too: what is written outside of a batch is a batch of its own."""

    def config(self, key: str) -> str | None:
        return next(reversed(self.config_values(key)), None)

    def config_values(self, key: str) -> list[str]:
        return values_of(self._settings(), key)

    def remotes(self) -> dict[str, str]:
        """Return the URL of each remote, as it stands in the configuration."""
        return remotes_of(self._settings())

    def tree_of(self, commit: Oid) -> Oid | None:
        content = self.read(commit, "commit")
        return tree_of_commit(content) if content else None

    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]:
        return named(self.raw_tree(tree))

    def read_blob(self, blob: Oid, most: int) -> bytes:
        with self.translated(blob):
            content = self.read(blob, "blob", most)
            if content is None:
                raise ValueError("it is not there, or is no blob")
            return content

    def blob_size(self, blob: Oid) -> int:
        found = self.read_header(blob)
        if found is None or found.kind != "blob":
            with self.translated(blob):
                raise ValueError("it is not there, or is no blob")
        return found.size

    def committed_at(self, commit: Oid) -> int:
        with self.translated(commit):
            return committed_at(self._require_commit(commit).content)

    def write_tree(self, base: Oid | None, changes: TreeChanges) -> Oid:
        with self.batch() as batch:
            return batch.write_tree(base, changes)

    def create_commit(
        self, tree: Oid, parents: list[Oid], message: Redacted, author: Signature
    ) -> Oid:
        with self.batch() as batch:
            return batch.create_commit(tree, parents, message, author)

    def write_commit(self, content: bytes) -> Oid:
        with self.batch() as batch:
            return batch.write_commit(content)

    @contextmanager
    def batch(self) -> Iterator[Draft]:
        """Draft many objects, which are durable and visible at its end.

        Only then may refs move to them. After an exception there are none.
        """
        draft = Draft(self, self.raw_tree, self.object_format)
        yield draft
        if draft.new:
            with self.translated("the object database"):
                self._save_and_keep(draft.new.values())

    def _save_and_keep(self, new: Collection[GitObject]) -> None:
        """Save objects: few stay loose, as `git gc --auto` starts at 50 packs."""
        if len(new) < _MANY:
            self._save_loose(new)
            keep(self.common_dir, new)
        else:
            pack = pack_of(new, self.object_format)
            said = self.write("index-pack", "--stdin", given=pack)
            sync(self.common_dir / "objects" / "pack")
            name = f"pack-{said.split()[-1].decode()}"
            keep_pack(self.common_dir, name)
            remember_packs(self.common_dir, [name])

    def _save_loose(self, new: Collection[GitObject]) -> None:
        """Save each in a file of its own, synced."""
        self.write("unpack-objects", "-q", given=pack_of(new, self.object_format))

    def _settings(self) -> Iterable[Entry]:
        """Return all of git's configuration, in the order in which git reads it."""
        with self.translated("the configuration"):
            return self._configuration.entries()

    @cached_property
    def backup(self) -> Watch:
        """Return what watches over the new objects of this repository."""
        return Watch(self.common_dir)

    @cached_property
    def _configuration(self) -> Configuration:
        return Configuration(self, self._variables)


def project_name(git: Repository) -> Redacted:
    """Return the name of the remote repository, else of the folder, redacted."""
    url, common_dir = git.config("remote.origin.url") or "", git.common_dir
    folder = common_dir.parent if common_dir.name == ".git" else common_dir
    return redact_own(_last_part(url) or _last_part(str(folder)) or "project")


def _last_part(location: str) -> str:
    name = re.split(r"[/:\\]", location.rstrip("/"))[-1].removesuffix(".git")
    return "".join(c for c in name.encode(errors="replace").decode() if c.isprintable())
