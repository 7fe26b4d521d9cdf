"""A plan: what a command would do to the user's files, as values, before it does it.

Whoever plans reads and decides; `carry_out` alone writes. So a dry run and the real one
cannot differ, and a second run finds nothing to do.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gitmem.store.files import replace_file


class Outcome(StrEnum):
    DONE = "done"
    ALREADY = "already"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Change:
    """One file, as it is and as it shall be; None where there is no such file."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    """Permissions of the file afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    what: str
    """What is so afterwards, as one line for a person."""
    changes: tuple[Change, ...] = ()
    """Nothing to change and no `why_not`: it is so already."""
    why_not: str = ""
    """Why this is not done."""
    advice: str = ""
    """A line for the user to copy, where we leave something to them."""


@dataclass(frozen=True, slots=True)
class Result:
    step: Step
    outcome: Outcome
    reason: str = ""
    """Why it was skipped, or what went wrong."""


def carry_out(steps: list[Step]) -> Iterator[Result]:
    """Do one step after the other; one that fails holds up no other."""
    for step in steps:
        if step.why_not:
            yield Result(step, Outcome.SKIPPED, step.why_not)
        elif not step.changes:
            yield Result(step, Outcome.ALREADY)
        else:
            yield _done(step)


def difference(change: Change, name: str) -> str:
    """The change as a unified diff, as `git diff` names its sides."""
    before, after = (_lines(side) for side in (change.before, change.after))
    old = f"a/{name}" if change.before is not None else "/dev/null"
    new = f"b/{name}" if change.after is not None else "/dev/null"
    return "".join(_with_ends(difflib.unified_diff(before, after, old, new)))


def _done(step: Step) -> Result:
    try:
        for change in step.changes:
            _write(change)
    except OSError as error:
        return Result(step, Outcome.FAILED, error.strerror or str(error))
    return Result(step, Outcome.DONE)


def _write(change: Change) -> None:
    if change.after is None:
        change.path.unlink(missing_ok=True)
        return
    change.path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(change.path, change.after, change.mode)


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines(keepends=True)


def _with_ends(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
