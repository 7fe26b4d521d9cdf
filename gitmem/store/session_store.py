"""The sessions of a repository, fed from the journals of their conversations.

Each checkpoint is one commit, with what hooks saw before it. An import needs no
journal: the assistant keeps the transcripts, and an interrupted import is repeated. Its
objects are synced together, and refs move after that.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial, reduce
from pathlib import Path

from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session import record as records
from gitmem.documents.session.change import KnownFile, SessionChange, changes_in
from gitmem.documents.session.completion import with_checkpoint
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, InvalidInput
from gitmem.frozen import frozen
from gitmem.git.repository import Repository, project_name
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import Redacted, seal
from gitmem.store.document_store import (
    DocumentEdit,
    DocumentStore,
    PendingEdit,
    ReplayOutcome,
    committed,
)
from gitmem.store.forgetting.removal import Removal, remove_from_backups
from gitmem.store.journal.journal import Entry, Journal, journal_name
from gitmem.store.lock import locked
from gitmem.store.trees.committing import RefUpdate, in_some_try
from gitmem.store.trees.conversation_tree import commit_conversations, text_of
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    begun,
    id_of_conversation,
    message,
    session_of,
    tools_in,
    was_forgotten,
)


@frozen
class ImportedConversation:
    """Made by `prepared` alone: what it holds is redacted."""

    change: SessionChange
    said: Redacted
    """As `documents.conversation` renders it; empty where it is not to be kept."""


@frozen
class ImportOutcome:
    before: Session | None
    """None where the conversation had no session."""
    after: Session | None
    """None where there was nothing worth one."""
    is_said_anew: bool = False
    """True if more of the conversation is stored than before."""
    is_forgotten: bool = False
    """True if the user forgot the session, which is not made again."""

    @property
    def id(self) -> str | None:
        return self.after.id if self.after else None

    @property
    def session_id(self) -> str | None:
        return self.after.session_id if self.after else None


def prepared(
    record: Record, began_at: datetime, turns: Iterable[Turn]
) -> ImportedConversation:
    """Redact a conversation, which takes time: call it outside of the lock.

    Raises InvalidInput for a record that no journal would take.
    """
    redacted = records.from_json(seal(record, records.to_json))
    if redacted is None:
        raise InvalidInput(f"No session can be made of {record.client_session_id}.")
    change = SessionChange(redacted, min(began_at, redacted.checkpoint.at))
    return ImportedConversation(change, text_of(turns))


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
        said in all of them. Whoever imports replays first: what hooks saw of the
        conversations is not looked for. Raises Busy when other writers do not let us
        in; they wait meanwhile, so no more is given at once than is written in a
        second.
        """
        with locked(self.lock):
            attempt = partial(self._imported, conversations)
            return in_some_try(self._git, REF, attempt)

    def remove_from_backups(self, removal: Removal) -> None:
        """Raises Busy when other writers do not let us in."""
        with locked(self.lock):
            attempt = partial(remove_from_backups, self._git, removal)
            in_some_try(self._git, REF, attempt)

    def _imported(
        self, conversations: Sequence[ImportedConversation]
    ) -> list[ImportOutcome] | None:
        """Write all of them or none; None if a ref moved meanwhile.

        Conversations move first: where the sessions do not follow, they are imported
        again, and what was said goes to the same places.
        """
        outcomes: list[ImportOutcome] = []
        with self._git.batch() as batch:
            tip = tree = tree_at_tip(SESSION, batch)
            for conversation in conversations:
                tree, outcome = self._import(batch, tip, tree, conversation.change)
                outcomes.append(outcome)
            pairs = zip(outcomes, conversations, strict=True)
            spoken = commit_conversations(
                batch,
                [(outcome.after, c.said) for outcome, c in pairs if outcome.after],
            )
        reason = f"import: {len(conversations)} conversations"
        for move in (spoken.move, RefUpdate(REF, tip.commit, tree.commit, reason)):
            if not move.is_made(self._git):
                return None
        return [
            replace(outcome, is_said_anew=outcome.id in spoken.ids)
            for outcome in outcomes
        ]

    def _import(
        self, batch: Repository, tip: SessionTree, tree: SessionTree, new: SessionChange
    ) -> tuple[SessionTree, ImportOutcome]:
        """Commit a conversation on `tree`; `tip` lists all folders only once."""
        tools = {new.record.tool, *tools_in(tip)}
        known_id = id_of_conversation(tip, tools, new.record.client_session_id)
        edit = self._edit(new, tree, known_id)
        if isinstance(edit, ReplayOutcome):
            return tree, ImportOutcome(None, None, is_forgotten=edit.is_forgotten)
        saved = committed(batch, tree, edit)
        if saved is None:
            return tree, ImportOutcome(edit.before, edit.before)
        after, commit = saved
        return tree.at(commit), ImportOutcome(edit.before, after)

    def _pending(self, name: str) -> Iterator[PendingEdit[Session]]:
        project = project_name(self._git)
        for last, change in pending_in(self.journal, name, project, self._known_file):
            is_acknowledged = change is not None and change.is_acknowledged
            yield PendingEdit(last, partial(self._edit, change), is_acknowledged)

    def _edit(
        self, change: SessionChange | None, tree: SessionTree, known_id: str | None
    ) -> DocumentEdit[Session] | ReplayOutcome:
        """Find what a change makes of its session; None is no change that we know."""
        if change is None:
            return ReplayOutcome(known_id)
        record, new = change.record, change.record.checkpoint
        session_id, tools = known_id or record.session_id, {record.tool, *change.tools}
        is_of_these_days = session_id is None and not change.is_resumed
        day = change.began_at if is_of_these_days else None
        before = session_of(tree, record, session_id, tools, day)
        if before is None:
            if was_forgotten(tree, record, session_id, tools):
                return ReplayOutcome(None, is_forgotten=True)
            if not change.begins_a_session:
                return ReplayOutcome(known_id)
        start = before or begun(self._git, record, change.began_at)
        versions = (
            (reduce(with_checkpoint, checkpoints, start), most)
            for checkpoints, most in change.portions()
        )
        return DocumentEdit(
            before, versions, lambda after: message(before, after, new), new.at
        )

    def _known_file(self, root: str, file: FileChange) -> FileChange | None:
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


def pending_in(
    journal: Journal, name: str, project: str, known_file: KnownFile
) -> Iterator[tuple[Entry, SessionChange | None]]:
    """Yield each change that no commit holds, with its last line.

    Raises FormatTooNew as `changes_in` does.
    """
    offset, entries = journal.position_of(name).offset, [*journal.entries(name)]
    earlier = [entry.line for entry in entries if entry.end <= offset]
    rest = [entry for entry in entries if entry.end > offset]
    lines = [entry.line for entry in rest]
    for end, change in changes_in(earlier, lines, project, known_file):
        yield rest[end - 1], change
