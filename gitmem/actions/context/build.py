"""The brief of a conversation that begins, goes on, or was just compacted.

It is made at every one of these, so it looks at the newest sessions alone, however many
there are, and needs no index. Of other people's it tells the goal, unless the user
trusts them.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice

from gitmem.actions.context.brief import (
    OFF,
    Before,
    Brief,
    Contents,
    before_next,
    before_this,
    compose,
)
from gitmem.actions.context.rows import Remembered
from gitmem.actions.context.rules import StandingRule, standing_memories
from gitmem.actions.reading.documents import readable_copy, session_named
from gitmem.actions.reading.recent import Recent, recent, session_state, was_held_here
from gitmem.actions.reading.staleness import Present
from gitmem.assistants.known import reads_ignored
from gitmem.config import BRIEF_SETTING
from gitmem.documents.event import Compaction, Fork
from gitmem.documents.names import SESSION_URI, clean_client_id
from gitmem.documents.session.gist import (
    SessionState,
    has_work,
    is_small_talk,
    recency,
    urgency,
)
from gitmem.documents.session.session import Session, statements
from gitmem.errors import NotFound
from gitmem.store.handoffs import Handoffs
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.counting import budget_in
from gitmem.workspace import Workspace

_IN_DETAIL, _IN_ONE_LINE, _OF_OTHERS = 3, 8, 5


def brief(
    workspace: Workspace,
    conversation: str | None,
    tool: str,
    *,
    has_tools: bool = True,
    is_told_again: bool = False,
) -> Brief:
    """The brief for the conversation that the assistant `tool` calls so.

    `conversation` is the client's own id, or None where it is not known; there may be
    no document of it yet. Without `has_tools` the brief names commands instead. It says
    what is new since an earlier one, unless all of it `is_told_again`.
    """
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    memory = workspace.current_sessions()
    known = recent(workspace, memory)
    client_id = clean_client_id(conversation) if conversation else None
    own = _own(workspace, memory, known, client_id, tool) if client_id else None
    journal = workspace.store.journal
    events = journal.events(client_id) if client_id and not is_told_again else ()
    before = before_this(events)
    if own:
        known = known.without(own.id)
    if own and not before and not has_work(own):  # its first prompt was noted meanwhile
        own = None
    contents = _contents(workspace, known, own, client_id, before, tool)
    parent = _handed_over(workspace, client_id, tool)
    return compose(replace(contents, has_tools=has_tools, parent=parent), budget)


def brief_on_resume(workspace: Workspace, name: str) -> Brief:
    """The brief for the conversation of a session when it goes on.

    See find_session for what may name the session, and for errors.
    """
    own = session_named(workspace, name)
    budget = _budget(workspace)
    if budget == 0:
        return OFF
    known = recent(workspace, workspace.store.memory()).without(own.id)
    before = before_next(workspace.store.journal.events(own.client_session_id))
    return compose(_contents(workspace, known, own, own.id, before, own.tool), budget)


def to_go_on_with(
    workspace: Workspace, *, even_running: bool = False
) -> Session | None:
    """The session that "continue" means; None where no session has work.

    One that is running, as in another window, comes last, unless `even_running`.
    """
    known = recent(workspace, workspace.current_sessions())
    return _newest_unfinished(workspace, known.own, even_running=even_running)


def session_meant(
    workspace: Workspace, name: str | None, *, even_running: bool = False
) -> Session:
    """The session of that name; of no name, the one that the brief goes on with.

    See find_session for errors; NotFound also where no session has work.
    """
    if name:
        return session_named(workspace, name)
    if session := to_go_on_with(workspace, even_running=even_running):
        return session
    raise NotFound(
        "No session has work to go on with.", hint="`ocm list --all` shows all."
    )


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
    branch = workspace.repository.head().branch
    work = sorted(filter(has_work, sessions), key=lambda each: recency(each, branch))
    idle = (
        each
        for each in work
        if even_running or session_state(workspace, each) is not SessionState.RUNNING
    )
    return next(chain(idle, work), None)


def _in_detail(sessions: Iterable[Session]) -> list[Session]:
    return list(islice(filter(has_work, sessions), _IN_DETAIL))


def _budget(workspace: Workspace) -> int:
    return budget_in(workspace.repository.config(BRIEF_SETTING))


def _own(
    workspace: Workspace, memory: SessionTree, known: Recent, client_id: str, tool: str
) -> Session | None:
    """The session of a conversation, by its journal; by its header after a pull."""
    marked = workspace.store.journal.position_of(journal_name(client_id)).document_id
    if marked and (session := memory.readable(marked)):
        return session
    names = client_id, tool
    sessions = chain(known.own, known.of_others)
    return next((s for s in sessions if (s.client_session_id, s.tool) == names), None)


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
    known: Recent,
    own: Session | None,
    name: str | None,
    before: Before | None,
    tool: str,
) -> Contents:
    """What is told to the conversation of the session `own`, or that is called `name`.

    `own` is told like the sessions of others if it is one of them. Unless it was
    worked on here: then its user has seen it.
    """
    is_foreign = own and not (
        known.circle.trusts(own.author) or was_held_here(workspace, own)
    )
    news = [each for each in known.own if _is_told(each, before)]
    branch = workspace.repository.head().branch
    told = sorted(news, key=lambda each: urgency(each, branch))
    goes_on = None if own or before else _newest_unfinished(workspace, known.own)
    detailed = _in_detail(told)
    if goes_on and goes_on not in detailed:
        detailed[-1:] = [goes_on]
    first = [remembered(workspace, each) for each in detailed]
    first.sort(key=lambda each: each.state is SessionState.RUNNING)
    in_detail = {each.id for each in detailed}
    others = [each for each in told if each.id not in in_detail]
    others.sort(key=lambda each: not (each.work_pending or any(statements(each))))
    foreign = [own] if own and is_foreign and not before else []
    foreign += [each for each in known.of_others if _is_told(each, before)]
    foreign.sort(key=lambda each: not has_work(each))
    contents = Contents(
        session_id=own.session_id if own else name,
        own=_told_of_itself(workspace, own, before) if own and not is_foreign else None,
        branch=branch,
        first=first,
        others=others[:_IN_ONE_LINE],
        foreign=[each for each in foreign if each.goal][:_OF_OTHERS],
        memories=_memories_untold(
            workspace, before, own.client_session_id if own else name or ""
        ),
        to_go_on_with=goes_on.session_id if goes_on else "",
        where=where_recorded(workspace, goes_on, tool) if goes_on else "",
        before=before,
    )
    return _with_past(contents)


def _with_past(contents: Contents) -> Contents:
    """Return the contents where what was corrected says so."""
    first, memories = contents.first, contents.memories
    sessions = [*(each.session for each in first), *contents.others]
    if not memories and not any(any(statements(each)) for each in sessions):
        return contents
    from gitmem.actions.remembering import corrections as known  # many have nothing

    claims = [known.memory_claim(each.memory) for each in memories if each.is_own]
    claims += chain.from_iterable(map(known.statement_claims, sessions))
    if not (past := known.past_texts(claims)):
        return contents
    return replace(
        contents,
        memories=[r.with_text(past.get(r.memory.text)) for r in memories],
        first=[replace(e, session=known.with_past(e.session, past)) for e in first],
        others=[known.with_past(each, past) for each in contents.others],
    )


def _memories_untold(
    workspace: Workspace, before: Before | None, conversation: str
) -> list[StandingRule]:
    """All of them, or where the context has its beginning the new ones."""
    known = standing_memories(workspace, _budget(workspace), conversation)
    if before is None or not before.is_whole:
        return known
    return [each for each in known if each.memory.updated_at >= before.at]


def _is_told(session: Session, before: Before | None) -> bool:
    """Whether there is anything to say of a session that the context has not."""
    is_news = before is None or session.updated_at >= before.at
    return is_news and not is_small_talk(session)


def _told_of_itself(
    workspace: Workspace, own: Session, before: Before | None
) -> Remembered | None:
    """What a conversation did; where its context has it, files that changed since."""
    known = remembered(workspace, own)
    has_all = before is not None and before.is_whole
    return None if has_all and not known.changed else known
