"""What git shows of a session: messages of our commits, and notes on the user's."""

from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import islice

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.fields import KINDS
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.session import Session, Status
from gitmem.frozen import frozen
from gitmem.redaction.redact import NAME, Redacted, seal
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern

SUBJECT_LENGTH = 72

_TELLING = ("work_completed", *KINDS, "work_summary", "commits", "prompts", "files")
"""Fields of a session whose news are worth a subject, the weightiest first."""


@frozen
class Message:
    """What a message says, in full: to be redacted before anything of it is cut."""

    topic: str = field(metadata=NAME)
    news: str
    """The one thing worth saying."""
    remarks: str = field(metadata=NAME)
    goal: str
    trailers: dict[str, str] = field(metadata=NAME)


def message_of(
    before: Session | None, after: Session, checkpoint: Checkpoint
) -> Message:
    """Of the commit that made `after` out of `before`."""
    news = _news(before, after)
    return Message(
        topic=slug_of(after.session_id),
        news=news,
        remarks=_remarks(before, after, checkpoint, news),
        goal=after.goal,
        trailers=_trailers(after, checkpoint),
    )


def render(message: Message) -> str:
    """Subject, goal and trailers."""
    topic = one_line(message.topic, SUBJECT_LENGTH // 2)
    room = max(SUBJECT_LENGTH - len(topic) - len(message.remarks) - 2, 1)
    line = f"{topic}: {one_line(message.news, room)}{message.remarks}"
    subject, goal = one_line(line, SUBJECT_LENGTH), one_line(message.goal, 500)
    trailers = "\n".join(
        f"{key}: {one_line(value, 200)}" for key, value in message.trailers.items()
    )
    return "\n\n".join(filter(None, [subject, goal, trailers]))


def _news(before: Session | None, after: Session) -> str:
    if after.goal and (before is None or before.goal != after.goal):
        return after.goal
    for name in _TELLING:
        if added := _added(before, after, name):
            return _title(added[-1])
    if before and before.work_pending != after.work_pending:
        return "to-dos"
    return _new_status(before, after) or "facts"


def _added(before: Session | None, after: Session, name: str) -> list[object]:
    known_items = set(getattr(before, name)) if before else set()
    return [item for item in getattr(after, name) if item not in known_items]


def _title(item: object) -> str:
    for name in ("subject", "path"):
        if hasattr(item, name):
            return str(getattr(item, name))
    return str(item)


def _remarks(
    before: Session | None, after: Session, checkpoint: Checkpoint, news: str
) -> str:
    done, pending = _added(before, after, "work_completed"), after.work_pending
    parts = [f"+{len(done)} done"] if done else []
    parts += [f"{len(pending)} to do"] if pending else []
    status = _new_status(before, after)
    parts += [status] if status and status != news else []
    parts += ["imported"] if checkpoint.trigger is Trigger.IMPORT else []
    return f" ({', '.join(parts)})" if parts else ""


def _new_status(before: Session | None, after: Session) -> str | None:
    if before is None or before.status is after.status:
        return None
    return "reopened" if after.status is Status.OPEN else after.status.value


def _trailers(after: Session, checkpoint: Checkpoint) -> dict[str, str]:
    trailers = {
        "Ocm-Session": after.session_id,
        "Ocm-Tool": after.tool,
        "Ocm-Trigger": checkpoint.trigger.value,
        "Ocm-Head": checkpoint.head or "",
    }
    return {key: value for key, value in trailers.items() if value}


_MOST_SESSIONS = 3
_GOAL_BYTES = 240
"""Bytes of the goals in a note, so that a log stays readable."""
_TOOL_BYTES = 40
_SESSION_LINE = pattern(r"Ocm-Session: (.+)")
_OUR_LINE = pattern(r"Ocm-(Session|Tool|Goal): .*")


def note_of(sessions: Iterable[Session]) -> Redacted:
    """Id, assistant and goal of each, the newest first; of three at most."""
    newest = sorted(sessions, key=lambda s: (s.started_at, s.id), reverse=True)
    newest_sessions = list(islice(newest, _MOST_SESSIONS))
    room = _GOAL_BYTES // max(len(newest_sessions), 1)
    return seal(
        newest_sessions,
        lambda clean: "".join(_lines(session, room) for session in clean),
    )


def is_ours(note: str) -> bool:
    """Whether nobody else wrote this note, nor into it."""
    return all(map(_OUR_LINE.fullmatch, note.splitlines()))


def without_sessions(note: str, is_gone: Callable[[str], bool]) -> str:
    """The note without what it says of sessions that are gone, by their ids.

    What somebody else wrote into it stays.
    """
    kept_lines, is_about_one = [], False
    for line in note.splitlines(keepends=True):
        if match := _SESSION_LINE.match(line):
            is_about_one = is_gone(match[1])
        if not (is_about_one and _OUR_LINE.fullmatch(line.rstrip("\n"))):
            kept_lines.append(line)
    return "".join(kept_lines)


def _lines(session: Session, room: int) -> str:
    facts = {
        "Session": session.session_id,
        "Tool": _one_line(session.tool, _TOOL_BYTES),
        "Goal": _one_line(session.goal, room),
    }
    return "".join(f"Ocm-{key}: {value}\n" for key, value in facts.items() if value)


def _one_line(text: str, room: int) -> str:
    """The text on one line, without what acts upon a terminal, cut to so many bytes."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(plain.split())
    if len(line.encode()) <= room:
        return line
    return line.encode()[: room - len("…".encode())].decode(errors="ignore") + "…"
