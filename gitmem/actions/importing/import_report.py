"""The report of an import, filled as it goes, so that an interrupted one has it."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from gitmem.assistants.transcripts import Unread
from gitmem.frozen import frozen
from gitmem.redaction.redact import redact

_MOST_KEPT = 10
"""Unread parts of a file that are listed."""


class Outcome(StrEnum):
    NEW = "new"
    COMPLETED = "completed"  # it was there, and something was added
    ALREADY = "already"  # all of it was there
    FORGOTTEN = "forgotten"  # by the user, and so it is not brought back
    TOO_LARGE = "too-large"  # its document would be, and so it stays as it was


@frozen(kw_only=True)
class Imported:
    """One imported session, or with a dry run a planned one."""

    outcome: Outcome
    session_id: str | None
    began_at: datetime
    goal: str
    prompts: int
    files: int


@dataclass(slots=True)
class Trouble:
    count: int = 0
    first: list[Unread] = field(default_factory=list)

    def add(self, unread: Unread) -> None:
        self.count += 1
        if len(self.first) < _MOST_KEPT:
            self.first.append(unread)


@dataclass(slots=True)
class Report:
    files: int = 0
    size: int = 0
    sessions: list[Imported] = field(default_factory=list)
    passed_over: int = 0
    earlier: int = 0
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Conversations by the folder of another repository."""
    unread: dict[Path, Trouble] = field(default_factory=dict)

    @property
    def conversations(self) -> int:
        here = len(self.sessions) + self.passed_over + self.earlier
        return here + self.elsewhere.total()

    def note_unread(self, file: Path, unread: Unread) -> None:
        self.unread.setdefault(file, Trouble()).add(unread)

    def count(self, outcome: Outcome) -> int:
        return sum(each.outcome is outcome for each in self.sessions)


def as_json(report: Report) -> dict[str, Any]:
    return {
        "files": report.files,
        "bytes": report.size,
        "sessions": [
            {
                "outcome": each.outcome,
                "session_id": each.session_id,
                "date": f"{each.began_at:%Y-%m-%d}",
                "goal": each.goal,
                "prompts": each.prompts,
                "files": each.files,
            }
            for each in report.sessions
        ],
        "passed_over": report.passed_over,
        "earlier": report.earlier,
        "elsewhere": [
            {
                "folder": redact(folder),
                "conversations": count,
                "is_there": is_there(folder),
            }
            for folder, count in report.elsewhere.most_common()
        ],
        "unread": [
            {
                "file": redact(str(file)),
                "parts": trouble.count,
                "first": [
                    {"line": each.line, "reason": each.reason} for each in trouble.first
                ],
            }
            for file, trouble in report.unread.items()
        ],
    }


def is_there(folder: str) -> bool:
    """Tell whether a folder that a transcript names still exists."""
    try:
        return Path(folder).is_dir()
    except (OSError, ValueError):
        return False
