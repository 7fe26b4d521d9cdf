"""The rows of a brief: what is said of a session, each on one line of bounded length.

What sessions say may come from anybody, so no row ends a tag or a fence around it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitmem.model.markdown import one_line
from gitmem.model.session import Change, FileChange, GoalSource, Session
from gitmem.model.whose import name_in

NAME = 100
"""Characters of a path, or of a name."""
_GOAL, _SHORT_GOAL, _ITEM = 300, 160, 200
"""Characters of a goal, of what a line of its own says, of an item."""

_TAG = re.compile(r"<(?=[A-Za-z/!?|])")
_LONG_FENCE = re.compile(r"`{4,}")


@dataclass(frozen=True, slots=True)
class Remembered:
    """A session, and what became of its files."""

    session: Session
    changed: frozenset[str] | None = None
    """Paths of its files that changed since it was saved; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How many items of each kind are told of a session."""

    to_do: int
    decisions: int
    done: int
    files: int


# Of the conversation itself, of the newest session on its branch, of those before.
OWN = Detail(to_do=10, decisions=8, done=5, files=12)
NEWEST = Detail(to_do=6, decisions=5, done=3, files=8)
EARLIER = Detail(to_do=3, decisions=2, done=0, files=4)


def standing(session: Session) -> str:
    """Its status, when it was saved, and how much of what there is to tell."""
    saved = session.updated_at.astimezone(session.started_at.tzinfo)
    counts = {
        "done": len(session.work_completed),
        "to do": len(session.work_pending),
        "decided": len(session.decisions),
    }
    counted = [f"{count} {what}" for what, count in counts.items() if count]
    return ", ".join([session.status, f"saved {saved:%Y-%m-%d %H:%M}", *counted])


def details(remembered: Remembered, much: Detail) -> Iterator[str]:
    """The rows about a session, those that help most with going on first."""
    session = remembered.session
    if session.goal:
        yield f"  {_goal(session, _GOAL)}"
    for item in session.work_pending[: much.to_do]:
        yield f"  to do: {harmless_line(item, _ITEM)}"
    for item in _last(session.decisions, much.decisions):
        yield f"  decided: {harmless_line(item, _ITEM)}"
    for item in _last(_done(session), much.done):
        yield f"  done: {harmless_line(item, _ITEM)}"
    if session.files:
        yield f"  {_files(remembered, much.files)}"


def in_one_line(session: Session, branch: str | None) -> str:
    """The only row about a session, with its branch if that is not `branch`.

    The session has a goal, or something to do.
    """
    pending = len(session.work_pending)
    facts = [harmless_line(session.branch or "", NAME)] * (session.branch != branch)
    facts = [*filter(None, facts), *([f"{pending} to do"] if pending else [])]
    known = f" ({', '.join(facts)})" if facts else ""
    if session.goal:
        what = _goal(session, _SHORT_GOAL).removeprefix("goal: ")
    else:
        what = f"to do: {harmless_line(session.work_pending[0], _SHORT_GOAL)}"
    return f"- {session.id}{known}: {what}"


def of_somebody(session: Session) -> str:
    """The only row about a session of somebody else; it has a goal."""
    who = harmless_line(name_in(session.author), NAME) or "an unknown author"
    return f"- {session.id} by {who}: {_goal(session, _SHORT_GOAL)}"


def harmless_line(text: str, length: int) -> str:
    """Text of a session on one bounded line, without tags and long fences.

    Clients put tags around what they give to a model; none may end here.
    """
    return _TAG.sub("&lt;", _LONG_FENCE.sub("```", one_line(text, length)))


def _goal(session: Session, length: int) -> str:
    """A goal that nobody wrote is shown as what it is: what was asked for first."""
    label = "goal" if session.goal_source is GoalSource.WRITTEN else "asked"
    return f"{label}: {harmless_line(session.goal, length)}"


def _done(session: Session) -> tuple[str, ...]:
    commits = (f"commit {each.sha} {each.subject}" for each in session.commits)
    return session.work_completed or tuple(commits)


def _last(items: tuple[str, ...], most: int) -> tuple[str, ...]:
    return items[max(len(items) - most, 0) :]


def _files(remembered: Remembered, most: int) -> str:
    files, changed = remembered.session.files, remembered.changed
    if changed is None:
        return f"files: {_names(files, most)}"
    news = [file for file in files if file.path in changed]
    rest = [file for file in files if file.path not in changed]
    label = f"files ({len(news) or 'none'} of {len(files)} changed since)"
    if news and rest:
        room = max(most - len(news), 0)
        return f"{label}: {_names(news, most)}; as they were: {_names(rest, room)}"
    return f"{label}: {_names(files, most)}"


def _names(files: Sequence[FileChange], most: int) -> str:
    names = [
        harmless_line(file.path, NAME) + " (deleted)" * (file.change is Change.DELETED)
        for file in files[:most]
    ]
    more = len(files) - len(names)
    return ", ".join([*names, f"{more} more"] if more else names)
