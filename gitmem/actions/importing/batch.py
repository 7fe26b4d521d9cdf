"""Write imported conversations in batches, all of a batch or nothing.

Syncing to disk costs more than writing, so sessions share one sync. Other writers wait
meanwhile, which bounds the size of a batch. The report fills as the import goes, so
that an interrupted one has it.
"""

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from gitmem.actions.importing.derive_session import Derived
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.session import SDK_CLI, Session, is_of_program
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.indexing import caught_up_index
from gitmem.redaction.redact import redact
from gitmem.store.import_batch import ImportedConversation, ImportOutcome, prepared
from gitmem.store.lookup import Lookup
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.session_tree import is_conversation_forgotten
from gitmem.workspace import Workspace

_MOST_KEPT = 10
"""Unread parts of a file that are listed."""


class ImportStatus(StrEnum):
    NEW = "new"
    COMPLETED = "completed"  # it was there, and something was added
    ALREADY = "already"  # all of it was there
    FORGOTTEN = "forgotten"  # by the user, and so it is not brought back
    TOO_LARGE = "too-large"  # its document would be, and so it stays as it was


@frozen(kw_only=True)
class Imported:
    """One imported session, or in a rehearsal a planned one."""

    outcome: ImportStatus
    session_id: str | None
    began_at: datetime
    goal: str
    prompts: int
    files: int


@dataclass(slots=True)
class Trouble:
    count: int = 0
    first: list[Unread] = field(default_factory=list)


@dataclass(slots=True)
class ImportReport:
    files: int = 0
    size: int = 0
    sessions: list[Imported] = field(default_factory=list)
    passed_over: int = 0
    earlier: int = 0
    programs: int = 0
    """Conversations of programs that nobody named."""
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Conversations by the folder they were held in, "" if unknown."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Edits by removed folder that may have been a work tree of another repository."""
    unread: dict[Path, Trouble] = field(default_factory=dict)

    @property
    def conversations(self) -> int:
        left_out = self.passed_over + self.earlier + self.programs
        here = len(self.sessions) + left_out
        return here + self.elsewhere.total()

    def note_unread(self, file: Path, unread: Unread) -> None:
        trouble = self.unread.setdefault(file, Trouble())
        trouble.count += unread.count
        if len(trouble.first) < _MOST_KEPT:
            trouble.first.append(unread)

    def count(self, outcome: ImportStatus) -> int:
        return sum(each.outcome is outcome for each in self.sessions)


def as_json(report: ImportReport) -> dict[str, Any]:
    return {
        "files": report.files,
        "bytes": report.size,
        "sessions": [
            {
                "outcome": each.outcome,
                "session_id": each.session_id,
                "date": f"{each.began_at:%Y-%m-%d}",
                "goal": each.goal,
                "prompts": each.prompts,
                "files": each.files,
            }
            for each in report.sessions
        ],
        "passed_over": report.passed_over,
        "earlier": report.earlier,
        "programs": report.programs,
        "elsewhere": [
            {
                "folder": redact(folder),
                "conversations": count,
                "is_there": is_there(folder),
            }
            for folder, count in report.elsewhere.most_common()
        ],
        "left_out": [
            {"folder": redact(folder), "edits": count}
            for folder, count in report.left_out.most_common()
        ],
        "unread": [
            {
                "file": redact(str(file)),
                "parts": trouble.count,
                "first": [
                    {"line": each.line, "reason": each.reason, "count": each.count}
                    for each in trouble.first
                ],
            }
            for file, trouble in report.unread.items()
        ],
    }


