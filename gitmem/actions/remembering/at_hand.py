"""What a conversation is told before it edits a file."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import PurePosixPath

from gitmem.actions import detached
from gitmem.actions.any_kind import current
from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.recent import recent
from gitmem.actions.remembering.statement import in_one_line
from gitmem.config import RECALL_SETTING, is_recalled
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.kind import ACTIVE, WITH_FILES
from gitmem.documents.session.session import Session, Statement, statements
from gitmem.search.queries.query import of_words
from gitmem.store.file_notes import FileNotes
from gitmem.store.trees.committing import circle_in
from gitmem.workspace import Workspace

_MOST_MEMORIES = 1000
_FEW_FILES = 3
"""A session that touched so few: what it decided is about them."""
_BEFORE_AN_EDIT = frozenset({"decision", "failed", "constraint"})
_LINES = 2


def start_noting(workspace: Workspace) -> None:
    """Have the notes for files made anew, in another process, where they are old."""
    if FileNotes(workspace.own_dir).state != _state(workspace):
        with suppress(OSError):
            detached.start_in(workspace.repository.common_dir, "notes")


def note_files(workspace: Workspace) -> None:
    """Write down what is told before each file is edited. Raises OSError."""
    notes: dict[str, list[str]] = {}
    state = _state(workspace)
    if is_recalled(workspace.repository.config(RECALL_SETTING), "files"):
        for path, line in chain(_of_memories(workspace), _of_sessions(workspace)):
            lines = notes.setdefault(path, [])
            if len(lines) < _LINES and line not in lines:
                lines.append(line)
    FileNotes(workspace.own_dir).write(state, notes)


def _state(workspace: Workspace) -> str:
    git = workspace.repository
    tips = (git.resolve_ref(kind) for kind in (MEMORY.ref, workspace.store.kind.ref))
    return " ".join([git.config(RECALL_SETTING) or "", *(tip or "" for tip in tips)])


def _of_memories(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Paths and lines, the newest memory first."""
    own, now = circle_in(workspace.repository), workspace.now()
    tree = current(workspace, MEMORY)
    query = of_words("", MEMORY.name, ((WITH_FILES,), (ACTIVE,)))
    hits = ask_index(workspace, lambda at: at.search(query, limit=_MOST_MEMORIES))
    for memory in filter(None, (tree.readable(hit.id) for hit in hits)):
        is_for_all = memory.is_current(now) and memory.scope != "session"
        if is_for_all and own.trusts(memory.author):
            for path in {file.path for file in memory.files}:
                yield path, in_one_line(memory.kind, memory.title, memory.id)


def _of_sessions(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The same of what the newest sessions decided, and of what failed in them."""
    for session in recent(workspace, workspace.store.memory()).own:
        for statement in statements(session):
            if statement.kind in _BEFORE_AN_EDIT:
                line = in_one_line(statement.kind, statement.text, statement.reference)
                yield from ((path, line) for path in _about(session, statement))


def _about(session: Session, statement: Statement) -> Iterator[str]:
    """Files that a statement names, or all where its session touched but a few."""
    is_small = len(session.files) <= _FEW_FILES
    for file in session.files:
        if is_small or PurePosixPath(file.path).name in statement.text:
            yield file.path
