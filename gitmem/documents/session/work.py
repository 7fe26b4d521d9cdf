"""Whether a session has work, in which state it is, and which one comes first."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from gitmem.documents.event import Connected, End, Event, Trigger, last_sign
from gitmem.documents.session.gist import says_something
from gitmem.documents.session.session import GoalSource, Session, Status

QUIET = timedelta(hours=1)
"""A conversation that did not end and gave no sign for so long was interrupted."""


class State(StrEnum):
    """A status, and what is known beyond it of a session that is open."""

    RUNNING = "running"  # a hook heard of it a moment ago
    INTERRUPTED = "interrupted"  # hooks saw it begin, not end, and it is quiet
    OPEN = "open"
    FROZEN = "frozen"
    CLOSED = "closed"


def has_work(session: Session) -> bool:
    """Whether a session is more than small talk or a single question.

    It has work if somebody checkpointed it, if it has a file, a commit or a to-do, or
    if at least two of its prompts say something.
    """
    done = session.files or session.commits
    to_dos = session.work_pending or session.work_completed
    return bool(done or to_dos) or _is_written(session) or _asks_for_more(session)


def state_of(session: Session, events: Iterable[Event], now: datetime) -> State:
    """The state of a session; `events` are those of its conversation, newest first."""
    if session.status is not Status.OPEN:
        return State(session.status.value)
    newest = last_sign(events)
    if newest is None or isinstance(newest, End):
        return State.OPEN
    is_quiet = now - max(newest.at, session.updated_at) > QUIET
    if is_quiet and isinstance(newest, Connected):  # it gives no other sign
        return State.OPEN
    return State.INTERRUPTED if is_quiet else State.RUNNING


def urgency(
    session: Session, branch: str | None
) -> tuple[bool, bool, bool, bool, float]:
    """What sessions are sorted by, so that the one to go on with comes first.

    Work before small talk, unfinished work first; then what is on `branch`, then what
    touched files, then what was saved last.
    """
    return (
        not has_work(session),
        not _is_unfinished(session),
        branch is None or session.branch != branch,
        not session.files,
        -session.updated_at.timestamp(),
    )


def _is_written(session: Session) -> bool:
    """Whether an assistant or a person saved something, or wrote into the document."""
    is_saved = session.trigger is Trigger.MANUAL or session.status is Status.FROZEN
    is_goal = bool(session.goal) and session.goal_source is GoalSource.WRITTEN
    told = session.work_summary or session.decisions or session.extra_body
    return is_saved or is_goal or bool(told or session.plan_files or session.references)


def _asks_for_more(session: Session) -> bool:
    return sum(map(says_something, session.prompts)) > 1


def _is_unfinished(session: Session) -> bool:
    is_cut_off = State(session.status.value) in {State.FROZEN, State.INTERRUPTED}
    return is_cut_off or bool(session.work_pending)
