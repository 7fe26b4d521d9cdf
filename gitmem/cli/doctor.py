"""`ocm doctor`: whether all of it works, and how to mend what does not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import typer

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import BAD, FAINT, GOOD, HINT, WARNING
from gitmem.model.counting import counted
from gitmem.model.finding import Grade

if TYPE_CHECKING:
    from gitmem.actions.checking.doctor import Section
    from gitmem.model.finding import Finding

_STYLES = {
    Grade.OK: GOOD,
    Grade.NOTE: HINT,
    Grade.WARNING: WARNING,
    Grade.PROBLEM: BAD,
}
_COLUMN = 9
"""Where what is found begins, behind its grade."""
_MEND = "mend: "


def doctor(as_json: Json = False) -> None:
    """Look at all that gitmem needs, and say how to mend what is not well.

    It changes nothing. The exit status is 1 where there are problems, and 0 where
    there are warnings or notes alone.
    """
    from gitmem.actions.checking.doctor import examine
    from gitmem.workspace import current_environment

    sections = examine(current_environment())
    if as_json:
        output.say_json(list(_as_json(sections)))
    else:
        _say(sections)
    if _count(sections)[Grade.PROBLEM]:
        raise typer.Exit(1)


def _as_json(sections: Sequence["Section"]) -> Iterator[dict[str, str | None]]:
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
    _say_sum(_count(sections))


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


def _say_sum(count: Counter[Grade]) -> None:
    parts = [
        counted(count[grade], grade)
        for grade in (Grade.PROBLEM, Grade.WARNING, Grade.NOTE)
        if count[grade]
    ]
    style = BAD if count[Grade.PROBLEM] else GOOD
    begin = "" if count[Grade.PROBLEM] else "no problems" + (", " if parts else "")
    output.say_whole((f"{begin}{', '.join(parts)}.".capitalize(), style))
