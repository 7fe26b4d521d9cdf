"""The commits that lines of a file come from, by `git blame`.

libgit2's blame follows no renames and ignores no revisions.
"""

import re
from collections.abc import Iterator, Sequence
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
from gitmem.git.plumbing.process import GitProcess, text
from gitmem.git.values import Blame, LineGroup, Lines, Oid
from gitmem.text.counting import counted

MOST_BYTES = 20_000_000
"""Most bytes of a file; nobody wrote a larger one by hand."""

_GROUP = re.compile(
    rb"^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)\n(?:(?!filename ).*\n)*filename (.*)$",
    re.MULTILINE,
)
_BLAME = (
    *("-c", "core.fsmonitor=false"),  # no program is asked what changed
    *("-c", "core.quotePath=false"),
    # Without the lines themselves, which nobody needs here: --incremental.
    *("blame", "--incremental", "--no-textconv"),
)
_UNCOMMITTED = ("0" * 40, "0" * 64)
"""Git's names for lines in no commit, by SHA-1 and by SHA-256."""


def blame_file(repository: GitProcess, path: str, lines: Lines | None = None) -> Blame:
    """Run `git blame` for a file of the work tree, or for some of its lines.

    `path` is relative to the work tree. Raises NotFound for a file that is not there or
    that git does not know, InvalidInput for lines that it does not have and for more
    than 20 MB, Unavailable without a git command and after a minute of its work.
    """
    if repository.work_tree is None:
        raise NotFound(f"There is no work tree here, and so no file {path}.")
    _require_lines(repository.work_tree / path, path, lines)
    try:
        return _blame(repository, _ranges([lines] if lines else []), path)
    except RefusedError as error:
        raise _refused(path, str(error)) from error


def blame_at(
    repository: GitProcess, commit: Oid, path: str, lines: Sequence[Lines]
) -> Blame:
    """Return where these lines come from that a file has in a commit."""
    with repository.translated(path):
        return _blame(repository, [*_ranges(lines), commit], path)


def _blame(repository: GitProcess, options: list[str], path: str) -> Blame:
    groups = [*_groups(repository.output_for_user(*_BLAME, *options, "--", path))]
    shallow = {*_shallow(repository.common_dir)}
    return Blame(
        tuple(
            group for group in groups if group.commit not in {*_UNCOMMITTED, *shallow}
        ),
        tuple(group for group in groups if group.commit in _UNCOMMITTED),
        sum(group.count for group in groups if group.commit in shallow),
    )


def _ranges(lines: Sequence[Lines]) -> list[str]:
    return [f"-L{part.first},{part.last}" for part in lines]


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


def _groups(output: bytes) -> Iterator[LineGroup]:
    """Yield what --incremental prints.

    A group of lines begins with the commit's name, its first line in the commit and in
    the file, and its length; what follows about the commit begins with a word.
    """
    for commit, original, final, count, path in _GROUP.findall(output):
        numbers = map(int, (original, final, count))
        yield LineGroup(commit.decode(), text(path), *numbers)


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
