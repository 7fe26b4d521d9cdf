"""Both sides of a merge, where they parted, and what either of them forgets."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Self, TypeVar

from gitmem.frozen import frozen
from gitmem.git.odb.objects import commit_parts
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, TreeEntry
from gitmem.store.remote.untrusted import Difference, plain
from gitmem.store.trees import tombstones
from gitmem.store.trees.document_tree import AnyTree, DocumentTree
from gitmem.store.trees.tombstones import remembers, with_history

D = TypeVar("D")


@dataclass(frozen=True)
class Sides(Generic[D]):
    ours: DocumentTree[D]
    theirs: DocumentTree[D]
    last_theirs: DocumentTree[D]
    """Theirs as we last knew it; the base where that is not known."""
    difference: Difference
    held_paths: frozenset[str] = frozenset()
    """Paths of tombstones of theirs that are not to count."""

    @cached_property
    def records(self) -> dict[str, TreeEntry]:
        """Merge the tombstones that differ, by path."""
        prevailing_records = {
            path: self._prevailing(path, *versions)
            for path, versions in self.difference.tombstones.items()
        }
        differing = {path: file for path, file in prevailing_records.items() if file}
        return {**self._of_other_ids(differing), **differing}

    @cached_property
    def forgets(self) -> bool:
        """Whether theirs forgets or restores what ours does not."""
        return any(self.ours.file(path) != to for path, to in self.records.items())

    @cached_property
    def ours_forgets(self) -> bool:
        """Whether anything was ever forgotten in ours."""
        return bool(self.ours.folder(tombstones.ROOT))

    @cached_property
    def has_tombstones(self) -> bool:
        return bool(self.records) or self.ours_forgets

    def with_buried(self) -> "Sides[D]":
        """Add documents that are equal on both sides and that theirs forgets.

        All documents are read where a tombstone is for none of those that differ.
        """
        new = {
            path for path in self.difference.tombstones if self.is_newly_in_force(path)
        }
        for session_id in self.difference.texts:
            if new and (file := self.ours.entry(session_id)):
                new -= self._named_in(session_id, file)
        buried = {
            document_id: (plain(file), plain(file))
            for document_id in (self.ours.ids() if new else ())
            if (file := self.ours.entry(document_id))
            and new & self._named_in(document_id, file)
        }
        difference = replace(self.difference, texts={**buried, **self.difference.texts})
        return replace(self, difference=difference) if buried else self

    def versions(self, document_id: str) -> list[TreeEntry]:
        """Return the files of ours and theirs that differ, ours first."""
        versions = self.difference.texts.get(document_id)
        files = versions or (plain(self.ours.entry(document_id)),)
        return [*filter(None, dict.fromkeys(files))]

    def may_forget(self, document_id: str) -> bool:
        """Return whether a version that stands alone may have something forgotten.

        What only theirs has is as whoever forgets there left it, and need not be read:
        a newcomer does not wait for all of it because of one tombstone.
        """
        is_ours = self.ours.entry(document_id) is not None
        return self.forgets if is_ours else self.ours_forgets

    @cached_property
    def ended(self) -> dict[str, D]:
        """Merge documents that are in use here, and out of use there, by id.

        They are out of use then: no clone puts one in use again by having changed
        something else of it.
        """
        kind, ended_documents = self.ours.kind, dict[str, D]()
        for document_id, files in self.difference.texts.items() if kind.can_end else ():
            present_files = [
                f for f in files if f and not self.is_forgotten(document_id, f)
            ]
            if len(present_files) > 1:
                ours, theirs = (
                    self.document(document_id, file) for file in present_files
                )
                if ours == kind.in_use(ours) and theirs != kind.in_use(theirs):
                    ended_documents[document_id] = kind.merge(ours, theirs)
        return ended_documents

    def is_in_force(self, path: str) -> bool:
        """Return whether something is forgotten, by both sides together."""
        record = self.records.get(path)
        if record is None:
            return tombstones.is_in_force(self.ours, path)
        return self._tells_of_forgetting(record)

    def is_newly_in_force(self, path: str) -> bool:
        """Return whether something is forgotten that is not forgotten here."""
        is_in_force_here = tombstones.is_in_force(self.ours, path)
        return not is_in_force_here and self.is_in_force(path)

    def is_forgotten(self, session_id: str, file: TreeEntry) -> bool:
        if not self.has_tombstones:
            return False
        text = self.ours.content(file)
        return self.is_in_force(self._subject_path(session_id, text))

    def _subject_path(self, document_id: str, text: str) -> str:
        return tombstones.subject_path(self.ours.kind.subject_in(document_id, text))

    def document(self, session_id: str, file: TreeEntry) -> D:
        """Parse a document, without the items that are forgotten."""
        return self.read(session_id, file)[0]

    def read(self, session_id: str, file: TreeEntry) -> tuple[D, TreeEntry | None]:
        """Parse a document without forgotten items; the file if none are forgotten."""
        document = self.ours.kind.parse(session_id, self.ours.content(file))
        if not self.has_tombstones:
            return document, file
        remaining = self.ours.kind.without_items(
            document, lambda item: self.is_in_force(tombstones.subject_path(item))
        )
        return remaining, file if remaining == document else None

    def _named_in(self, session_id: str, file: TreeEntry) -> set[str]:
        """Return the tombstone paths of a session and of its items."""
        kind = self.ours.kind
        document = kind.parse(session_id, self.ours.content(file))
        items = (
            tombstones.subject_path(subject) for subject, _ in kind.items(document)
        )
        return {*tombstones.paths_of(kind, document), *items}

    def _prevailing(
        self, path: str, ours: TreeEntry | None, theirs: TreeEntry | None
    ) -> TreeEntry | None:
        files = filter(None, (ours, None if path in self.held_paths else theirs))
        texts = {self.ours.content(file): file for file in files}
        return texts[tombstones.prevailing(texts)] if texts else None

    def _of_other_ids(self, differing: dict[str, TreeEntry]) -> dict[str, TreeEntry]:
        """Add tombstones for other ids of forgotten sessions.

        Conversations are known by their ids alone.
        """
        records: dict[str, TreeEntry] = {}
        if not (differing or self.ours.folder(tombstones.ROOT)):
            return records
        for session_id, (ours, theirs) in self.difference.texts.items():
            for file in filter(None, (ours, theirs if self.ours_forgets else None)):
                text = self.ours.content(file)
                path = self._subject_path(session_id, text)
                record = differing.get(path) or self.ours.file(path)
                if record and self._tells_of_forgetting(record):
                    kind = self.ours.kind
                    document = kind.parse(session_id, text)
                    paths = tombstones.paths_of(kind, document)
                    records |= dict.fromkeys(self._without_record(paths), record)
        return records

    def _tells_of_forgetting(self, record: TreeEntry) -> bool:
        return tombstones.read_tombstone(self.ours.content(record)).is_in_force

    def _without_record(self, paths: Iterable[str]) -> list[str]:
        trees = self.ours, self.theirs
        free = (path for path in paths if path not in self.held_paths)
        return [path for path in free if not any(tree.file(path) for tree in trees)]


@frozen
class Course:
    parents: list[Oid]
    """Parents of the merge commit."""
    base: Oid | None
    """The commit at which they parted."""
    is_ahead: bool = False
    """True if theirs has nothing new."""

    @classmethod
    def of(
        cls,
        git: Repository,
        ours: AnyTree,
        theirs: AnyTree,
        memory: AnyTree,
    ) -> Self:
        """Find the course of a merge; `memory` has their tombstones."""
        our_tip, their_tip = ours.commit, theirs.commit
        only_theirs = [their_tip] if their_tip else []
        if our_tip is None:
            return cls(only_theirs, None, is_ahead=their_tip is None)
        base = git.merge_base(our_tip, their_tip) if their_tip else None
        if base == our_tip:
            return cls(only_theirs, our_tip)
        if is_given_up(git, ours, theirs, memory, base):
            return cls(only_theirs, base)
        if base == their_tip:
            return cls([our_tip], base, is_ahead=True)
        if their_tip and _has_merges_alone(git, our_tip, their_tip):
            return cls(only_theirs, base)
        return cls([our_tip, *only_theirs], base)


def is_given_up(
    git: Repository,
    ours: AnyTree,
    theirs: AnyTree,
    memory: AnyTree,
    base: Oid | None,
    held_paths: Collection[str] = (),
) -> bool:
    """Return whether commits of ours have what was forgotten together with its history.

    Tombstones that are held back do not count. Where theirs has nothing new, nor do
    those that ours has as well: what they forget was not saved again.
    """
    has_news, tombstones = base != theirs.commit, with_history(memory) - {*held_paths}
    if memory is theirs and not has_news and tombstones:
        tombstones -= with_history(ours)
    return remembers(git, ours, base, tombstones)


def _has_merges_alone(git: Repository, ours: Oid, theirs: Oid) -> bool:
    """Return whether all commits that only ours has are merges."""
    our_commits = git.ancestry(ours, theirs)
    return all(len(commit_parts(commit.content).parents) > 1 for commit in our_commits)
