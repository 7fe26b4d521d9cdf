"""Plans, and what came of them, as `ocm init` and `ocm uninstall` print them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gitmem.actions.installing.plan import (
    FileEdit,
    Step,
    StepResult,
    carry_out,
    difference,
    preview,
)
from gitmem.cli.output import (
    BAD,
    FAINT,
    GOOD,
    HINT,
    PATH,
    WARNING,
    say,
    say_raw,
    say_whole,
)

_STYLES = {
    "done": GOOD,
    "already": FAINT,
    "planned": HINT,
    "skipped": WARNING,
    "failed": BAD,
}
_COLUMN = 9


def carried_out(
    steps: Sequence[Step],
    root: Path,
    title: str = "",
    *,
    is_dry: bool,
    is_verbose: bool,
) -> list[StepResult]:
    """Do the steps, or foresee them; print the plan, and what came of each.

    Without a title the plan was printed before, and each step is for `is_verbose`.
    """
    foreseen = preview(steps)
    if title or is_dry:
        _say_plan(foreseen, title, root)
    results = []
    for result in foreseen if is_dry else carry_out(steps):
        results.append(result)
        if result.outcome == "planned":
            for change in result.step.changes if is_verbose else ():
                say_raw(f"{_difference(change, root)}\n")
        elif title or is_verbose or result.reason:
            say_result(result)
    return results


def has_failed(results: Sequence[StepResult]) -> bool:
    return any(result.outcome == "failed" for result in results)


def steps_json(results: Sequence[StepResult], root: Path) -> list[dict[str, Any]]:
    return [
        {
            "what": result.step.state,
            "done": result.outcome == "done",
            "outcome": result.outcome,
            "reason": result.reason or None,
            "advice": result.step.advice or None,
            "changes": [
                {"path": change.path, "diff": _difference(change, root)}
                for change in result.step.changes
            ],
            "removals": [
                deed.description
                for deed in result.step.deeds
                if result.step.verb == "remove"
            ],
        }
        for result in results
    ]


def say_result(result: StepResult) -> None:
    outcome = (f"{result.outcome:<{_COLUMN}}", _STYLES[result.outcome])
    say(outcome, result.step.state, hang=_COLUMN)
    if result.reason:
        say(" " * _COLUMN, result.reason, hang=_COLUMN)
    if result.step.advice:
        say_whole(" " * _COLUMN, (result.step.advice, PATH))


def _say_plan(foreseen: Sequence[StepResult], title: str, root: Path) -> None:
    """What is to be written or removed, a line each."""
    to_do = [result.step for result in foreseen if result.outcome == "planned"]
    is_nothing = not to_do and not has_failed(foreseen)
    if title:
        say(title, "\n\nNothing is left to do.\n" if is_nothing else "\n")
    elif to_do:
        say()
    for step in to_do:
        rows = [(_verb(change), str(change.path)) for change in step.changes]
        rows += [(step.verb, deed.description) for deed in step.deeds]
        for verb, path in rows:
            say_whole("  ", (f"{verb:<8}", FAINT), (_name(path, root), PATH))
    if to_do:
        say()


def _verb(change: FileEdit) -> str:
    if change.after is None:
        return "remove"
    return "create" if change.before is None else "change"


def _difference(change: FileEdit, root: Path) -> str:
    return difference(change, _name(str(change.path), root).lstrip("/"))


def _name(path: str, root: Path) -> str:
    """A path inside of the root without it; others whole."""
    return path.removeprefix(f"{root.resolve()}/")
