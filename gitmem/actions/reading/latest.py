"""What a question about order is answered with: the newest work, and what it left.

Who asks for what was done last is told of the branch that is checked out first, of the
user's own work before that of others, and of what was saved last. Who wants to go on is
told as a brief tells it: unfinished work first.
"""

from collections.abc import Iterable

from gitmem.actions.reading.recent import LOOKED_AT, recent
from gitmem.assistants.known import NICKNAMES
from gitmem.documents.session.gist import by_urgency, has_work, is_small_talk
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.search.documents import hit_on
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import Query, filters, parse
from gitmem.search.reasons import NOTHING, Reasons, Snippet
from gitmem.store.trees.committing import configured_trust, present_branch
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_PAST = pattern(r"\b(?:last|latest|previous|newest|recent|did|done|doing|worked)\b")
_STEP = 0.01
"""Difference of the scores of neighbouring hits."""
_MOST_TOLD, _ITEM = 3, 200
"""To-dos that are told, and characters of one."""


def latest(workspace: Workspace, index: Index, query: Query, limit: int) -> list[Hit]:
    """At most `limit` sessions that fulfil the filters of `query`, as it asks.

    Raises Damaged as `Index.search` does.
    """
    git = workspace.repository
    branch, trust = present_branch(git), configured_trust(git)

    def newest_first(session: Session) -> tuple[float, ...]:
        is_elsewhere = branch is None or session.branch != branch
        is_foreign = not trust.covers(session.author)
        saved, began = session.updated_at.timestamp(), session.started_at.timestamp()
        return not has_work(session), is_elsewhere, is_foreign, -saved, -began

    sessions = _candidates(workspace, index, query)
    telling = [
        session
        for session in sessions
        if not (is_small_talk(session) or _only_asks(workspace, session))
    ]
    if _PAST.search(query.text.lower()):
        telling.sort(key=newest_first)
    else:
        telling = by_urgency(telling, branch)
        telling.sort(key=lambda session: not trust.covers(session.author))
    return [
        hit_on(entry(session), 1 - _STEP * rank)
        for rank, session in enumerate(telling[:limit])
    ]


def to_do(session: Session) -> Reasons:
    """Return pending work as the reason why a session was found."""
    pending = session.work_pending
    if not pending:
        return NOTHING
    first_items = "; ".join(one_line(item, _ITEM) for item in pending[:_MOST_TOLD])
    return Reasons(("pending",), Snippet(f"{len(pending)} to do: {first_items}", ()))


def _candidates(workspace: Workspace, index: Index, query: Query) -> Iterable[Session]:
    memory = workspace.store.memory()
    if not filters(query):
        sessions = recent(workspace, memory)
        return [*sessions.own, *sessions.of_others]
    hits = index.search(query, limit=LOOKED_AT)
    return filter(None, (memory.readable(hit.id) for hit in hits))


def _only_asks(workspace: Workspace, session: Session) -> bool:
    """Tell whether a session is the one in which this is asked, or was once.

    Hooks make a session of its first prompt.
    """
    if has_work(session):
        return False
    return parse(session.goal, now=workspace.now(), tools=NICKNAMES).about_order
