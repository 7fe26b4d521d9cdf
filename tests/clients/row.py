"""A row of the table of `real_claude.py`: what a scenario left, in few words."""

import re
from collections.abc import Iterable

from gitmem.documents.session.gist import has_work
from gitmem.documents.session.session import GoalSource, Session

_SHORTER = {
    r"Sessions, on branch main unless said; unfinished ones first:<br>": "",
    r", without asking; its whole record: [^<]*": "",
    r"<br>Others: `ocm__search_sessions`.$": "",
    r"\d{4}-\d\d-\d\d_\d\d-\d\d_[a-z-]+_": "",
    r",? saved \d{4}-\d\d-\d\d \d\d:\d\d": "",
    r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b": "ID",
    r"\b[0-9a-f]{8}\b": "ID",
    r"\b[0-9a-f]{12}\b": "COMMIT",
}
"""What is always said, and what differs each time."""
_MOST_FILES = 3


def memory_row(sessions: Iterable[Session]) -> str:
    """What the memory holds, the oldest first; small talk is counted."""
    ordered = sorted(sessions, key=lambda each: (each.started_at, each.goal))
    rows = [_described(each) for each in ordered if has_work(each)]
    if small := len(ordered) - len(rows):
        rows.append(f"{small} without work")
    return "<br>".join(rows) or "nothing"


def brief_row(brief: str) -> str:
    """What a brief says of sessions, and how it ends; without ids and times."""
    lines = brief.partition("```text\n")[2] or brief
    rows = [line.strip().removeprefix("- ") for line in lines.splitlines()]
    told = "<br>".join(row for row in rows if row.strip("`"))
    for pattern, instead in _SHORTER.items():
        told = re.sub(pattern, instead, told)
    return told or "no brief"


def _described(session: Session) -> str:
    written = session.goal_source is GoalSource.WRITTEN
    files = [file.path for file in session.files]
    more = [f"{len(files) - _MOST_FILES} more"] if len(files) > _MOST_FILES else []
    told = {
        "goal" if written else "asked": [session.goal],
        "prompts": [str(len(session.prompts))] if len(session.prompts) > 1 else [],
        "files": [*files[:_MOST_FILES], *more],
        "changed meanwhile": session.changed_meanwhile,
        "commits": [each.subject for each in session.commits],
        "done": session.work_completed,
        "to do": session.work_pending,
        "last answer": [] if written else [session.last_answer],
        "summary": [session.client_summary],
        "fork": ["has `parent`"] if session.parent else [],
    }
    facts = [f"{name}: {', '.join(each)}" for name, each in told.items() if any(each)]
    return "; ".join([session.status.value, *facts])
