"""The documents of one kind in a repository: commits on a ref, fed from the journal.

A change is acknowledged once the journal has it. `replay` then commits what was
acknowledged, one commit a change, under the lock and by compare-and-swap. The same
change on the same parent makes the same commit, so an interrupted replay is repeated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from gitmem.documents.kind import ChangedKind, Kind
from gitmem.errors import Damaged, FormatTooNew, InvalidInput
from gitmem.frozen import frozen
from gitmem.git.layout import own_dir
from gitmem.git.odb.packs import release
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature
from gitmem.redaction.redact import Redacted, seal
from gitmem.store.forgetting.removal import (
    Removal,
    note_forgotten,
    remove,
    remove_items,
)
from gitmem.store.journal.beside import Position
from gitmem.store.journal.journal import Entry, journal_name, journal_of
from gitmem.store.lock import PATIENCE, locked
from gitmem.store.trees.committing import RefUpdate, author, commit_on, in_some_try
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip
from gitmem.store.trees.hand_edits import HandEdit, commit_edit, commit_new
from gitmem.store.trees.tombstones import is_forgotten, paths_of, without_forgotten

D = TypeVar("D")
C = TypeVar("C")


@frozen
class ReplayOutcome:
    """What a replay made of lines in a journal."""

    document_id: str | None
    """None where there was nothing worth a document."""
    is_forgotten: bool = False


@frozen
class DocumentEdit(Generic[D]):
    """A document as it shall be."""

    before: D | None
    versions: Iterable[tuple[D, int]]
    """The most complete first, each with the bytes that it may have."""
    message: Callable[[D], Redacted]
    changed_at: datetime


@frozen
class PendingEdit(Generic[D]):
    """What one commit shall hold, of lines in a journal."""

    last: Entry
    at: Callable[[DocumentTree[D], str | None], DocumentEdit[D] | ReplayOutcome]
    """Finds what to write at a commit, by the id of the journal's document, if any."""
    is_acknowledged: bool = True
    """True if somebody saved it, False if only hooks saw it."""


class DocumentStore(ABC, Generic[D]):
    """Reads the documents at the tip; writes them by way of the journal.

    Every method raises FormatTooNew when a newer gitmem wrote the documents, and
    Damaged when git cannot read them.
    """

    def __init__(self, repository: Repository, kind: Kind[D]) -> None:
        self.kind = kind
        self._git = repository
        self.lock = own_dir(repository.common_dir) / "lock"
        self.journal = journal_of(repository.common_dir, kind)
        self._tree: DocumentTree[D] | None = None

    def memory(self) -> DocumentTree[D]:
        """Return the documents at the tip; trees that were read are reused."""
        self._tree = tree_at_tip(self.kind, self._git, self._tree)
        return self._tree

    def replay(self, patience: float = PATIENCE, *, with_observed: bool = True) -> None:
        """Make commits of everything that was acknowledged, and of what hooks saw.

        What they saw since the last checkpoint can be left for the next one to take
        with it. Raises Busy when other writers do not let us in for `patience` seconds;
        what is pending stays so. A journal whose document cannot be read, or in which a
        newer gitmem wrote, waits and holds up no other.
        """
        if next(self.journal.unreplayed(), None) is None:
            return
        with locked(self.lock, patience):
            self._replay(with_observed=with_observed)

    def remove(self, removal: Removal) -> None:
        """Forget documents; what is pending is replayed before.

        So nothing that was acknowledged is lost where they stay after all. Raises Busy
        when other writers do not let us in.
        """
        with locked(self.lock):
            self._replay(with_observed=True)
            if removal.from_history:
                release(self._git.common_dir)
            for document in removal.documents:
                paths = paths_of(self.kind, document)
                note_forgotten(self._git.common_dir, paths)
            in_some_try(self._git, self.kind.ref, partial(remove, self._git, removal))

    def remove_items(
        self, document_id: str, items: Iterable[str], when: datetime
    ) -> None:
        """Forget items of a document, by their texts; raises Busy as `remove`."""
        with locked(self.lock):
            self._replay(with_observed=True)
            removed = frozenset(items)
            attempt = partial(
                remove_items, self._git, self.kind, document_id, removed, when
            )
            in_some_try(self._git, self.kind.ref, attempt)

    def edit(self, edit: HandEdit[D], when: datetime) -> None:
        """Commit a document as somebody edited it; what is pending is replayed before.

        Raises NotFound, InvalidInput where the document has no room for it, and Busy as
        `remove`.
        """
        with locked(self.lock):
            self._replay(with_observed=True)
            in_some_try(
                self._git,
                self.kind.ref,
                lambda: commit_edit(self._git, self.memory(), edit, when),
            )

    def add(self, documents: Iterable[D], message: Redacted, when: datetime) -> None:
        """Commit documents that are not there, all at once: an import has thousands.

        Raises Busy as `remove`.
        """
        new = [*documents]
        with locked(self.lock):
            self._replay(with_observed=True)
            in_some_try(
                self._git,
                self.kind.ref,
                lambda: commit_new(self._git, self.memory(), new, message, when),
            )

    def author(self, when: datetime) -> Signature:
        """Return the author of our commits: the user that git knows."""
        return author(self._git, when)

    def _replay(self, *, with_observed: bool) -> None:
        for name in self.journal.unreplayed():
            with suppress(FormatTooNew, InvalidInput, Damaged):
                self._replay_journal(name, with_observed)

    def _replay_journal(self, name: str, with_observed: bool) -> None:
        for pending in self._pending(name):
            if pending.is_acknowledged or with_observed:
                commit = partial(self._commit, pending)
                outcome = in_some_try(self._git, self.kind.ref, commit)
                if outcome.is_forgotten:
                    self.journal.forget(name)
                    return
                self._note_committed(pending.last, outcome.document_id)

    def _note_committed(self, last: Entry, document_id: str | None) -> None:
        self.journal.mark(last, document_id)

    @abstractmethod
    def _pending(self, name: str) -> Iterator[PendingEdit[D]]:
        """Return what a journal has that no commit holds, in its order.

        Raises FormatTooNew on reaching what a newer gitmem wrote.
        """

    def _commit(self, pending: PendingEdit[D]) -> ReplayOutcome | None:
        """Commit what is pending, if it is worth it; None if the ref moved."""
        known_id = self.journal.position_of(pending.last.journal).document_id
        tree = self.memory()
        edit = pending.at(tree, known_id)
        if isinstance(edit, ReplayOutcome):
            return edit
        with self._git.batch() as batch:
            saved = committed(batch, tree, edit)
        if saved is None:
            raise InvalidInput(f"The {self.kind.name} has no room for what is pending.")
        after, commit = saved
        after_id = self.kind.document_id(after)
        move = RefUpdate(self.kind.ref, tree.commit, commit, f"checkpoint: {after_id}")
        return ReplayOutcome(after_id) if move.is_made(self._git) else None


