"""The sessions of a repository, fed from the journals of their conversations.

Each checkpoint is one commit, with what hooks saw before it. `import_conversations`
needs no journal: the assistant keeps the transcripts, and an interrupted import is
repeated. Its objects are synced together, and refs move after that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path

from gitmem.documents.event import Event, Start
from gitmem.documents.event_log import first_event
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import apply
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.naming import with_slug
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.git.repository import Repository, project_name
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import seal
from gitmem.store.document_store import (
    DocumentEdit,
    DocumentStore,
    PendingEdit,
    ReplayOutcome,
)
from gitmem.store.forgetting.removal import Removal, remove_from_backups
from gitmem.store.import_batch import ImportedConversation, ImportOutcome, imported
from gitmem.store.journal.journal import Entry, journal_name
from gitmem.store.journal.pending import Pending, pending_in
from gitmem.store.lock import locked
from gitmem.store.trees.committing import in_some_try
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    begun,
    message,
    session_of,
    was_forgotten,
)


class SessionStore(DocumentStore[Session]):
    """Reads the memory at its tip; writes it by way of the journal."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository, SESSION)

    def append(self, record: Record) -> Entry:
        """Acknowledge a checkpoint."""
        self.memory()  # nothing is acknowledged in a format that we do not know
        name = journal_name(record.client_session_id)
        return self.journal.append(name, seal(record, records.to_json))

    def session_of(self, acknowledged: Entry) -> Session | None:
        """Return the session that an acknowledged checkpoint went to.

        None while no commit holds it.
        """
        mark = self.journal.position_of(acknowledged.journal)
        if mark.offset < acknowledged.end or mark.document_id is None:
            return None
        return self.memory().document(mark.document_id)

    def import_conversations(
        self, conversations: Sequence[ImportedConversation]
    ) -> list[ImportOutcome]:
        """Write the conversations that an import read: all of them or none.

        One commit a session, unless it knows all of it, and one commit for what was
        said in all of them. None where a session would be new and there is nothing
        worth one. Whoever imports replays first: what hooks saw of the conversations is
        not looked for. Raises Busy when other writers do not let us in; they wait
        meanwhile, so no more is given at once than is written in a second.
        """
        with locked(self.lock):
            attempt = partial(imported, self._git, conversations)
            return in_some_try(self._git, REF, attempt)

    def remove_from_backups(self, removal: Removal) -> None:
        """Raises Busy when other writers do not let us in."""
        with locked(self.lock):
            attempt = partial(remove_from_backups, self._git, removal)
            in_some_try(self._git, REF, attempt)

    def _pending(self, name: str) -> Iterator[PendingEdit[Session]]:
        first = first_event(self.journal.lines(name))
        project = project_name(self._git)
        for pending in pending_in(self.journal, name, project, self._known):
            edit = partial(self._edit, pending, first)
            yield PendingEdit(pending.last, edit, pending.is_acknowledged)

    def _edit(
        self,
        pending: Pending,
        first: Event | None,
        tree: SessionTree,
        known_id: str | None,
    ) -> DocumentEdit[Session] | ReplayOutcome:
        """Find what pending lines make of their session.

        `first` is the event with which hooks saw the conversation begin.
        """
        record = pending.record
        if record is None:
            return ReplayOutcome(known_id)
        made, named = record.checkpoint, known_id or record.session_id
        began_at = min(first.at, made.at) if first else made.at
        tools = {record.tool, *([first.tool] if first else [])}
        is_of_these_days = named is None and not _is_resumption(first)
        day = began_at if is_of_these_days else None
        before = session_of(tree, record, named, tools, day)
        if before is None:
            if was_forgotten(tree, record, named, tools):
                return ReplayOutcome(None, is_forgotten=True)
            if not pending.begins_a_session:
                return ReplayOutcome(known_id)
        start = before or begun(self._git, record, began_at)
        versions = (
            (with_slug(start, reduce(apply, checkpoints, start), made.slug), most)
            for checkpoints, most in pending.portions()
        )
        return DocumentEdit(
            before, versions, lambda after: message(before, after, made), made.at
        )

    def _known(self, root: str, file: FileChange) -> FileChange | None:
        """Return None for an ignored file, and for a link that leads outside.

        What git does not track yet is new, even if the hook did not say so.
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


def _is_resumption(first: Event | None) -> bool:
    """Return whether the conversation was there before hooks heard of it."""
    return isinstance(first, Start) and first.source == "resume"
