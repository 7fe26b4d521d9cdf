"""What became of the conversations that an import read."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from gitmem.assistants.transcripts import Unread
from gitmem.frozen import frozen
from gitmem.redaction.redact import redact

_MOST_UNREAD = 10
"""Unread parts of a file that are listed."""


class ImportStatus(StrEnum):
    NEW = "new"
    COMPLETED = "completed"  # it was there, and something was added
    ALREADY = "already"  # all of it was there
    FORGOTTEN = "forgotten"  # by the user, and so it is not brought back


@frozen(kw_only=True)
class Imported:
    """One imported session, or in a rehearsal a planned one."""

    outcome: ImportStatus
    session_id: str | None
    began_at: datetime
    goal: str
    prompts: int
    files: int


@dataclass(slots=True)
class Trouble:
    count: int = 0
    first: list[Unread] = field(default_factory=list)


@dataclass(slots=True)
class ImportReport:
    files: int = 0
    size: int = 0
    sessions: list[Imported] = field(default_factory=list)
    passed_over: int = 0
    earlier: int = 0
    programs: int = 0
    """Conversations of programs that nobody named."""
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Conversations by the folder they were held in, "" if unknown."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Edits by removed folder that may have been a work tree of another repository."""
    unread: dict[Path, Trouble] = field(default_factory=dict)

    def add(self, file_report: "ImportReport") -> None:
        """Add what was found in a file."""
        self.sessions += file_report.sessions
        self.passed_over += file_report.passed_over
        self.earlier += file_report.earlier
        self.programs += file_report.programs
        self.elsewhere += file_report.elsewhere
        self.left_out += file_report.left_out
        self.unread |= file_report.unread

    @property
    def conversations(self) -> int:
        left_out = self.passed_over + self.earlier + self.programs
        held_here = len(self.sessions) + left_out
        return held_here + self.elsewhere.total()

    def note_unread(self, file: Path, unread: Unread) -> None:
        trouble = self.unread.setdefault(file, Trouble())
        trouble.count += unread.count
        if len(trouble.first) < _MOST_UNREAD:
            trouble.first.append(unread)

    def count(self, outcome: ImportStatus) -> int:
        return sum(session.outcome is outcome for session in self.sessions)


def as_json(report: ImportReport) -> dict[str, Any]:
    return {
        "files": report.files,
        "bytes": report.size,
        "sessions": [
            {
                "outcome": part.outcome,
                "session_id": part.session_id,
                "date": f"{part.began_at:%Y-%m-%d}",
                "goal": part.goal,
                "prompts": part.prompts,
                "files": part.files,
            }
            for part in report.sessions
        ],
        "passed_over": report.passed_over,
        "earlier": report.earlier,
        "programs": report.programs,
        "elsewhere": [
            {
                "folder": redact(folder),
                "conversations": count,
                "is_there": is_there(folder),
            }
            for folder, count in report.elsewhere.most_common()
        ],
        "left_out": [
            {"folder": redact(folder), "edits": count}
            for folder, count in report.left_out.most_common()
        ],
        "unread": [
            {
                "file": redact(str(file)),
                "parts": trouble.count,
                "first": [
                    {"line": part.line, "reason": part.reason, "count": part.count}
                    for part in trouble.first
                ],
            }
            for file, trouble in report.unread.items()
        ],
    }


def is_there(folder: str) -> bool:
    """Tell whether a folder that a transcript names still exists."""
    try:
        return Path(folder).is_absolute() and Path(folder).is_dir()
    except (OSError, ValueError):
        return False
