"""What a session is about: its goal, what was asked and answered, and if it is work.

All of it is cut, and a secret that is cut is not known for one: prompts are redacted
before they come here, answers are redacted here.
"""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from heapq import nlargest
from itertools import chain, islice

from gitmem.documents.event import Connected, End, Event
from gitmem.documents.event_log import last_sign
from gitmem.documents.session.session import (
    LISTED_PROMPT_LENGTH,
    PROMPTS_LIMIT,
    GoalSource,
    Session,
    Status,
    is_written,
)
from gitmem.redaction.redact import redact
from gitmem.text.counting import estimated_tokens
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.text.small_talk import SMALL_TALK, TEST, TRIAL, tells_nothing

GOAL_LENGTH = 300
"""Characters of a prompt that make a goal."""
ANSWERS_LIMIT = 25
"""Answers of which a session tells the beginning; that of the last is one more."""
ANSWER_LENGTH = 200
"""Characters of such a beginning."""
ENDING_LENGTH = 300
"""Characters of the end of the last answer."""
SUMMARY_LENGTH = 8000
"""Characters of what a client made of a conversation when it was compacted."""

_SMALL = SMALL_TALK | TRIAL
_WORD = pattern(r"[^\W_]+(?:'[^\W_]+)*")
_PLACEHOLDER = pattern(
    r"!?\[(?:Image|Screenshot|Attachment|Pasted text|Request interrupted|REDACTED)"
    r"[^\]]{0,200}\](?:\([^)]{0,1000}\))?|</?image\b[^>]{0,1000}>",
    re.IGNORECASE,
)
"""What stands for a picture, a secret, or what the person did instead of typing."""
_COMMAND = pattern(r"\s*/[\w:.-]+\s*")
_PLAN = pattern(r"\s*implement (?:the|this)(?: following)? plan\s*[:.]", re.IGNORECASE)
_HEADING = pattern(r"^#{1,6}[ \t]+(.+?):?$", re.MULTILINE)
_PLAN_NAME = pattern(r"^(?:implementation )?plan:\s*", re.IGNORECASE)
_SENTENCE_END = pattern(r"(?<!\d)[.!?][\"')\]`]*(?= [^a-z])|[。！？]")
"""No abbreviation, and no number of a list."""
_MARKUP = pattern(
    r"^[ \t]*+(?:>[ \t]?|(?:```|~~~).*$|[^\w\n]{3,}+$)|\*\*", re.MULTILINE
)
_LINK = pattern(r"\[([^\[\]\n]{1,300})\]\([^()\n]{0,1000}\)")
_RESULT = 20
"""Tokens of an answer that says more than what comes next: about eighty characters."""


def says_something(prompt: str) -> bool:
    """Whether a prompt tells what it is about: "ok, go on" and "158" do not."""
    if _COMMAND.fullmatch(prompt) or tells_nothing(prompt):
        return False
    words = _WORD.findall(_PLACEHOLDER.sub(" ", prompt.replace("’", "'").lower()))
    return any(map(_tells, words)) and not TEST.issuperset(words)


def goal_of(prompts: Iterable[str]) -> str | None:
    """The goal that prompts make: the first that says something, else the first one.

    It has one line of at most GOAL_LENGTH characters; None where there is no prompt.
    """
    candidates = list(prompts)
    goal = next(chain(filter(says_something, candidates), candidates), None)
    return goal and beginning(_without_plan(goal), GOAL_LENGTH)


def goal_worth(goal: str | None, source: GoalSource) -> int:
    """Which of two goals stays: one of less worth never replaces the other."""
    if not goal:
        return 0
    return 3 if source is GoalSource.WRITTEN else 1 + says_something(goal)


def prompts_of(prompts: Iterable[str]) -> tuple[str, ...]:
    """The prompts that a session lists of all that was asked, each in one line.

    None of a single one, which is the goal already.
    """
    lines = (one_line(prompt, LISTED_PROMPT_LENGTH) for prompt in prompts)
    first_lines = tuple(islice(dict.fromkeys(filter(None, lines)), PROMPTS_LIMIT))
    return first_lines if len(first_lines) > 1 else ()


def answers_of(answers: Iterable[str]) -> tuple[str, ...]:
    """What a session tells of all answers: what came of it, a line each.

    The beginnings of the longest, in their order; those that only announce the next
    step are short. Then that of the last one, where its end does not tell all of it.
    """
    texts = [answer for answer in answers if answer.strip()]
    earlier, last_text = range(len(texts) - 1), _plain("".join(texts[-1:]))
    longest = nlargest(ANSWERS_LIMIT, earlier, key=lambda index: len(texts[index]))
    begun = (
        beginning(_plain(texts[index]), ANSWER_LENGTH) for index in sorted(longest)
    )
    results = [line for line in begun if estimated_tokens(line) >= _RESULT]
    if len(last_text) > ENDING_LENGTH:
        results.append(beginning(last_text, ANSWER_LENGTH))
    return tuple(dict.fromkeys(filter(says_something, results)))


def ending_of(answer: str) -> str:
    """The end of an answer on one line, or all of a short one; "" for small talk."""
    line = _plain(answer)
    if len(line) > ENDING_LENGTH:
        begun = beginning(line, ANSWER_LENGTH)
        line = _end(line[len(begun.removesuffix("…")) :].strip())
    return line if says_something(line) else ""


