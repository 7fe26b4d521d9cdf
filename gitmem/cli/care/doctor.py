"""`ocm doctor`: whether all of it works, and how to mend what does not."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.actions.doctor.finding import Grade
from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import BAD, FAINT, GOOD, HINT, WARNING
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.doctor.finding import Finding
    from gitmem.actions.repair.mend import Mended, Mending

Fix = Annotated[
    bool,
    typer.Option("--fix", help="Repair what needs no decision."),
]

_STYLES = {
    Grade.OK: GOOD,
    Grade.NOTE: HINT,
    Grade.WARNING: WARNING,
    Grade.PROBLEM: BAD,
}
_COLUMN = 9
"""Where what is found begins, behind its grade."""


def doctor(fix: Fix = False, as_json: Json = False) -> None:
    """Check all that gitmem needs, and say how to mend it.

    Without --fix it changes nothing. The exit status is 1 where there are problems, or
    where they are left, and 0 where there are warnings or notes alone.
    """
    findings = _mended(as_json=as_json) if fix else _examined(as_json=as_json)
    if any(each.grade is Grade.PROBLEM for each in findings):
        raise typer.Exit(1)


def _examined(*, as_json: bool) -> Sequence["Finding"]:
    from gitmem.actions.doctor.doctor import examine
    from gitmem.config import current_environment

    findings = examine(current_environment())
    if as_json:
        output.say_json(list(map(_finding_json, findings)))
        return findings
    _say(findings)
    count = sum(each.is_mendable and each.grade is not Grade.OK for each in findings)
    if count:
        output.say(f"`ocm doctor --fix` mends {count} of these.")
    _say_sum(findings)
    return findings


def _mended(*, as_json: bool) -> Sequence["Finding"]:
    from gitmem.actions.repair.mend import mend
    from gitmem.config import current_environment

    mended = mend(current_environment())
    if as_json:
        made = list(map(_mending_json, mended.mendings))
        output.say_json({"mended": made, "left": list(map(_finding_json, mended.left))})
    else:
        _say_mended(mended)
    return mended.left


def _mending_json(mending: "Mending") -> dict[str, Any]:
    return {
        "codes": list(dict.fromkeys(each.code for each in mending.found)),
        "found": [output.one_line(each.what) for each in mending.found],
        "done": [output.one_line(each) for each in mending.done],
        "error": output.one_line(mending.error) or None,
    }


def _finding_json(finding: "Finding") -> dict[str, Any]:
    return {
        "group": finding.code.group,
        "code": finding.code,
        "about": finding.about or None,
        "grade": finding.grade,
        "what": output.one_line(finding.what),
        "where": finding.where or None,
        "mend": finding.mend or None,
        "mendable": finding.is_mendable,
    }


def _say(findings: Sequence["Finding"]) -> None:
    for group, each in groupby(findings, lambda finding: finding.code.group):
        output.say_whole((group, "bold"))
        of_group = list(each)
        for finding, following in zip(of_group, [*of_group[1:], None], strict=True):
            _say_finding(finding)
            if finding.mend and (following is None or following.mend != finding.mend):
                _say_mend(finding.mend)
        output.say()


def _say_mended(mended: "Mended") -> None:
    """What was wrong and what was done about it, and what is left."""
    for each in mended.mendings:
        for finding in each.found:
            _say_finding(finding)
        for done in each.done:
            _say_labelled(_COLUMN, "done: ", GOOD, done)
        if each.error:
            _say_labelled(_COLUMN, "not done: ", BAD, each.error)
        output.say()
    if not mended.mendings:
        output.say("Nothing was found that could be mended.\n")
    left = [f for f in mended.left if f.grade in (Grade.WARNING, Grade.PROBLEM)]
    if left:
        output.say("What is left:\n")
    _say(left)
    _say_sum(left)


def _say_finding(finding: "Finding") -> None:
    style = _STYLES[finding.grade]
    _say_labelled(0, f"{finding.grade:<{_COLUMN}}", style, finding.what)
    if finding.where and finding.grade is not Grade.OK:
        where = output.one_line(finding.where)
        if where not in output.one_line(finding.what):
            output.say_whole(" " * _COLUMN, (where, FAINT))


def _say_mend(mend: str) -> None:
    """Lines behind the first are there to be copied: they stay as they are."""
    label = "mend: "
    first, *more = mend.splitlines()
    _say_labelled(_COLUMN, label, HINT, first)
    for line in more:
        output.say_whole(" " * (_COLUMN + len(label)), line)


def _say_labelled(indent: int, label: str, style: str, text: str) -> None:
    """A label and a text behind it, on a terminal in lines below each other."""
    column, lines = indent + len(label), [output.one_line(text)]
    if output.is_terminal():
        room = max(20, output.console().width - column)
        lines = wrap(lines[0], room, break_long_words=False, break_on_hyphens=False)
    first, *more = lines or [""]
    output.say_whole(" " * indent, (label, style), first)
    for line in more:
        output.say_whole(" " * column, line)


def _say_sum(findings: Sequence["Finding"]) -> None:
    count = Counter(each.grade for each in findings)
    parts = [
        counted(count[grade], grade)
        for grade in (Grade.PROBLEM, Grade.WARNING, Grade.NOTE)
        if count[grade]
    ]
    begin = [] if count[Grade.PROBLEM] else ["no problems"]
    style = BAD if count[Grade.PROBLEM] else GOOD
    output.say_whole((f"{', '.join([*begin, *parts])}.".capitalize(), style))