class ChangeStore(DocumentStore[D], Generic[D, C]):
    """The documents of a kind that has nothing but its changes: a commit each."""

    def __init__(self, repository: Repository, kind: ChangedKind[D, C]) -> None:
        super().__init__(repository, kind)
        self._changes = kind

    def append(self, change: C) -> None:
        """Acknowledge a change."""
        self.memory()  # nothing is acknowledged in a format that we do not know
        name, line = journal_name(self._changes.target(change)), self._changes.encode
        self.journal.append(name, seal(change, line))

    def remove(self, removal: Removal) -> None:
        """Forget documents, and what the journal has of them."""
        super().remove(removal)
        self.drop_journals(removal.documents)

    def drop_journals(self, documents: Iterable[D]) -> None:
        """Delete what the journal has of documents. Raises Busy as `remove`."""
        with locked(self.lock):
            for document in documents:
                self.journal.forget(journal_name(self.kind.document_id(document)))

    def _pending(self, name: str) -> Iterator[PendingEdit[D]]:
        for entry in self.journal.pending(name):
            change = self._changes.decode(entry.line)
            yield PendingEdit(entry, partial(self._edit, change))

    def _edit(
        self, change: C | None, tree: DocumentTree[D], known_id: str | None
    ) -> DocumentEdit[D] | ReplayOutcome:
        """Find what a change makes of its document; None is no change that we know."""
        kind = self._changes
        if change is None:
            return ReplayOutcome(known_id)
        before = tree.document(kind.target(change))
        if before is None and is_forgotten(tree, kind.target(change)):
            return ReplayOutcome(None, is_forgotten=True)
        return DocumentEdit(
            before,
            [(kind.apply(before, change), kind.most_bytes)],
            lambda after: kind.message(before, after, change),
            kind.changed_at(change),
        )

    def _note_committed(self, last: Entry, document_id: str | None) -> None:
        """Archive the journal, as nobody goes on with it: every writer looks at all."""
        self.journal.archive(last.journal, Position(last.end, document_id))


def committed(
    git: Repository, tree: DocumentTree[D], edit: DocumentEdit[D]
) -> tuple[D, Oid | None] | None:
    """Return the document of an edit, and the commit after `tree` that has it.

    Of its versions the first that has room, without what is forgotten of it; None where
    none has.
    """
    kind = tree.kind
    for version, most in edit.versions:
        after = without_forgotten(tree, version)
        if after == edit.before:
            return after, tree.commit
        text = seal(after, kind.render)
        if len(text.encode()) <= most:
            changes = {tree.path(kind.document_id(after)): text}
            by = author(git, edit.changed_at)
            return after, commit_on(git, tree, changes, edit.message(after), by)
    return None
