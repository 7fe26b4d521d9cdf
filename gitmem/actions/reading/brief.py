"""The brief of a conversation that begins, goes on, or was just compacted.

It is made at every one of these, so it looks at the newest sessions alone, however many
there are, and needs no index.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from pathlib import Path, PurePosixPath

from gitmem.actions.reading.naming import find_session
from gitmem.errors import Damaged
from gitmem.model.brief import OFF, Brief, Contents, Remembered, budget_in, compose
from gitmem.model.identity import clean_client_id
from gitmem.model.reader import parse
from gitmem.model.session import Change, FileChange, Session
from gitmem.store.journal import journal_name
from gitmem.store.memory import Memory
from gitmem.workspace import Workspace

SETTING = "ocm.brief.budget"
LOOKED_AT = 100
"""How many sessions, those that began last, a brief can be about."""

_ON_BRANCH, _OTHERS = 3, 12
_MOST_READ = 5_000_000
"""Characters of documents: more, which no hundred sessions have, would take long."""
_MOST_COMPARED = 100
"""Above this many files nobody is told which of them changed."""


def brief(workspace: Workspace, conversation: str | None, tool: str) -> Brief:
    """The brief for the conversation that the assistant `tool` calls so.

    `conversation` is the client's own id, or None where it is not known; there may be
    no document of it yet.
    """
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.drained_memory()
    newest = _newest(memory)
    known = clean_client_id(conversation) if conversation else None
    own = _own(workspace, memory, newest, known, tool) if known else None
    name = own.id if own else known
    return compose(_contents(workspace, newest, own, name), budget)


def brief_on_resume(workspace: Workspace, name: str) -> Brief:
    """The brief for the conversation of a session when it goes on.

    See find_session for what may name the session, and for errors.
    """
    session_id = find_session(workspace, name)
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.store.memory()
    own = memory.session(session_id)
    return compose(_contents(workspace, _newest(memory), own, session_id), budget)


def _budget(workspace: Workspace) -> int:
    return budget_in(workspace.repository.config(SETTING))


def _newest(memory: Memory) -> list[Session]:
    """The sessions that began last, the one that was saved last first."""
    return sorted(_recent(memory), key=lambda each: each.updated_at, reverse=True)


def _recent(memory: Memory) -> Iterator[Session]:
    room = _MOST_READ
    for session_id in islice(memory.ids(), LOOKED_AT):
        with suppress(Damaged):
            text = memory.document(session_id) or ""
            room -= len(text)
            if room < 0:
                return
            yield parse(session_id, text)


def _own(
    workspace: Workspace,
    memory: Memory,
    newest: Iterable[Session],
    client_id: str,
    tool: str,
) -> Session | None:
    """The session of a conversation, by its journal; by its header after a pull."""
    marked = workspace.store.journal.mark_of(journal_name(client_id)).session_id
    if marked and (session := memory.readable(marked)):
        return session
    names = client_id, tool
    return next((s for s in newest if (s.client_session_id, s.tool) == names), None)


def _contents(
    workspace: Workspace,
    newest: Iterable[Session],
    own: Session | None,
    name: str | None,
) -> Contents:
    branch = workspace.repository.head().branch
    earlier = [each for each in newest if not own or each.id != own.id]
    told = [each for each in earlier if each.goal or each.work_pending]
    here = [each for each in told if branch and each.branch == branch][:_ON_BRANCH]
    return Contents(
        session_id=name,
        own=_remembered(workspace, own) if own else None,
        branch=branch,
        on_branch=[_remembered(workspace, each) for each in here],
        others=[each for each in told if each not in here][:_OTHERS],
    )


def _remembered(workspace: Workspace, session: Session) -> Remembered:
    try:
        return Remembered(session, _changed(workspace, session))
    except Damaged:  # the commit is not here, or the header names none
        return Remembered(session)


def _changed(workspace: Workspace, session: Session) -> frozenset[str] | None:
    """Files of the session that somebody changed after it was saved.

    That is: they were written since, which work that the session left uncommitted was
    not; and they differ from what was HEAD then, which a file does not that came back
    with its branch.
    """
    git, commit = workspace.repository, session.git_sha_end
    if git.work_tree is None or not commit or len(session.files) > _MOST_COMPARED:
        return None
    since = (session.updated_at + timedelta(seconds=1)).timestamp()
    written = [f.path for f in session.files if _is_news(git.work_tree, f, since)]
    return frozenset(git.differing(commit, written))


def _is_news(root: Path, file: FileChange, since: float) -> bool:
    """Whether the file was written after that time, or is gone unexpectedly."""
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts:
        return False
    try:
        return (root / path).lstat().st_mtime >= since
    except (OSError, ValueError):
        return file.change is not Change.DELETED
