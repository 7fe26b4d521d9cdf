"""What `ocm doctor` looks at in the log: what went wrong where nobody was told."""

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.git.files import end_of, is_file
from gitmem.store.error_log import LOG_LIMIT, log_path
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

SHOWN = 5
"""The last errors that are told."""
RECENT = timedelta(days=7)
"""What is older may well be mended."""

_READ = 2 * LOG_LIMIT
_ENTRY = pattern(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,12}) (.*)$")
_LENGTH = 200
"""Characters of an error that are told."""


def log(workspace: Workspace) -> Iterator[Finding]:
    path = log_path(workspace.repository.common_dir)
    if not path.exists():
        yield Finding(code=Code.LOG, what="nothing went wrong that was not told")
        return
    if not is_file(path) or not os.access(path, os.R_OK | os.W_OK):
        yield Finding(
            code=Code.LOG,
            grade=Grade.WARNING,
            what="the log is no file that can be read and written",
            where=str(path),
            mend="Move it away; the next error makes a new one.",
        )
        return
    yield from _large(path)
    yield from _errors(path, workspace.now())


def _large(path: Path) -> Iterator[Finding]:
    size = path.stat().st_size
    if size > _READ:
        yield Finding(
            code=Code.LOG,
            grade=Grade.NOTE,
            what=f"the log has {size:,} bytes; the last {_READ:,} were looked at",
            where=str(path),
            mend="It starts anew by itself with the next error.",
        )


def _errors(path: Path, now: datetime) -> Iterator[Finding]:
    entries = list(_entries(end_of(path, _READ).decode("utf-8", "replace")))
    if not entries:
        what = "the log has no error that can be read"
        yield Finding(code=Code.LOG, what=what, where=str(path))
    for at, text in entries[-SHOWN:]:
        time = f"{at.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"
        yield Finding(
            code=Code.LOG,
            grade=Grade.WARNING if now - at < RECENT else Grade.NOTE,
            what=f"{time} {text}",
            where=str(path),
            mend="If it happens again, report it with the lines of the log around it.",
        )


def _entries(text: str) -> Iterator[tuple[datetime, str]]:
    """Each error, by the last line that it has: the one that says what it was."""
    at, last = None, ""
    for line in text.splitlines():
        if found := _ENTRY.match(line):
            if at:
                yield at, last
            at, last = _time(found[1]), found[2][:_LENGTH]
        elif line.strip():
            last = line.strip()[:_LENGTH]
    if at:
        yield at, last


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.utcoffset() is not None else None
