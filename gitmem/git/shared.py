"""What every Repository does alike: settings, names, lines, and writing objects.

Settings are read in one order by both. What a name or a line comes from is asked of
the git command. Whatever is written is drafted first.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from gitmem.errors import Ambiguous
from gitmem.git.blame import blame
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.config import Entry, remotes_of, values_of
from gitmem.git.odb.draft import Draft
from gitmem.git.odb.managed_packs import remember_packs
from gitmem.git.odb.object_backup import keep, keep_pack
from gitmem.git.odb.objects import GitObject, ObjectFormat
from gitmem.git.odb.pack import write_pack
from gitmem.git.repository import Objects, Repository
from gitmem.git.values import (
    Blame,
    Lines,
    Oid,
    Signature,
    TreeChanges,
    TreeEntry,
    is_oid,
)
from gitmem.redaction.redact import Redacted
from gitmem.text.patterns import pattern


class Asking(ABC):
    """See Repository for each."""

    def config(self, key: str) -> str | None:
        return next(reversed(self.config_values(key)), None)

    def config_values(self, key: str) -> list[str]:
        return values_of(self._settings(), key)

    def remotes(self) -> dict[str, str]:
        return remotes_of(self._settings())

    def rev_parse(
        self: Repository, name: str, variables: Mapping[str, str]
    ) -> Oid | None:
        return rev_parse(self, name, variables)

    def blame(
        self: Repository,
        path: str,
        lines: Lines | None,
        variables: Mapping[str, str],
    ) -> Blame:
        return blame(self, path, lines, variables)

    @abstractmethod
    def _settings(self) -> Iterable[Entry]:
        """All of git's configuration, in the order in which git reads it."""


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


_MOST_LENGTH = 1000
_CANDIDATE = pattern(r"^hint:\s+([0-9a-f]+) commit", re.MULTILINE)


def rev_parse(
    repository: Repository, name: str, variables: Mapping[str, str]
) -> Oid | None:
    """See Repository.rev_parse."""
    if name.startswith("-") or "\0" in name or len(name) > _MOST_LENGTH:
        return None
    command = ["rev-parse", "--verify", f"{name}^{{commit}}"]
    places = repository.git_dir, repository.work_tree
    try:
        with output_of_git(*places, command, variables) as output:
            found = output.read()
    except RefusedError as error:
        if "is ambiguous" in str(error):
            raise Ambiguous(
                f"{name!r} begins the names of several commits.",
                candidates=_CANDIDATE.findall(str(error)),
            ) from error
        return None
    oid = found.decode("ascii", "replace").removesuffix("\n")
    return oid if is_oid(oid) else None