def beginning(text: str, length: int) -> str:
    """The beginning of a text on one line, up to the end of a sentence or of a word.

    A sentence that is over soon is no end, and neither is a word without end.
    """
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    ends = [match.end() for match in _SENTENCE_END.finditer(line[: length + 1])]
    if ends and length // 3 < ends[-1] <= length:
        return line[: ends[-1]]
    space = line.rfind(" ", 0, length)
    return line[: space if space > length // 2 else length - 1] + "…"


def _tells(word: str) -> bool:
    is_long = len(word) > 1 and not word.isdigit()
    return is_long and word not in _SMALL


def _without_plan(prompt: str) -> str:
    """The title of the plan that a prompt asks to implement; else the prompt."""
    opening = _PLAN.match(prompt)
    if opening is None:
        return prompt
    plan = prompt[opening.end() :].strip()
    titles = chain((match[1] for match in _HEADING.finditer(plan)), plan.splitlines())
    title = next(filter(says_something, titles), prompt)
    return _PLAN_NAME.sub("", title, count=1)


def _plain(answer: str) -> str:
    """The answer redacted, on one line, without what only shapes it.

    Without that a secret may stand bare, so it is redacted once more.
    """
    titled = _HEADING.sub(r"\1:", _MARKUP.sub("", redact(answer)))
    return redact(" ".join(_LINK.sub(r"\1", titled).split()))


def _end(line: str) -> str:
    """The end of a line, from where a sentence or at least a word begins."""
    if len(line) < ENDING_LENGTH:
        return f"…{line}"
    tail = line[1 - ENDING_LENGTH :]
    sentence = _SENTENCE_END.search(tail, 0, ENDING_LENGTH // 2)
    start = sentence.end() if sentence else tail.find(" ", 0, ENDING_LENGTH // 2) + 1
    return f"…{tail[start:].strip()}"


QUIET = timedelta(hours=1)
"""A conversation that did not end and gave no sign for so long was interrupted."""


class SessionState(StrEnum):
    """A status, and what is known beyond it of a session that is open."""

    RUNNING = "running"  # a hook heard of it a moment ago
    INTERRUPTED = "interrupted"  # hooks saw it begin, not end, and it is quiet
    OPEN = "open"
    FROZEN = "frozen"
    CLOSED = "closed"


def has_work(session: Session) -> bool:
    """Whether a session is more than small talk or a single question.

    It has work if somebody checkpointed it, if it has a file, a commit or a to-do, or
    if at least two of its prompts say something; one if it was cut off.
    """
    done = session.files or session.commits
    to_dos = session.work_pending or session.work_completed
    if done or to_dos or is_written(session):
        return True
    is_question = is_cut_off(session) and says_something(session.goal)
    return is_question or _asks_for_more(session)


def is_small_talk(session: Session) -> bool:
    return not has_work(session) and not says_something(session.goal)


def state_of(session: Session, events: Iterable[Event], now: datetime) -> SessionState:
    """The state of a session; `events` are those of its conversation, newest first."""
    if session.status is not Status.OPEN:
        return SessionState(session.status.value)
    newest = last_sign(events)
    if newest is None or isinstance(newest, End):
        return SessionState.OPEN
    is_quiet = now - max(newest.at, session.updated_at) > QUIET
    if is_quiet and isinstance(newest, Connected):  # it gives no other sign
        return SessionState.OPEN
    return SessionState.INTERRUPTED if is_quiet else SessionState.RUNNING


STALE = timedelta(days=14)
"""How much older than the newest work something is that nobody goes on with."""


def by_urgency(sessions: Iterable[Session], branch: str | None) -> list[Session]:
    """Sort sessions: work before small talk; what is left to do, what was cut off.

    Then comes the rest. What is left of stale work is no longer urgent.
    """
    sessions = list(sessions)
    is_live = _liveness(sessions, branch)

    def place(session: Session) -> tuple[bool | float, ...]:
        is_left = has_left(session) and is_live(session)
        return not has_work(session), not is_left, *_recency(session, branch, is_live)

    return sorted(sessions, key=place)


def by_recency(sessions: Iterable[Session], branch: str | None) -> list[Session]:
    """Sort sessions with work so that the one to go on with is the first."""
    sessions = list(sessions)
    is_live = _liveness(sessions, branch)
    return sorted(sessions, key=lambda session: _recency(session, branch, is_live))


def _recency(
    session: Session, branch: str | None, is_live: Callable[[Session], bool]
) -> tuple[bool | float, ...]:
    """Return a sort key: unfinished sessions come first, unless they are stale.

    Then comes what is on `branch`, what was finished with files, and what was saved
    last, and of two that were saved in one second what began later: the session before
    it ends with that.
    """
    is_unfinished = has_left(session) or is_cut_off(session)
    is_over = not (is_unfinished and is_live(session))
    return (
        is_over,
        branch is None or session.branch != branch,
        is_over and not session.files,
        -session.updated_at.timestamp(),
        -session.started_at.timestamp(),
    )


def _liveness(
    sessions: Iterable[Session], branch: str | None
) -> Callable[[Session], bool]:
    """Return what tells whether a session is not stale.

    Who comes back to a branch goes on there: its sessions are compared with each other.
    """
    worked_at = [(s.updated_at, s.branch == branch) for s in sessions if has_work(s)]
    last = max((at for at, _ in worked_at), default=None)
    last_here = max((at for at, is_here in worked_at if is_here), default=last)

    def is_live(session: Session) -> bool:
        newest = last_here if session.branch == branch else last
        return newest is None or newest - session.updated_at <= STALE

    return is_live


def has_left(session: Session) -> bool:
    return bool(session.work_pending or session.blockers or session.questions)


def is_cut_off(session: Session) -> bool:
    return session.status in {Status.FROZEN, Status.INTERRUPTED}


def _asks_for_more(session: Session) -> bool:
    return sum(map(says_something, session.prompts)) > 1
