"""The commits that lines of a file come from, by `git blame`.

libgit2's blame follows no renames and ignores no revisions.
"""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

from gitmem.errors import (
    Damaged,
    GitmemError,
    InvalidInput,
    NoPermission,
    NotFound,
)
from gitmem.git.command import RefusedError
from gitmem.git.plumbing.process import GitProcess
from gitmem.git.values import Blame, Lines, Oid
from gitmem.text.counting import counted

MOST_BYTES = 20_000_000
"""Most bytes of a file; nobody wrote a larger one by hand."""

_GROUP = re.compile(rb"^([0-9a-f]{40,64}) \d+ \d+ (\d+)$", re.MULTILINE)
_QUIET = ("-c", "core.fsmonitor=false")  # no program is asked what changed
_UNCOMMITTED = ("0" * 40, "0" * 64)
"""Git's names for lines in no commit, by SHA-1 and by SHA-256."""


def blame(repository: GitProcess, path: str, lines: Lines | None) -> Blame:
    """See Repository.blame."""
    if repository.work_tree is None:
        raise NotFound(f"There is no work tree here, and so no file {path}.")
    _require_lines(repository.work_tree / path, path, lines)
    line_range = [f"-L{lines.first},{lines.last}"] if lines else []
    # Without the lines themselves, which nobody needs here: --incremental.
    command = [
        *_QUIET,
        "blame",
        "--incremental",
        "--no-textconv",
        *line_range,
        "--",
        path,
    ]
    try:
        counts = _counts(repository.asked(*command))
    except RefusedError as error:
        raise _refused(path, str(error)) from error
    uncommitted = sum(counts.pop(commit, 0) for commit in _UNCOMMITTED)
    beyond = sum(counts.pop(commit, 0) for commit in _shallow(repository.common_dir))
    return Blame(counts, uncommitted, beyond)


def line_count(text: bytes) -> int:
    """Count lines; the last one may lack its end."""
    return text.count(b"\n") + (text[-1:] not in (b"", b"\n"))


def _require_lines(file: Path, path: str, lines: Lines | None) -> None:
    """Raises unless this is a file that can be asked about, and has these lines."""
    try:
        if not file.is_file():
            raise NotFound(f"There is no file {path}.")
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise InvalidInput(
                f"{path} has {size:,} bytes; {MOST_BYTES:,} are allowed."
            )
        count = line_count(file.read_bytes()) if lines else 0
    except OSError as error:
        raise NoPermission(f"{path} cannot be read: {error.strerror}.") from error
    if lines and not 1 <= lines.first <= lines.last <= count:
        raise _no_such_lines(path, count)


def _no_such_lines(path: str, count: int) -> InvalidInput:
    return InvalidInput(
        f"{path} has {counted(count, 'line')}.",
        hint="Ask for one of them as PATH:LINE, or for several as PATH:FIRST-LAST.",
    )


def _counts(output: bytes) -> dict[Oid, int]:
    """Return how many lines each commit has, from what --incremental prints.

    A group of lines begins with the commit's name, its first line in the commit and in
    the file, and its length; what follows about the commit begins with a word.
    """
    counts: Counter[Oid] = Counter()
    for commit, number in _GROUP.findall(output):
        counts[commit.decode()] += int(number)
    return dict(counts)


def _shallow(common_dir: Path) -> list[Oid]:
    """Return the commits whose parents a shallow clone lacks."""
    with suppress(OSError):
        return (common_dir / "shallow").read_text("ascii", "replace").split()
    return []


def _refused(path: str, reason: str) -> GitmemError:
    if "no such path" in reason or "no such ref" in reason:
        return NotFound(
            f"{path} is in no commit.", hint="Lines lead to sessions by their commits."
        )
    if match := re.search(r"has only (\d+) lines?$", reason):
        return _no_such_lines(path, int(match[1]))  # a filter made the text another one
    return Damaged(
        f"Git cannot say where the lines of {path} come from: {reason}",
        hint="`git blame` fails on it, too, and that has to be mended first.",
    )
