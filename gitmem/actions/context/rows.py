"""The rows of a brief: what is said of a session, each on one line of bounded length.

What sessions say may come from anybody, so no row ends a tag or a fence around it.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from gitmem.documents.authors import name_in
from gitmem.documents.memory.memory import Memory
from gitmem.documents.session.fields import FIELDS
from gitmem.documents.session.gist import ENDING_LENGTH, SessionState, says_something
from gitmem.documents.session.session import GoalSource, Session, is_written
from gitmem.documents.session.statements import SAID
from gitmem.frozen import frozen
from gitmem.git.values import Change, FileChange
from gitmem.text.markdown import harmless_line

NAME = 100
_GOAL, _SHORT_GOAL, _ITEM = 200, 100, 140
"""Characters of a goal, of what a line of its own says, of an item."""

_STATEMENT = 300
"""Characters of a memory."""

_STATEMENT_FIELDS = sorted(
    (field for field in FIELDS if field.kind),
    key=lambda field: field.urgency,
    reverse=True,
)
LABELS = {field.kind: field.label for field in _STATEMENT_FIELDS} | {SAID: "said"}
"""The word before a statement, by its kind."""


@frozen
class Remembered:
    """A session, and what became of its files."""

    session: Session
    changed: frozenset[str] | None = None
    """Paths of its files that changed since it was saved; None where nobody knows."""
    state: SessionState | None = None
    """None for its status as it was saved."""


@frozen
class Detail:
    """How many items of each kind are told of a session."""

    to_do: int
    stated: int
    """Statements shown of each list of them."""
    done: int
    files: int
    line: int = _GOAL
    item: int = _ITEM


# Of the conversation itself, of the session to go on with, of those after it; and of
# one that another assistant takes over, which knows nothing else of it.
OWN = Detail(to_do=10, stated=8, done=5, files=12)
FIRST = Detail(to_do=5, stated=3, done=2, files=6)
NEXT = Detail(to_do=3, stated=2, done=0, files=3)
_ONE_STATED = Detail(to_do=0, stated=1, done=0, files=0)
HANDED_OVER = Detail(to_do=30, stated=20, done=15, files=40, line=4000, item=300)


def standing(remembered: Remembered, branch: str | None) -> str:
    """Its branch if that is not `branch`, its state, and how much there is to tell.

    When it was saved last if that was on a later day than its id shows.
    """
    session = remembered.session
    saved = session.updated_at.astimezone(session.started_at.tzinfo)
    counts = {
        "done": len(session.work_completed),
        "to do": len(session.work_pending),
        "decided": len(session.decisions),
    }
    is_later = saved.date() > session.started_at.date()
    facts = [
        *_elsewhere(session, branch),
        remembered.state or session.status,
        *([f"saved {saved:%Y-%m-%d %H:%M}"] if is_later else ()),
        *(f"{count} {label}" for label, count in counts.items() if count),
    ]
    return ", ".join(facts)


def in_detail(
    remembered: Remembered, branch: str | None, much: Detail
) -> tuple[str, ...]:
    about = f"- {remembered.session.id} ({standing(remembered, branch)})"
    return about, *details(remembered, much)


def details(remembered: Remembered, much: Detail) -> Iterator[str]:
    session = remembered.session
    if goal := _goal(session, much.line):
        yield f"  {goal}"
    for item in session.work_pending[: much.to_do]:
        yield f"  to do: {harmless_line(item, much.item)}"
    yield from stated(session, much)
    commits = tuple(
        f"commit {commit.sha} {commit.subject}" for commit in session.commits
    )
    for item in _last(session.work_completed or commits, much.done):
        yield f"  done: {harmless_line(item, much.item)}"
    if much.done:
        yield from _observed(session, much)
    elif not is_written(session):
        yield from _last_answer(session, much.line)
    if session.files:
        yield files_row(remembered, much)


def stated(session: Session, much: Detail) -> Iterator[str]:
    for field in _STATEMENT_FIELDS:
        for item in _last(getattr(session, field.name), much.stated):
            yield f"  {field.label}: {harmless_line(item, much.item)}"


def _observed(session: Session, much: Detail) -> Iterator[str]:
    """Yield rows on the end that was observed, and written by nobody.

    The client's own summary only where nobody wrote what was done.
    """
    if len(session.prompts) > 1:
        yield f"  observed prompt: {harmless_line(session.prompts[-1], much.item)}"
    yield from _last_answer(session, max(much.line, ENDING_LENGTH))
    if session.client_summary and not session.work_completed:
        summary = harmless_line(session.client_summary, much.line)
        yield f"  observed summary: {summary}"


def _last_answer(session: Session, length: int) -> Iterator[str]:
    if answer := session.last_answer:
        cut = len(answer) > length
        ending = answer[-length:].partition(" ")[2] if cut else answer
        yield f"  observed answer: {'…' * cut}{harmless_line(ending, length)}"


def files_row(remembered: Remembered, much: Detail) -> str:
    files, changed, most = remembered.session.files, remembered.changed, much.files
    if changed is None:
        return f"  files: {_names(files, most)}"
    news = [file for file in files if file.path in changed]
    rest = [file for file in files if file.path not in changed]
    label = f"  files ({len(news) or 'none'} of {len(files)} changed since)"
    if news and rest:
        room = max(most - len(news), 0)
        return f"{label}: {_names(news, most)}; as they were: {_names(rest, room)}"
    return f"{label}: {_names(files, most)}"


def in_one_line(session: Session, branch: str | None) -> str:
    """Return the goal with a decision or the end, which say more than a request."""
    pending = len(session.work_pending)
    to_do = [f"{pending} to do"] if pending else []
    facts = ", ".join([*_elsewhere(session, branch), *to_do])
    return f"- {session.session_id}{facts and f' ({facts})'}: {_summary(session)}"


def of_somebody(session: Session) -> str:
    who = harmless_line(name_in(session.author), NAME) or "an unknown author"
    return f"- {session.session_id} by {who}: {_goal(session, _SHORT_GOAL)}"


def of_memory(memory: Memory, *, is_own: bool = True, changed_files: int = 0) -> str:
    """A memory of the user, or the title of what somebody else said."""
    about = f"- {memory.id} {memory.kind}"
    if not is_own:
        who = harmless_line(name_in(memory.author), NAME) or "an unknown author"
        return f"{about} by {who}: {harmless_line(memory.title, _SHORT_GOAL)}"
    changed = f" ({changed_files} of its files changed since)" if changed_files else ""
    why = f" Why: {harmless_line(memory.why, _ITEM)}" if memory.why else ""
    return f"{about}{changed}: {harmless_line(memory.text, _STATEMENT)}{why}"


def _elsewhere(session: Session, branch: str | None) -> list[str]:
    is_elsewhere = session.branch and session.branch != branch
    return [harmless_line(session.branch or "", NAME)] if is_elsewhere else []


def _summary(session: Session) -> str:
    goal = _goal(session, _SHORT_GOAL).removeprefix("goal: ")
    answer = () if is_written(session) else _last_answer(session, _ITEM)
    result = next(chain(stated(session, _ONE_STATED), answer), "").strip()
    summary = "; ".join(filter(None, (goal, result)))
    return summary or next(details(Remembered(session), FIRST), "").strip()


def _goal(session: Session, length: int) -> str:
    """A goal that nobody wrote is shown as what it is: what was asked for first.

    "" for small talk.
    """
    line = harmless_line(session.goal, length)
    if session.goal_source is GoalSource.WRITTEN:
        return line and f"goal: {line}"
    return f"asked: {line}" if says_something(session.goal) else ""


def _last(items: tuple[str, ...], most: int) -> tuple[str, ...]:
    return items[max(len(items) - most, 0) :]


def _names(files: Sequence[FileChange], most: int) -> str:
    names = [
        harmless_line(file.path, NAME) + " (deleted)" * (file.change is Change.DELETED)
        for file in files[:most]
    ]
    unnamed = len(files) - len(names)
    return ", ".join([*names, f"{unnamed} more"] if unnamed else names)
