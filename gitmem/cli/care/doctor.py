"""`ocm doctor` and `ocm rebuild-index`: check and repair."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import typer

from gitmem.actions.doctor.doctor import Repair, Repairs, examine, repair
from gitmem.actions.doctor.finding import Finding, Grade
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import flag
from gitmem.cli.output import BAD, FAINT, GOOD, HINT, WARNING
from gitmem.cli.progress import indexing
from gitmem.config import current_environment
from gitmem.indexing import rebuild_index as rebuild
from gitmem.text.counting import counted

_STYLES = {
    Grade.OK: GOOD,
    Grade.NOTE: HINT,
    Grade.WARNING: WARNING,
    Grade.PROBLEM: BAD,
}
_COLUMN = 9


def doctor(fix: bool = flag("--fix", "Repair what needs no decision.")) -> None:
    """Check all that gitmem needs, and say how to mend it.

    Without --fix it changes nothing. The exit status is 1 where there are problems, or
    where they are left, and 0 where there are warnings or notes alone.
    """
    findings = _mend() if fix else _examine()
    if any(each.grade is Grade.PROBLEM for each in findings):
        raise typer.Exit(1)


def rebuild_index() -> None:
    """Build the search index anew from the memory.

    It keeps itself up to date; this is for when you do not believe it.
    """
    with indexing() as progress:
        sessions = rebuild(current_workspace(), progress)
    output.say_json({"sessions": sessions})
    output.say(("rebuilt", GOOD), f" the index from {counted(sessions, 'session')}")


def _examine() -> Sequence[Finding]:
    findings = examine(current_environment())
    output.say_json([*map(_finding_json, findings)])
    _say(findings)
    count = sum(each.is_repairable and each.grade is not Grade.OK for each in findings)
    if count:
        output.say(f"`ocm doctor --fix` repairs {count} of these.")
    _say_sum(findings)
    return findings


def _mend() -> Sequence[Finding]:
    mended = repair(current_environment())
    made = [*map(_mending_json, mended.repairs)]
    output.say_json({"mended": made, "left": [*map(_finding_json, mended.remaining)]})
    _say_mended(mended)
    return mended.remaining


def _mending_json(mending: Repair) -> dict[str, Any]:
    return {
        "codes": list(dict.fromkeys(each.code for each in mending.findings)),
        "found": [output.one_line(each.message) for each in mending.findings],
        "done": [output.one_line(each) for each in mending.steps],
        "error": output.one_line(mending.error) or None,
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "group": finding.code.group,
        "code": finding.code,
        "about": finding.about or None,
        "grade": finding.grade,
        "what": output.one_line(finding.message),
        "where": finding.location or None,
        "mend": finding.remedy or None,
        "mendable": finding.is_repairable,
    }


def _say(findings: Sequence[Finding]) -> None:
    for group, each in groupby(findings, lambda finding: finding.code.group):
        output.say_whole((group, "bold"))
        of_group = list(each)
        for finding, following in zip(of_group, [*of_group[1:], None], strict=True):
            _say_finding(finding)
            if finding.remedy and (
                following is None or following.remedy != finding.remedy
            ):
                _say_remedy(finding.remedy)
        output.say()


def _say_mended(mended: Repairs) -> None:
    for each in mended.repairs:
        for finding in each.findings:
            _say_finding(finding)
        for done in each.steps:
            _say_labelled(_COLUMN, "done: ", GOOD, done)
        if each.error:
            _say_labelled(_COLUMN, "not done: ", BAD, each.error)
        output.say()
    if not mended.repairs:
        output.say("Nothing was found that could be repaired.\n")
    left = [f for f in mended.remaining if f.grade in (Grade.WARNING, Grade.PROBLEM)]
    if left:
        output.say("What is left:\n")
    _say(left)
    _say_sum(left)


def _say_finding(finding: Finding) -> None:
    style = _STYLES[finding.grade]
    _say_labelled(0, f"{finding.grade:<{_COLUMN}}", style, finding.message)
    if finding.location and finding.grade is not Grade.OK:
        where = output.one_line(finding.location)
        if where not in output.one_line(finding.message):
            output.say_whole(" " * _COLUMN, (where, FAINT))


def _say_remedy(remedy: str) -> None:
    """Print the remedy; lines after the first are there to be copied."""
    label = "mend: "
    first, *more = remedy.splitlines()
    _say_labelled(_COLUMN, label, HINT, first)
    for line in more:
        output.say_whole(" " * (_COLUMN + len(label)), line)


def _say_labelled(indent: int, label: str, style: str, text: str) -> None:
    said = output.one_line(text)
    output.say(" " * indent, (label, style), said, hang=indent + len(label))


def _say_sum(findings: Sequence[Finding]) -> None:
    count = Counter(each.grade for each in findings)
    parts = [
        counted(count[grade], grade)
        for grade in (Grade.PROBLEM, Grade.WARNING, Grade.NOTE)
        if count[grade]
    ]
    begin = [] if count[Grade.PROBLEM] else ["no problems"]
    style = BAD if count[Grade.PROBLEM] else GOOD
    output.say_whole((f"{', '.join([*begin, *parts])}.".capitalize(), style))
