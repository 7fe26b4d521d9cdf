"""The brief of a conversation that begins, goes on, or was just compacted.

It is made at every one of these, so it looks at the newest sessions alone, however many
there are, and needs no index. Of other people's it tells the goal, unless the user
trusts them.
"""

from dataclasses import replace
from datetime import timedelta
from itertools import chain
from pathlib import Path, PurePosixPath

from gitmem.actions.reading.naming import find_session
from gitmem.actions.reading.recent import Recent, recent, was_held_here
from gitmem.errors import Damaged
from gitmem.model.brief import OFF, Brief, Contents, compose
from gitmem.model.brief_rows import Remembered
from gitmem.model.budget import budget_in
from gitmem.model.identity import clean_client_id
from gitmem.model.session import Change, FileChange, Session
from gitmem.store.local.journal import journal_name
from gitmem.store.trees.memory import Memory
from gitmem.workspace import Workspace

SETTING = "ocm.brief.budget"
_ON_BRANCH, _EARLIER, _OF_OTHERS = 3, 12, 8
_MOST_COMPARED = 100
"""Above this many files nobody is told which of them changed."""


def brief(
    workspace: Workspace,
    conversation: str | None,
    tool: str,
    *,
    has_tools: bool = True,
) -> Brief:
    """The brief for the conversation that the assistant `tool` calls so.

    `conversation` is the client's own id, or None where it is not known; there may be
    no document of it yet. Without `has_tools` the brief names commands instead.
    """
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.drained_memory()
    known = recent(workspace, memory)
    client_id = clean_client_id(conversation) if conversation else None
    own = _own(workspace, memory, known, client_id, tool) if client_id else None
    contents = _contents(workspace, known, own, client_id)
    return compose(replace(contents, has_tools=has_tools), budget)


def brief_on_resume(workspace: Workspace, name: str) -> Brief:
    """The brief for the conversation of a session when it goes on.

    See find_session for what may name the session, and for errors.
    """
    session_id = find_session(workspace, name)
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.store.memory()
    known, own = recent(workspace, memory), memory.session(session_id)
    return compose(_contents(workspace, known, own, session_id), budget)


def _budget(workspace: Workspace) -> int:
    return budget_in(workspace.repository.config(SETTING))


def _own(
    workspace: Workspace, memory: Memory, known: Recent, client_id: str, tool: str
) -> Session | None:
    """The session of a conversation, by its journal; by its header after a pull."""
    marked = workspace.store.journal.mark_of(journal_name(client_id)).session_id
    if marked and (session := memory.readable(marked)):
        return session
    names = client_id, tool
    sessions = chain(known.own, known.of_others)
    return next((s for s in sessions if (s.client_session_id, s.tool) == names), None)


def _contents(
    workspace: Workspace, known: Recent, own: Session | None, name: str | None
) -> Contents:
    """What is told to the conversation of the session `own`, or that is called `name`.

    `own` is told like the sessions of others if it is one of them. Unless it was
    worked on here: then its user has seen it.
    """
    branch = workspace.repository.head().branch
    is_foreign = own and not (
        known.circle.trusts(own.author) or was_held_here(workspace, own)
    )
    told = [each for each in known.own if _says_something(each) and each != own]
    here = [each for each in told if branch and each.branch == branch][:_ON_BRANCH]
    foreign = [own] if own and is_foreign else []
    foreign += [each for each in known.of_others if each != own]
    return Contents(
        session_id=own.id if own else name,
        own=_remembered(workspace, own) if own and not is_foreign else None,
        branch=branch,
        on_branch=[_remembered(workspace, each) for each in here],
        others=[each for each in told if each not in here][:_EARLIER],
        foreign=[each for each in foreign if each.goal][:_OF_OTHERS],
    )


def _says_something(session: Session) -> bool:
    return bool(session.goal or session.work_pending)


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
