"""Plans, and what came of them, as `ocm init` and `ocm uninstall` print them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.output import (
    BAD,
    FAINT,
    GOOD,
    HINT,
    PATH,
    WARNING,
    console,
    say,
    say_raw,
    say_whole,
)

if TYPE_CHECKING:
    from gitmem.actions.installing.plan import Change, Result, Step

DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Print the plan and all changes; write nothing."),
]

_STYLES = {
    "done": GOOD,
    "already": FAINT,
    "planned": HINT,
    "skipped": WARNING,
    "failed": BAD,
}
_INDENT = " " * 9


def carried_out(
    steps: Sequence["Step"],
    title: str,
    root: Path,
    *,
    is_dry: bool,
    in_silence: bool = False,
) -> list["Result"]:
    """Do the steps, or foresee them; print the plan, and what came of each."""
    from gitmem.actions.installing.plan import carry_out, foresee

    foreseen = foresee(steps)
    if not in_silence:
        _say_plan(foreseen, title, root)
    results = []
    for result in foreseen if is_dry else carry_out(steps):
        results.append(result)
        if not in_silence and is_dry and result.outcome == "planned":
            _say_differences(result, root)
        elif not in_silence:
            say_result(result)
    return results


def has_failed(results: Sequence["Result"]) -> bool:
    return any(result.outcome == "failed" for result in results)


def steps_json(results: Sequence["Result"], root: Path) -> list[dict[str, Any]]:
    return [
        {
            "what": result.step.what,
            "done": result.outcome == "done",
            "outcome": result.outcome,
            "reason": result.reason or None,
            "advice": result.step.advice or None,
            "changes": [
                {"path": str(change.path), "diff": _difference(change, root)}
                for change in result.step.changes
            ],
            "removals": [
                deed.what for deed in result.step.deeds if result.step.verb == "remove"
            ],
        }
        for result in results
    ]


def say_result(result: "Result") -> None:
    first, *rest = _lines(result.step.what)
    say_whole((f"{result.outcome:<9}", _STYLES[result.outcome]), first)
    for line in (*rest, *_lines(result.reason)):
        say_whole(_INDENT, line)
    if result.step.advice:
        say_whole(_INDENT, (result.step.advice, PATH))


def _say_plan(foreseen: Sequence["Result"], title: str, root: Path) -> None:
    """What is to be written or removed, a line each."""
    to_do = [result.step for result in foreseen if result.outcome == "planned"]
    is_nothing = not to_do and not has_failed(foreseen)
    say(title, "\n\nNothing is left to do.\n" if is_nothing else "\n")
    for step in to_do:
        for change in step.changes:
            name = _name(str(change.path), root)
            say_whole("  ", (f"{_verb(change):<8}", FAINT), (name, PATH))
        for deed in step.deeds:
            say_whole("  ", (f"{step.verb:<8}", FAINT), (_name(deed.what, root), PATH))
    if to_do:
        say()


def _lines(text: str) -> list[str]:
    """The text as it fits behind the indent."""
    here = console()
    width = here.width - len(_INDENT) if here.is_terminal else sys.maxsize
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _say_differences(result: "Result", root: Path) -> None:
    for change in result.step.changes:
        say_raw(f"{_difference(change, root)}\n")


def _verb(change: "Change") -> str:
    if change.after is None:
        return "remove"
    return "create" if change.before is None else "change"


def _difference(change: "Change", root: Path) -> str:
    from gitmem.actions.installing.plan import difference

    return difference(change, _name(str(change.path), root).lstrip("/"))


def _name(path: str, root: Path) -> str:
    """A path inside of the root without it; others whole."""
    return path.removeprefix(f"{root.resolve()}/")