def is_there(folder: str) -> bool:
    """Tell whether a folder that a transcript names still exists."""
    try:
        return Path(folder).is_absolute() and Path(folder).is_dir()
    except (OSError, ValueError):
        return False


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
        has_memory = self._store.memory().commit is not None
        self._index = caught_up_index(workspace) if has_memory else None
        self._added: dict[str, str] = {}

    def session_of(self, client_session_id: str) -> Session | None:
        """Return the oldest session with this clean client id, also if renamed."""
        lookup = Lookup(self._store.memory(), self._store.journal, self._indexed)
        return lookup.oldest_of_conversation(client_session_id)

    def without_copy(self, transcript: Transcript) -> Transcript:
        """Return the transcript without what it copied of a conversation known here."""
        own_part, tool = transcript.own_part, transcript.tool
        if own_part is None:
            return transcript
        parent, memory = clean_client_id(transcript.parent), self._store.memory()
        is_known = parent in self._coming or self.session_of(parent) is not None
        is_known = is_known or is_conversation_forgotten(memory, tool, parent)
        return own_part if is_known else transcript

    def is_of_program(self, found: Derived) -> bool:
        """Tell whether a program held it, and nothing came of it here."""
        made = found.record.checkpoint
        session = self.session_of(found.record.client_session_id)
        is_saved = session is not None and not is_of_program(session)
        has_result = bool(made.files or made.commits) or is_saved
        return bool(made.program) and (made.program != SDK_CLI or not has_result)

    def add(self, session: Session) -> None:
        self._added[session.client_session_id] = session.id

    def _indexed(self, client_session_id: str) -> list[str]:
        added = [*filter(None, [self._added.get(client_session_id)])]
        if self._index is None:
            return added
        try:
            return added + self._index.lookup(client_session_id)
        except Damaged:
            self._index = caught_up_index(self.workspace)
            return added + self._index.lookup(client_session_id)


_MOST_SESSIONS = 100
_MOST_SAID = 8_000_000
_MOST_READ = 32_000_000
"""Bytes of transcripts that an interrupted import has to read again, at most."""


class Batch:
    """Conversations that were read and not written yet."""

    def __init__(
        self, store: SessionStore, known: Known, report: Callable[[Imported], None]
    ) -> None:
        self._store = store
        self._known = known
        self._report = report
        self._waiting: dict[str, tuple[Derived, ImportedConversation]] = {}
        self._read = 0

    def add(self, found: Derived, turns: Sequence[Turn]) -> None:
        """Add a conversation; a second part of one saves the batch first."""
        client_id = found.record.client_session_id
        if client_id in self._waiting:
            self.save()
        known = self._known.session_of(client_id)
        record = replace(found.record, session_id=known.id if known else None)
        if known:  # it keeps the name that it has
            checkpoint = replace(record.checkpoint, slug=None)
            record = replace(record, checkpoint=checkpoint)
        self._waiting[client_id] = found, prepared(record, found.began_at, turns)
        self._save_if_full()

    def note_read(self, size: int) -> None:
        self._read += size
        self._save_if_full()

    def save(self) -> None:
        """Write what waits, all of it or nothing."""
        waiting, self._waiting, self._read = list(self._waiting.values()), {}, 0
        if not waiting:
            return
        made = self._store.import_conversations([each for _, each in waiting])
        for one, (found, _) in zip(made, waiting, strict=True):
            if one.after:
                self._known.add(one.after)
            self._report(imported(found, _outcome(one), one.id))

    def _save_if_full(self) -> None:
        said = sum(len(each.said) for _, each in self._waiting.values())
        is_full = len(self._waiting) >= _MOST_SESSIONS or said >= _MOST_SAID
        if is_full or self._read >= _MOST_READ:
            self.save()


def imported(found: Derived, outcome: ImportStatus, session_id: str | None) -> Imported:
    made = found.record.checkpoint
    return Imported(
        outcome=outcome,
        session_id=session_id,
        began_at=found.began_at,
        goal=redact(made.goal or ""),
        prompts=found.prompt_count,
        files=len(made.files),
    )


def _outcome(made: ImportOutcome) -> ImportStatus:
    if made.is_forgotten:
        return ImportStatus.FORGOTTEN
    if made.is_too_large:
        return ImportStatus.TOO_LARGE
    if made.after and made.before is None:
        return ImportStatus.NEW
    is_same = made.before == made.after and not made.is_said_anew
    return ImportStatus.ALREADY if is_same or not made.after else ImportStatus.COMPLETED
