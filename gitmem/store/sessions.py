"""The sessions of a repository: commits on one ref, fed from the journal.

A checkpoint is acknowledged once the journal has it. `drain` then makes commits of what
was acknowledged, one a checkpoint, under the lock and by compare-and-swap. The same
record on the same parent makes the same commit, so a drain that was cut off is simply
done again.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from gitmem.errors import Busy, Damaged, FormatTooNew, InvalidInput
from gitmem.model import record as records
from gitmem.model.changes import Changes
from gitmem.model.checkpoint import apply
from gitmem.model.document import FORMAT, render
from gitmem.model.event import began_at
from gitmem.model.identity import document_path, new_session_id, provisional_slug
from gitmem.model.message import commit_message
from gitmem.model.record import Record
from gitmem.model.redaction import Redacted, redact, seal
from gitmem.model.session import Session
from gitmem.store.journal import Entry, Journal, journal_name
from gitmem.store.lock import PATIENCE, locked
from gitmem.store.memory import FORMAT_FILE, REF, Memory
from gitmem.store.pending import Pending, pending_in
from gitmem.store.project import project_name
from gitmem.store.repository import Oid, Repository, Signature

FALLBACK_IDENTITY = ("gitmem", "gitmem@localhost")
"""Author of checkpoints where git has no user.name and user.email."""

_TRIES, _TRIES_IF_DAMAGED = 20, 5


@dataclass(frozen=True, slots=True)
class _Drained:
    session_id: str | None
    """None where there was nothing worth a session."""


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
        self._lock = repository.common_dir / "ocm" / "lock"
        self.journal = Journal(repository.common_dir / "ocm" / "journal")

    def memory(self) -> Memory:
        return Memory(self._git, self._git.resolve_ref(REF))

    def changes(self, since: Oid | None) -> Changes:
        """The sessions that differ between the commit `since` and the tip."""
        now = self.memory()
        is_known = since is not None and self._git.tree_of(since) is not None
        before = Memory(self._git, since if is_known else None)
        ids = sorted(now.differing_ids(before))
        sessions = ((each, now.readable(each)) for each in ids)
        return Changes(before.commit, now.commit or "", len(ids), sessions)

    def append(self, record: Record) -> Receipt:
        """Acknowledge a checkpoint."""
        self.memory()  # nothing is acknowledged in a format that we do not know
        name = journal_name(record.client_session_id)
        return Receipt(name, self.journal.append(name, seal(record, records.to_json)))

    def session_of(self, receipt: Receipt) -> Session | None:
        """The session that an acknowledged checkpoint went to.

        None while no commit holds it.
        """
        mark = self.journal.mark_of(receipt.journal)
        if mark.offset < receipt.end or mark.session_id is None:
            return None
        return self.memory().session(mark.session_id)

    def drain(self, patience: float = PATIENCE, *, with_seen: bool = True) -> None:
        """Make commits of everything that was acknowledged, and of what hooks saw.

        What they saw since the last checkpoint can be left for the next one to take
        with it. Raises Busy when other writers do not let us in for `patience` seconds;
        what is pending stays so. A journal whose session cannot be read, or in which a
        newer gitmem wrote, waits and holds up no other.
        """
        if next(self.journal.undrained(), None) is None:
            return
        with locked(self._lock, patience):
            for name in self.journal.undrained():
                with suppress(FormatTooNew, InvalidInput, Damaged):
                    self._drain_journal(name, with_seen)

    def _drain_journal(self, name: str, with_seen: bool) -> None:
        project = project_name(self._git)
        for pending in pending_in(self.journal, name, project, self._is_kept):
            if pending.is_acknowledged or with_seen:
                self.journal.mark(pending.last, self._drain_pending(pending))

    def _drain_pending(self, pending: Pending) -> str | None:
        """Commit what is pending, if it is worth it; gives its journal's document."""
        known_id = self.journal.mark_of(pending.last.journal).session_id
        if pending.record is None:
            return known_id
        for attempt in range(_TRIES):
            try:
                if drained := self._commit(pending, pending.record, known_id):
                    return drained.session_id
            except Damaged:  # so it looks when `git gc` packs and removes beside us
                if attempt >= _TRIES_IF_DAMAGED:
                    raise
                time.sleep(0.05)
        raise Busy(f"{REF} kept moving; the checkpoint is safe and waits its turn.")

    def _commit(
        self, pending: Pending, record: Record, known_id: str | None
    ) -> _Drained | None:
        """Commit what is pending; None if the ref moved meanwhile."""
        memory = self.memory()
        known = known_id or record.session_id
        before = memory.session(known) if known else None
        before = before or self._renamed(memory, pending.last, record, known)
        if before is None and not pending.begins_a_session:
            return _Drained(known_id)
        after = before or _begin(memory, record, self._began_at(pending.last, record))
        for checkpoint in pending.checkpoints:
            after = apply(after, checkpoint)
        after = _with_slug(memory, after, record.checkpoint.slug)
        if after == before or self._write(memory, before, after, record):
            return _Drained(after.id)
        return None

    def _is_kept(self, root: str, path: str) -> bool:
        """Not what git ignores, and not what a link leads to outside of here."""
        try:
            folder = Path(root, path).resolve().parent
            is_inside = folder.is_relative_to(Path(root).resolve())
            return is_inside and not self._git.is_ignored(path)
        except (OSError, ValueError, RuntimeError, Damaged):  # no path, a loop of links
            return False

    def _renamed(
        self, memory: Memory, entry: Entry, record: Record, known: str | None
    ) -> Session | None:
        """The session of a record whose id, if one is known, names no document.

        It was renamed, or a drain was cut off before its mark: then it is found by the
        client's id, among the sessions that began that day.
        """
        day = known[:10] if known else f"{self._began_at(entry, record):%Y-%m-%d}"
        for session_id in memory.ids_of_day(day):
            session = memory.readable(session_id)
            if session and session.client_session_id == record.client_session_id:
                return session
        return None

    def _began_at(self, entry: Entry, record: Record) -> datetime:
        begun = began_at(self.journal.lines(entry.journal))
        return min(begun or record.checkpoint.at, record.checkpoint.at)

    def _write(
        self, memory: Memory, before: Session | None, after: Session, record: Record
    ) -> bool:
        """One commit with the new document; False when the ref moved meanwhile."""
        changes: dict[str, Redacted | None] = {}
        if before and before.id != after.id:
            changes[document_path(before.id)] = None
        changes[document_path(after.id)] = seal(after, render)
        if memory.commit is None:
            changes[FORMAT_FILE] = redact(f"{FORMAT}\n")
        commit = self._git.create_commit(
            self._git.write_tree(memory.tree, changes),
            [memory.commit] if memory.commit else [],
            redact(commit_message(before, after, record.checkpoint)),
            self.author(record.checkpoint.at),
        )
        reason = f"checkpoint: {after.id}"
        return self._git.update_ref(REF, memory.commit, commit, reason)

    def author(self, when: datetime) -> Signature:
        """Whose commits ours are: those of the user that git knows."""
        keys = ("user.name", "user.email")
        name, email = (_plain(self._git.config(key) or "") for key in keys)
        fallback = FALLBACK_IDENTITY
        return Signature(name or fallback[0], email or fallback[1], when)


def _plain(name: str) -> str:
    """A name as git writes it into commits: ident.c drops what could end it there."""
    printable = "".join(c for c in name if c.isprintable() and c not in "<>")
    return printable.strip(" .,:;<>\"\\'")


def _begin(memory: Memory, record: Record, started_at: datetime) -> Session:
    slug = record.checkpoint.slug or provisional_slug(record.client_session_id)
    return Session(
        id=_new_id(memory, started_at, record.tool, slug),
        tool=record.tool,
        project=record.project,
        client_session_id=record.client_session_id,
        started_at=started_at,
        updated_at=started_at,
    )


def _with_slug(memory: Memory, session: Session, slug: str | None) -> Session:
    """The session renamed, once, if its slug was only provisional."""
    current = session.id.rpartition("_")[2]
    if not slug or not current.startswith(provisional_slug(session.client_session_id)):
        return session
    name = _new_id(memory, session.started_at, session.tool, slug)
    return replace(session, id=name, renamed_from=session.id)


def _new_id(memory: Memory, started_at: datetime, tool: str, slug: str) -> str:
    taken = set(memory.ids_of_day(f"{started_at:%Y-%m-%d}"))
    return new_session_id(started_at, tool, slug, taken)
