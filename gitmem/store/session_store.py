"""The sessions of a repository: commits on one ref, fed from the journal.

A checkpoint is acknowledged once the journal has it. `replay` then commits what was
acknowledged, one commit a checkpoint, under the lock and by compare-and-swap. The same
record on the same parent makes the same commit, so an interrupted replay is repeated.
`import_conversations` needs no journal: the assistant keeps the transcripts, and an
interrupted import is repeated as well. It writes many sessions, so their objects become
durable together, and refs move after that: whenever it is interrupted, refs lead to
objects that are on the disk.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, reduce
from itertools import chain
from pathlib import Path

from gitmem.documents.event import Event, Start, first_event
from gitmem.documents.kinds import SESSION
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, FormatTooNew, InvalidInput
from gitmem.git.layout import own_dir, project_name
from gitmem.git.odb.object_backup import Watch, release
from gitmem.git.repository import Repository
from gitmem.git.values import Change, FileChange, Signature
from gitmem.redaction.redact import seal
from gitmem.store.forgetting.removal import (
    Removal,
    remove,
    remove_from_backups,
    remove_items,
)
from gitmem.store.forgotten_here import note_forgotten
from gitmem.store.import_batch import ImportedConversation, ImportOutcome, imported
from gitmem.store.journal.journal import Entry, Journal, journal_name
from gitmem.store.journal.pending import Pending, pending_in
from gitmem.store.lock import PATIENCE, locked
from gitmem.store.lookup import (
    of_any_day,
    session_of,
    was_forgotten,
)
from gitmem.store.session_commit import TooLargeError, begun, committed
from gitmem.store.trees.committing import Move, author, in_some_try
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    is_conversation_forgotten,
    sessions_at_tip,
)
from gitmem.store.trees.tombstones import paths_of_ids


@dataclass(frozen=True, slots=True)
class _Outcome:
    session_id: str | None
    """The journal's document; None where there was nothing worth one."""
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is given for an acknowledged checkpoint."""

    journal: str
    end: int
    """Where its record ends in the journal, in bytes."""


class SessionStore:
    """Reads the memory at its tip; writes it by way of the journal.

    Every method raises FormatTooNew when a newer gitmem wrote the memory, and Damaged
    when git cannot read it.
    """

    def __init__(self, repository: Repository) -> None:
        self._git = repository
        self.lock = own_dir(repository.common_dir) / "lock"
        self.journal = Journal(own_dir(repository.common_dir) / "journal")
        self._kept = Watch(repository.common_dir)
        self._memory: SessionTree | None = None

    def memory(self) -> SessionTree:
        """What was read of its trees is kept for as long as the ref stays there."""
        self._memory = sessions_at_tip(self._git, self._memory)
        return self._memory

    def append(self, record: Record) -> Receipt:
        """Acknowledge a checkpoint."""
        self.memory()  # nothing is acknowledged in a format that we do not know
        name = journal_name(record.client_session_id)
        return Receipt(name, self.journal.append(name, seal(record, records.to_json)))

    def session_of(self, receipt: Receipt) -> Session | None:
        """The session that an acknowledged checkpoint went to.

        None while no commit holds it.
        """
        mark = self.journal.position_of(receipt.journal)
        if mark.offset < receipt.end or mark.session_id is None:
            return None
        return self.memory().document(mark.session_id)

    def replay(self, patience: float = PATIENCE, *, with_observed: bool = True) -> None:
        """Make commits of everything that was acknowledged, and of what hooks saw.

        What they saw since the last checkpoint can be left for the next one to take
        with it. Raises Busy when other writers do not let us in for `patience` seconds;
        what is pending stays so. A journal whose session cannot be read, or in which a
        newer gitmem wrote, waits and holds up no other.
        """
        self._kept.look()
        if next(self.journal.unreplayed(), None) is None:
            return
        with locked(self.lock, patience):
            self._replay(with_observed=with_observed)
            self._kept.look()

    def import_conversations(
        self, conversations: Sequence[ImportedConversation]
    ) -> list[ImportOutcome]:
        """What becomes of each conversation that an import read: all of them or none.

        One commit a session, unless it knows all of it, and one commit for what was
        said in all of them. None where a session would be new and there is nothing
        worth one. Whoever imports replays first: what hooks saw of the conversations is
        not looked for. Raises Busy when other writers do not let us in; they wait
        meanwhile, so no more is given at once than is written in a second.
        """
        with locked(self.lock):
            attempt = partial(imported, self._git, self.journal, conversations)
            made = in_some_try(self._git, REF, attempt)
            self._kept.look()
        return made

    def remove(self, removal: Removal) -> None:
        """Take sessions out of the memory; what is pending is replayed before.

        So nothing that was acknowledged is lost where they stay after all. Raises Busy
        when other writers do not let us in.
        """
        with locked(self.lock):
            self._replay(with_observed=True)
            if removal.from_history:
                release(self._git.common_dir)
            paths = (paths_of_ids(SESSION, each) for each in removal.sessions)
            note_forgotten(self._git.common_dir, chain.from_iterable(paths))
            in_some_try(self._git, REF, partial(remove, self._git, removal))
            self._kept.look()

    def remove_items(
        self, session_id: str, items: Collection[str], when: datetime
    ) -> None:
        """Take items out of a session, by their texts; raises Busy as `remove`."""
        with locked(self.lock):
            self._replay(with_observed=True)
            attempt = partial(remove_items, self._git, session_id, items, when)
            in_some_try(self._git, REF, attempt)
            self._kept.look()

    def remove_from_backups(self, removal: Removal) -> None:
        """Raises Busy when other writers do not let us in."""
        with locked(self.lock):
            attempt = partial(remove_from_backups, self._git, removal)
            in_some_try(self._git, REF, attempt)

    def author(self, when: datetime) -> Signature:
        """Whose commits ours are: those of the user that git knows."""
        return author(self._git, when)

    def _replay(self, *, with_observed: bool) -> None:
        for name in self.journal.unreplayed():
            with suppress(FormatTooNew, InvalidInput, Damaged):
                self._replay_journal(name, with_observed)

    def _replay_journal(self, name: str, with_observed: bool) -> None:
        project = project_name(self._git)
        for pending in pending_in(self.journal, name, project, self._known):
            if pending.is_acknowledged or with_observed:
                outcome = self._replay_pending(pending)
                if outcome.is_forgotten:
                    self.journal.forget(name)
                    return
                self.journal.mark(pending.last, outcome.session_id)

    def _replay_pending(self, pending: Pending) -> _Outcome:
        """Commit what is pending, if it is worth it."""
        known_id = self._id_marked(pending.last.journal)
        if pending.record is None:
            return _Outcome(known_id)
        commit = partial(self._commit, pending, pending.record, known_id)
        return in_some_try(self._git, REF, commit)

    def _commit(
        self, pending: Pending, record: Record, known_id: str | None
    ) -> _Outcome | None:
        """Commit what is pending; None if the ref moved meanwhile."""
        memory, known = self.memory(), known_id or record.session_id
        began_at = partial(self._began_at, pending.last, record)
        before = session_of(memory, record, known, began_at)
        if before is None and known is None and self._is_resumed(pending.last):
            before = of_any_day(memory, record.client_session_id)
        if before is None and self._is_forgotten(memory, pending.last, record, known):
            return _Outcome(None, is_forgotten=True)
        if before is None and not pending.begins_a_session:
            return _Outcome(known_id)
        start = before or begun(self._git, memory, record, began_at())
        for checkpoints, most in pending.portions():
            after = reduce(apply, checkpoints, start)
            with suppress(TooLargeError):
                return self._write(memory, before, after, record.checkpoint, most)
        raise InvalidInput(f"{start.id} has no room for what is pending.")

    def _id_marked(self, journal: str) -> str | None:
        """The document that a journal is for, as far as it is known."""
        return self.journal.position_of(journal).session_id

    def _known(self, root: str, file: FileChange) -> FileChange | None:
        """None for what git ignores, and for what a link leads to outside of here.

        What git does not track yet is new, also where a hook was not told so.
        """
        path = Path(root, file.path)
        try:
            is_inside = path.resolve().parent.is_relative_to(Path(root).resolve())
            if not is_inside or self._git.is_ignored(file.path):
                return None
            is_here = self._git.work_tree == Path(root) and path.is_file()
        except (OSError, ValueError, RuntimeError, Damaged):  # no path, a loop of links
            return None
        is_new = is_here and not self._git.tracks(file.path)
        return replace(file, change=Change.CREATED) if is_new else file

    def _began_at(self, entry: Entry, record: Record) -> datetime:
        first = self._first_event(entry)
        return min(first.at if first else record.checkpoint.at, record.checkpoint.at)

    def _is_resumed(self, entry: Entry) -> bool:
        """Whether the conversation was there before hooks heard of it."""
        first = self._first_event(entry)
        return isinstance(first, Start) and first.source == "resume"

    def _is_forgotten(
        self, memory: SessionTree, entry: Entry, record: Record, known_id: str | None
    ) -> bool:
        """Also where whoever saves calls itself otherwise than the hooks do."""
        if was_forgotten(memory, record, known_id):
            return True
        first, client_id = self._first_event(entry), record.client_session_id
        return first is not None and is_conversation_forgotten(
            memory, first.tool, client_id
        )

    def _first_event(self, entry: Entry) -> Event | None:
        return first_event(self.journal.lines(entry.journal))

    def _write(
        self,
        memory: SessionTree,
        before: Session | None,
        after: Session,
        made: Checkpoint,
        most: int,
    ) -> _Outcome | None:
        """One commit with the new document, if it is one; None if the ref moved."""
        with self._git.batch() as batch:
            after, commit = committed(batch, memory, before, after, made, most)
        move = Move(REF, memory.commit, commit, f"checkpoint: {after.id}")
        return _Outcome(after.id) if move.is_made(self._git) else None
