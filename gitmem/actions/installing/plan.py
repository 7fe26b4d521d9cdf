"""A plan: what a command would do to the user's files, before it does it.

Only `carry_out` writes. So a dry run and the real one cannot differ, and a second run
finds nothing to do.
"""

import difflib
import errno
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from enum import StrEnum
from functools import partial
from itertools import takewhile
from pathlib import Path

from gitmem.errors import Busy, GitmemError
from gitmem.frozen import frozen
from gitmem.git.files import left_of, replace_file
from gitmem.store.lock import locked

_HELD = "something before it failed"


class StepOutcome(StrEnum):
    DONE = "done"
    ALREADY = "already"
    PLANNED = "planned"
    SKIPPED = "skipped"
    FAILED = "failed"


Merge = Callable[[bytes | None], bytes | None]
"""Returns the content for a file of which the content is given."""


@frozen
class FileEdit:
    """One file before and after; None for no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    """Permissions afterwards; None for the default of new files."""
    folder_mode: int = 0o777
    """Permissions of a new folder, narrowed by the umask."""
    folders: tuple[Path, ...] = ()
    """Folders to remove with the file if empty, inner ones first."""
    merge: Merge | None = None
    """How to change what others wrote since, of a file that has a lock."""
    lock: Path | None = None


@frozen
class Deed:
    """Something to do that no diff shows."""

    description: str
    carry_out: Callable[[], object]
    """Raises OSError or GitmemError."""


@frozen(kw_only=True)
class Step:
    state: str
    """The state afterwards, in one line."""
    changes: tuple[FileEdit, ...] = ()
    """None if it is so already."""
    deeds: tuple[Deed, ...] = ()
    """Done before the changes."""
    verb: str = "remove"
    why_not: str = ""
    fault: str = ""
    """A fault that the user has to repair first; a failure."""
    is_first: bool = False
    """If it fails, later steps are skipped: they could not be undone."""
    is_last: bool = False
    """Skipped if an earlier step failed."""
    advice: str = ""
    """A line for the user to copy."""


@frozen
class StepResult:
    step: Step
    outcome: StepOutcome
    reason: str = ""


def carry_out(steps: Iterable[Step]) -> Iterator[StepResult]:
    """Do the steps in order; a failure stops others only by `is_first`, `is_last`."""
    has_failed = is_stopped = False
    for step in steps:
        result = _previewed(step)
        if result.outcome is StepOutcome.PLANNED:
            is_held = is_stopped or (step.is_last and has_failed)
            skipped = StepResult(step, StepOutcome.SKIPPED, _HELD)
            result = skipped if is_held else _executed(step)
            has_failed = has_failed or result.outcome is StepOutcome.FAILED
        is_stopped |= step.is_first and result.outcome is StepOutcome.FAILED
        yield result


def preview(steps: Iterable[Step]) -> list[StepResult]:
    return [_previewed(step) for step in steps]


def leftover_deeds(path: Path) -> tuple[Deed, ...]:
    """Return deeds that remove what killed processes left beside a file, unread."""
    remove = partial(Path.unlink, missing_ok=True)
    return tuple(Deed(str(file), partial(remove, file)) for file in left_of(path))


def content_of(path: Path) -> bytes | None:
    """Return the content, None without a file. Raises OSError, also for a pipe."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return path.read_bytes() if path.exists() else None


def difference(change: FileEdit, name: str) -> str:
    old_lines, new_lines = (_lines(side) for side in (change.before, change.after))
    old_name = f"a/{name}" if change.before is not None else "/dev/null"
    new_name = f"b/{name}" if change.after is not None else "/dev/null"
    lines = difflib.unified_diff(old_lines, new_lines, old_name, new_name)
    no_end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + no_end for line in lines)


def _previewed(step: Step) -> StepResult:
    if step.fault:
        return StepResult(step, StepOutcome.FAILED, step.fault)
    if step.why_not:
        return StepResult(step, StepOutcome.SKIPPED, step.why_not)
    is_so = not (step.changes or step.deeds)
    return StepResult(step, StepOutcome.ALREADY if is_so else StepOutcome.PLANNED)


def _executed(step: Step) -> StepResult:
    try:
        for deed in step.deeds:
            deed.carry_out()
        for change in step.changes:
            _write(change)
    except OSError as error:
        return StepResult(step, StepOutcome.FAILED, error.strerror or str(error))
    except GitmemError as error:
        return StepResult(step, StepOutcome.FAILED, error.message)
    return StepResult(step, StepOutcome.DONE)


def _write(change: FileEdit) -> None:
    with locked(change.lock) if change.lock else nullcontext():
        current, content = content_of(change.path), change.after
        # The user agreed to the difference that was shown; another content is theirs.
        if current != change.before:
            if change.merge is None:
                raise Busy(f"{change.path} was changed by somebody else just now.")
            content = change.merge(current)
        if content is None:
            _remove(change)
        else:
            _put(change, content)


def _put(change: FileEdit, content: bytes) -> None:
    """Write the file; make no folder if that fails."""
    new_folders = [*takewhile(lambda path: not path.exists(), change.path.parents)]
    try:
        change.path.parent.mkdir(change.folder_mode, parents=True, exist_ok=True)
        # Synced before it is renamed: a power cut must not empty settings of the user.
        replace_file(change.path, content, change.mode, is_synced=True)
    except OSError:
        remove_empty(new_folders)
        raise


def _remove(change: FileEdit) -> None:
    change.path.unlink(missing_ok=True)
    if change.lock:
        change.lock.unlink(missing_ok=True)
    remove_empty(change.folders)


def remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):  # somebody else has something there
            folder.rmdir()


def _lines(content: bytes | None) -> list[str]:
    return re.findall(r".*\n|.+", (content or b"").decode("utf-8", "replace"))
