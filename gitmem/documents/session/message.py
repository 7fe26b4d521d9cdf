"""The message of a checkpoint's commit: what a person reads in `git log --oneline`."""

from dataclasses import dataclass, field

from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.session import Session, Status, Trigger
from gitmem.redaction.redact import NAME
from gitmem.text.markdown import one_line

SUBJECT_LENGTH = 72

_TELLING = (
    "work_completed",
    "decisions",
    "work_summary",
    "commits",
    "prompts",
    "files",
)
"""Fields of a session whose news are worth a subject, the weightiest first."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a message says, in full: to be redacted before anything of it is cut."""

    topic: str = field(metadata=NAME)
    news: str
    """The one thing worth saying."""
    remarks: str = field(metadata=NAME)
    goal: str
    trailers: dict[str, str] = field(metadata=NAME)


def message_of(before: Session | None, after: Session, made: Checkpoint) -> Message:
    """Of the commit that made `after` out of `before`."""
    news = _news(before, after)
    return Message(
        topic=after.id.rsplit("_", 1)[1],
        news=news,
        remarks=_remarks(before, after, made, news),
        goal=after.goal,
        trailers=_trailers(after, made),
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
    known = set(getattr(before, name)) if before else set()
    return [item for item in getattr(after, name) if item not in known]


def _title(item: object) -> str:
    for name in ("subject", "path"):
        if hasattr(item, name):
            return str(getattr(item, name))
    return str(item)


def _remarks(
    before: Session | None, after: Session, made: Checkpoint, news: str
) -> str:
    done, pending = (
        len(_added(before, after, "work_completed")),
        len(after.work_pending),
    )
    parts = [f"+{done} done"] * (done > 0) + [f"{pending} to do"] * (pending > 0)
    status = _new_status(before, after)
    parts += [status] if status and status != news else []
    parts += ["imported"] * (made.trigger is Trigger.IMPORT)
    return f" ({', '.join(parts)})" if parts else ""


def _new_status(before: Session | None, after: Session) -> str | None:
    if before is None or before.status is after.status:
        return None
    return "reopened" if after.status is Status.OPEN else after.status.value


def _trailers(after: Session, made: Checkpoint) -> dict[str, str]:
    trailers = {
        "Ocm-Session": after.id,
        "Ocm-Tool": after.tool,
        "Ocm-Trigger": made.trigger.value,
        "Ocm-Head": made.head or "",
    }
    return {key: value for key, value in trailers.items() if value}
