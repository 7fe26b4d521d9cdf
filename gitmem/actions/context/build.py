"""The brief of a conversation that begins, goes on, or was just compacted.

It is made at every one of these, so it looks at the newest sessions alone, however many
there are, and needs no index. Of other people's it tells the goal, unless the user
trusts them.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from gitmem.actions.context.brief import (
    OFF,
    Before,
    Brief,
    Contents,
    Continuation,
    Listener,
    before_next,
    before_this,
    compose,
)
from gitmem.actions.context.rows import Remembered
from gitmem.actions.context.rules import StandingRule, standing_memories
from gitmem.actions.reading.documents import readable_copy
from gitmem.actions.reading.recent import Recent, recent, session_state, was_held_here
from gitmem.actions.reading.staleness import Present
from gitmem.assistants.known import reads_ignored
from gitmem.config import BRIEF_SETTING
from gitmem.documents.event import Compaction, Fork
from gitmem.documents.kinds import SESSION
from gitmem.documents.names import SESSION_URI, clean_client_id
from gitmem.documents.session.gist import (
    SessionState,
    by_recency,
    by_urgency,
    has_work,
    is_small_talk,
)
from gitmem.documents.session.session import Session
from gitmem.documents.session.statements import statements
from gitmem.errors import NotFound
from gitmem.lookup import find
from gitmem.store.handoffs import Handoffs
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.committing import present_branch
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.counting import budget_in
from gitmem.workspace import Workspace

_IN_DETAIL, _IN_ONE_LINE, _OF_OTHERS = 3, 8, 5


def brief(
    workspace: Workspace,
    conversation: str | None,
    tool: str,
    *,
    is_told_again: bool = False,
) -> Brief:
    """The brief for the conversation that the assistant `tool` calls so.

    `conversation` is the client's own id, or None where it is not known; there may be
    no document of it yet. It says what is new since an earlier one, unless all of it
    `is_told_again`.
    """
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.current_sessions()
    recent_sessions = recent(workspace, memory)
    client_id = clean_client_id(conversation) if conversation else None
    own = (
        _own(workspace, memory, recent_sessions, client_id, tool) if client_id else None
    )
    journal = workspace.store.journal
    events = journal.events(client_id) if client_id and not is_told_again else ()
    before = before_this(events)
    if own:
        recent_sessions = recent_sessions.without(own.id)
    if own and not before and not has_work(own):  # its first prompt was noted meanwhile
        own = None
    listener = Listener(
        session_id=own.session_id if own else client_id,
        branch=present_branch(workspace.repository),
        before=before,
        parent=_handed_over(workspace, client_id, tool),
    )
    contents = _contents(workspace, recent_sessions, own, listener, tool)
    return compose(listener, contents, budget)


def brief_on_resume(workspace: Workspace, name: str) -> Brief:
    """Build the brief for a conversation that goes on; raises as `find_id`."""
    own = find(workspace, SESSION, name)
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    recent_sessions = recent(workspace, workspace.store.memory()).without(own.id)
    before = before_next(workspace.store.journal.events(own.client_session_id))
    branch = present_branch(workspace.repository)
    listener = Listener(session_id=own.session_id, branch=branch, before=before)
    contents = _contents(workspace, recent_sessions, own, listener, own.tool)
    return compose(listener, contents, budget)


def to_go_on_with(
    workspace: Workspace, *, even_running: bool = False
) -> Session | None:
    """The session that "continue" means; None where no session has work.

    One that is running, as in another window, comes last, unless `even_running`.
    """
    recent_sessions = recent(workspace, workspace.current_sessions())
    return _newest_unfinished(workspace, recent_sessions.own, even_running=even_running)


def session_meant(
    workspace: Workspace, name: str | None, *, even_running: bool = False
) -> Session:
    """The session of that name; of no name, the one that the brief goes on with.

    See `find_id` for errors; NotFound also where no session has work.
    """
    if name:
        return find(workspace, SESSION, name)
    if session := to_go_on_with(workspace, even_running=even_running):
        return session
    raise NotFound(
        "No session has work to go on with.", hint="`ocm list --all` shows all."
    )


def continuation(workspace: Workspace, session: Session, tool: str) -> Continuation:
    return Continuation(session.session_id, where_recorded(workspace, session, tool))


def where_recorded(workspace: Workspace, session: Session, tool: str) -> str:
    """Where the assistant `tool` can read the whole record of a session."""
    if not reads_ignored(tool):
        return SESSION_URI.format(session_id=session.session_id)
    path = readable_copy(workspace, session.id)
    if path is None:
        return f"`ocm show {session.session_id}`"
    is_inside = path.is_relative_to(workspace.root)
    return str(path.relative_to(workspace.root) if is_inside else path)


def remembered(workspace: Workspace, session: Session) -> Remembered:
    stale = Present(workspace.repository).staleness(session)
    changed = stale.changed if stale else None
    return Remembered(session, changed, session_state(workspace, session))


def _newest_unfinished(
    workspace: Workspace, sessions: Iterable[Session], *, even_running: bool = False
) -> Session | None:
    branch = present_branch(workspace.repository)
    working = by_recency(filter(has_work, sessions), branch)
    idle = (
        session
        for session in working
        if even_running or session_state(workspace, session) is not SessionState.RUNNING
    )
    return next(chain(idle, working), None)


def _in_detail(sessions: Iterable[Session]) -> list[Session]:
    return list(islice(filter(has_work, sessions), _IN_DETAIL))


def _budget(workspace: Workspace) -> int:
    return budget_in(workspace.repository.config(BRIEF_SETTING))


def _own(
    workspace: Workspace,
    memory: SessionTree,
    recent_sessions: Recent,
    client_id: str,
    tool: str,
) -> Session | None:
    """The session of a conversation, by its journal; by its header after a pull."""
    marked = workspace.store.journal.position_of(journal_name(client_id)).document_id
    if marked and (session := memory.readable(marked)):
        return session
    name = client_id, tool
    sessions = chain(recent_sessions.own, recent_sessions.of_others)
    return next((s for s in sessions if (s.client_session_id, s.tool) == name), None)


def _handed_over(workspace: Workspace, client_id: str | None, tool: str) -> str:
    """The conversation whose state the first prompt tells, or is about to."""
    journal = workspace.store.journal
    for event in journal.newest_events(client_id) if client_id else ():
        if isinstance(event, Compaction):
            return ""
        if isinstance(event, Fork):
            return event.parent
    last = Handoffs(workspace.own_dir).last(tool, workspace.root)
    return last.parent if last and last.is_fresh(workspace.now()) else ""


def _contents(
    workspace: Workspace,
    recent_sessions: Recent,
    own: Session | None,
    listener: Listener,
    tool: str,
) -> Contents:
    """Return what to tell the conversation of the session `own`, if it has one.

    `own` is told like the sessions of others if it is one of them. Unless it was
    worked on here: then its user has seen it.
    """
    is_foreign = own and not (
        recent_sessions.trust.covers(own.author) or was_held_here(workspace, own)
    )
    before, branch = listener.before, listener.branch
    client_id = own.client_session_id if own else listener.session_id or ""
    news = by_urgency(
        (session for session in recent_sessions.own if _is_told(session, before)),
        branch,
    )
    goes_on = (
        None if own or before else _newest_unfinished(workspace, recent_sessions.own)
    )
    detailed = _in_detail(news)
    if goes_on and goes_on not in detailed:
        detailed[-1:] = [goes_on]
    first = [remembered(workspace, session) for session in detailed]
    first.sort(key=lambda record: record.state is SessionState.RUNNING)
    brief_ones = [session for session in news if session not in detailed]
    brief_ones.sort(key=lambda s: not (s.work_pending or any(statements(s))))
    foreign = [own] if own and is_foreign and not before else []
    foreign += filter(partial(_is_told, before=before), recent_sessions.of_others)
    foreign.sort(key=lambda session: not has_work(session))
    contents = Contents(
        own=_told_of_itself(workspace, own, before) if own and not is_foreign else None,
        first=first,
        in_one_line=brief_ones[:_IN_ONE_LINE],
        foreign=[session for session in foreign if session.goal][:_OF_OTHERS],
        memories=_memories_untold(workspace, before, client_id),
        continuation=continuation(workspace, goes_on, tool) if goes_on else None,
    )
    return _with_past(contents)


def _with_past(contents: Contents) -> Contents:
    """Return the contents where what was corrected says so."""
    first, memories = contents.first, contents.memories
    sessions = [*(record.session for record in first), *contents.in_one_line]
    if not memories and not any(any(statements(session)) for session in sessions):
        return contents
    from gitmem.actions.remembering import corrections, marks  # many have nothing

    claims = [corrections.memory_claim(rule.memory) for rule in memories if rule.is_own]
    for session in sessions:
        claims += map(corrections.statement_claim, statements(session))
    if not (past := marks.marked_texts(claims)):
        return contents
    return replace(
        contents,
        memories=[rule.with_text(past.get(rule.memory.text)) for rule in memories],
        first=[
            replace(record, session=marks.with_marks(record.session, past))
            for record in first
        ],
        in_one_line=[
            marks.with_marks(session, past) for session in contents.in_one_line
        ],
    )


def _memories_untold(
    workspace: Workspace, before: Before | None, conversation: str
) -> list[StandingRule]:
    """All of them, or where the context has its beginning the new ones."""
    rules = standing_memories(workspace, _budget(workspace), conversation)
    if before is None or not before.is_whole:
        return rules
    return [rule for rule in rules if rule.memory.updated_at >= before.at]


def _is_told(session: Session, before: Before | None) -> bool:
    """Tell whether a session has anything that the context has not."""
    is_news = before is None or session.updated_at >= before.at
    return is_news and not is_small_talk(session)


def _told_of_itself(
    workspace: Workspace, own: Session, before: Before | None
) -> Remembered | None:
    """Return what a conversation did; what its context has only if files changed."""
    record = remembered(workspace, own)
    has_all = before is not None and before.is_whole
    return None if has_all and not record.changed else record
