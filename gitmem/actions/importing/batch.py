"""Write imported conversations in batches, all of a batch or nothing.

Syncing to disk costs more than writing, so sessions share one sync. Other writers wait
meanwhile, which bounds the size of a batch.
"""

from collections.abc import Callable, Container, Sequence
from functools import cached_property

from gitmem.actions.importing.derive_session import DerivedSession
from gitmem.actions.importing.read_files import ReadSession
from gitmem.actions.importing.report import Imported, ImportStatus
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.assistants.transcripts import Transcript
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.conversation.kind import Turns
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.session import SDK_CLI, Session, is_of_program
from gitmem.redaction.redact import redact
from gitmem.store.session_store import (
    ImportedConversation,
    ImportOutcome,
    SessionStore,
    prepared,
)
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.session_tree import (
    id_of_conversation,
    is_conversation_forgotten,
    tools_in,
)
from gitmem.workspace import Workspace


class Known:
    def __init__(
        self,
        workspace: Workspace,
        coming: Container[str] = (),
        store: SessionStore | None = None,
    ) -> None:
        """`coming` has the ids of conversations that the same import reads.

        `store` is where it writes, if not to the memory of the workspace.
        """
        self.workspace = workspace
        self._coming = coming
        self._store = store or workspace.store
        self.keeps_conversations = keeps_conversations(workspace)

    def session_of(self, client_session_id: str) -> Session | None:
        """Return the session of the conversation with this clean client id."""
        memory = self._store.memory()
        document_id = id_of_conversation(memory, tools_in(memory), client_session_id)
        return memory.readable(document_id) if document_id else None

    def without_copy(self, transcript: Transcript) -> Transcript:
        """Return the transcript without what it copied of a conversation known here."""
        own_part, tool = transcript.own_part, transcript.tool
        if own_part is None:
            return transcript
        parent, memory = clean_client_id(transcript.parent), self._store.memory()
        is_known = parent in self._coming or self.session_of(parent) is not None
        is_known = is_known or is_conversation_forgotten(memory, tool, parent)
        return own_part if is_known else transcript

    def imported_before(self, read: ReadSession) -> Imported | None:
        """Return what became of a session that an unchanged file had.

        None where it or what was said in it is gone, though the user did not forget it.
        """
        client_id, memory = read.client_session_id, self._store.memory()
        session, outcome = self.session_of(client_id), ImportStatus.ALREADY
        if session is None:
            if not is_conversation_forgotten(memory, read.tool, client_id):
                return None
            outcome = ImportStatus.FORGOTTEN
        elif self.keeps_conversations and not self._conversations.text_like(session.id):
            return None
        return Imported(
            outcome=outcome,
            session_id=session.session_id if session else None,
            began_at=read.began_at,
            goal=redact(session.goal) if session else "",
            prompts=read.prompts,
            files=read.files,
        )

    @cached_property
    def _conversations(self) -> DocumentTree[Turns]:
        """Conversations as they were before this import."""
        return self.workspace.conversations

    def is_of_program(self, derived: DerivedSession) -> bool:
        """Tell whether a program held it, and nothing came of it here."""
        checkpoint = derived.record.checkpoint
        session = self.session_of(derived.record.client_session_id)
        is_saved = session is not None and not is_of_program(session)
        has_result = bool(checkpoint.files or checkpoint.commits) or is_saved
        return bool(checkpoint.program) and (
            checkpoint.program != SDK_CLI or not has_result
        )


_MOST_SESSIONS = 100
_MOST_SAID = 8_000_000
_MOST_READ = 32_000_000
"""Bytes of transcripts that an interrupted import has to read again, at most."""


class Batch:
    """Conversations that were read and not written yet."""

    def __init__(
        self,
        store: SessionStore,
        report: Callable[[Imported], None],
    ) -> None:
        self._store = store
        self._report = report
        self._waiting: dict[str, tuple[DerivedSession, ImportedConversation]] = {}
        self._read = 0

    def add(self, derived: DerivedSession, turns: Sequence[Turn]) -> None:
        """Add a conversation; a second part of one saves the batch first."""
        client_id = derived.record.client_session_id
        if client_id in self._waiting:
            self.save()
        conversation = prepared(derived.record, derived.began_at, turns)
        self._waiting[client_id] = derived, conversation
        self._save_if_full()

    def note_read(self, size: int) -> None:
        self._read += size
        self._save_if_full()

    def save(self) -> None:
        """Write what waits, all of it or nothing."""
        waiting, self._waiting, self._read = list(self._waiting.values()), {}, 0
        if not waiting:
            return
        outcomes = self._store.import_conversations(
            [conversation for _, conversation in waiting]
        )
        for outcome, (derived, _) in zip(outcomes, waiting, strict=True):
            self._report(imported(derived, _outcome(outcome), outcome.session_id))

    def _save_if_full(self) -> None:
        size = sum(len(conversation.said) for _, conversation in self._waiting.values())
        is_full = len(self._waiting) >= _MOST_SESSIONS or size >= _MOST_SAID
        if is_full or self._read >= _MOST_READ:
            self.save()


def imported(
    derived: DerivedSession, outcome: ImportStatus, session_id: str | None
) -> Imported:
    checkpoint = derived.record.checkpoint
    return Imported(
        outcome=outcome,
        session_id=session_id,
        began_at=derived.began_at,
        goal=redact(checkpoint.goal or ""),
        prompts=derived.prompt_count,
        files=len(checkpoint.files),
    )


def _outcome(outcome: ImportOutcome) -> ImportStatus:
    if outcome.is_forgotten:
        return ImportStatus.FORGOTTEN
    if outcome.after and outcome.before is None:
        return ImportStatus.NEW
    is_same = outcome.before == outcome.after and not outcome.is_said_anew
    return (
        ImportStatus.ALREADY if is_same or not outcome.after else ImportStatus.COMPLETED
    )
