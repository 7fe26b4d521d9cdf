"""The writing half of a Repository: whatever it writes is drafted first.

So all that there is to write is known before the disk has any of it: many objects go
into one file, and there is one place where they are kept against `git gc --prune=now`.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from gitmem.git.draft import Draft
from gitmem.git.object_backup import keep, keep_pack
from gitmem.git.objects import GitObject, ObjectFormat
from gitmem.git.packs.managed_packs import remember_packs
from gitmem.git.packs.pack import write_pack
from gitmem.git.repository import Objects
from gitmem.git.values import Oid, Signature, TreeChanges, TreeEntry
from gitmem.redaction.redact import Redacted

_MANY = 100
"""So many objects make a pack of their own: git's `transfer.unpackLimit`."""


class Drafting(Objects, ABC):
    """What is written outside of a batch is a batch of its own."""

    common_dir: Path
    object_format: ObjectFormat

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
        """See Repository.batch."""
        draft = Draft(self, self._raw_tree, self.object_format)
        yield draft
        if draft.new:
            with self._translated("the object database"):
                self._save_and_keep(draft.new.values())

    def _save_and_keep(self, new: Collection[GitObject]) -> None:
        """`git gc --auto` sets in at 50 packs, so few objects stay loose."""
        if len(new) < _MANY:
            self._save_loose(new)
            keep(self.common_dir, new)
        else:
            packs = self.common_dir / "objects" / "pack"
            name = write_pack(packs, new, self.object_format)
            keep_pack(self.common_dir, name)
            remember_packs(self.common_dir, [name])

    @abstractmethod
    def _save_loose(self, new: Collection[GitObject]) -> None:
        """Each in a file of its own; the disk has them when it returns."""

    @abstractmethod
    def _raw_tree(self, tree: Oid) -> dict[bytes, TreeEntry]:
        """A tree as git has it, whatever there is in it."""

    @abstractmethod
    def _translated(self, what: str) -> AbstractContextManager[None]:
        """What goes wrong with it as errors of the seam."""
