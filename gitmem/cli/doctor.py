"""`ocm doctor`: whether all of it works, and how to mend what does not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.actions.doctor.finding import Grade
from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import BAD, FAINT, GOOD, HINT, WARNING
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.doctor.doctor import Section
    from gitmem.actions.doctor.finding import Finding
    from gitmem.actions.repair.mend import Mended, Mending

Fix = Annotated[
    bool,
    typer.Option("--fix", help="Mend what needs nobody to decide anything."),
]

_STYLES = {
    Grade.OK: GOOD,
    Grade.NOTE: HINT,
    Grade.WARNING: WARNING,
    Grade.PROBLEM: BAD,
}
_COLUMN = 9
"""Where what is found begins, behind its grade."""
_MEND = "mend: "


def doctor(fix: Fix = False, as_json: Json = False) -> None:
    """Check all that gitmem needs, and say how to mend it.

    Without --fix it changes nothing. The exit status is 1 where there are problems, or
    where they are left, and 0 where there are warnings or notes alone.
    """
    sections = _mended(as_json=as_json) if fix else _examined(as_json=as_json)
    if _count(sections)[Grade.PROBLEM]:
        raise typer.Exit(1)


def _examined(*, as_json: bool) -> Sequence["Section"]:
    from gitmem.actions.doctor.doctor import examine
    from gitmem.config import current_environment

    sections = examine(current_environment())
    if as_json:
        output.say_json(list(_as_json(sections)))
    else:
        _say(sections)
        _say_mendable(sections)
        _say_sum(sections)
    return sections


def _mended(*, as_json: bool) -> Sequence["Section"]:
    from gitmem.actions.repair.mend import mend
    from gitmem.config import current_environment

    mended = mend(current_environment())
    if as_json:
        output.say_json(
            {
                "mended": [_mending_json(each) for each in mended.mendings],
                "left": list(_as_json(mended.left)),
            }
        )
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


def _as_json(sections: Sequence["Section"]) -> Iterator[dict[str, Any]]:
    for section in sections:
        for finding in section.findings:
            yield {
                "group": section.group,
                "code": finding.code,
                "about": finding.about or None,
                "grade": finding.grade,
                "what": output.one_line(finding.what),
                "where": finding.where or None,
                "mend": finding.mend or None,
                "mendable": finding.is_mendable,
            }


def _count(sections: Sequence["Section"]) -> Counter[Grade]:
    return Counter(each.grade for section in sections for each in section.findings)


def _say(sections: Sequence["Section"]) -> None:
    for section in sections:
        output.say_whole((section.group, "bold"))
        for finding, following in _with_following(section.findings):
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
            _say_deed("done: ", GOOD, done)
        if each.error:
            _say_deed("not done: ", BAD, each.error)
        output.say()
    if not mended.mendings:
        output.say("Nothing was found that could be mended.\n")
    left = list(_graver(mended.left))
    if left:
        output.say("What is left:\n")
    _say(left)
    _say_sum(left)


def _say_mendable(sections: Sequence["Section"]) -> None:
    findings = (each for section in sections for each in section.findings)
    count = sum(each.is_mendable and each.grade is not Grade.OK for each in findings)
    if count:
        output.say(f"`ocm doctor --fix` mends {count} of these.")


def _graver(sections: Sequence["Section"]) -> Iterator["Section"]:
    """Warnings and problems alone."""
    for section in sections:
        grave = (Grade.WARNING, Grade.PROBLEM)
        found = tuple(each for each in section.findings if each.grade in grave)
        if found:
            yield replace(section, findings=found)


def _say_deed(word: str, style: str, text: str) -> None:
    first, *more = _fitting(output.one_line(text), len(word))
    output.say_whole(" " * _COLUMN, (word, style), first)
    for line in more:
        output.say_whole(" " * (_COLUMN + len(word)), line)


def _with_following(
    findings: Sequence["Finding"],
) -> Iterator[tuple["Finding", "Finding | None"]]:
    return zip(findings, [*findings[1:], None], strict=True)


def _say_finding(finding: "Finding") -> None:
    what = output.one_line(finding.what)
    first, *more = _fitting(what)
    output.say_whole((f"{finding.grade:<{_COLUMN}}", _STYLES[finding.grade]), first)
    for line in more:
        output.say_whole(" " * _COLUMN, line)
    if finding.where and finding.grade is not Grade.OK and finding.where not in what:
        output.say_whole(" " * _COLUMN, (output.one_line(finding.where), FAINT))


def _say_mend(mend: str) -> None:
    """Several lines are there to be copied: they stay as they are."""
    lines = mend.splitlines()
    if len(lines) == 1:
        lines = _fitting(output.one_line(mend), len(_MEND))
    output.say_whole(" " * _COLUMN, (_MEND, HINT), lines[0])
    for line in lines[1:]:
        output.say_whole(" " * (_COLUMN + len(_MEND)), line)


def _fitting(text: str, indent: int = 0) -> list[str]:
    if not output.is_terminal():
        return [text]
    room = max(20, output.console().width - _COLUMN - indent)
    lines = wrap(text, room, break_long_words=False, break_on_hyphens=False)
    return lines or [""]


def _say_sum(sections: Sequence["Section"]) -> None:
    count = _count(sections)
    parts = [
        counted(count[grade], grade)
        for grade in (Grade.PROBLEM, Grade.WARNING, Grade.NOTE)
        if count[grade]
    ]
    style = BAD if count[Grade.PROBLEM] else GOOD
    begin = "" if count[Grade.PROBLEM] else "no problems" + (", " if parts else "")
    output.say_whole((f"{begin}{', '.join(parts)}.".capitalize(), style))
