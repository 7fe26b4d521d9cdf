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
    where they are left or a repair failed, and 0 where there are warnings or notes
    alone.
    """
    is_sound = _mend() if fix else _examine()
    if not is_sound:
        raise typer.Exit(1)


def rebuild_index() -> None:
    """Build the search index anew from the memory.

    It keeps itself up to date; this is for when you do not believe it.
    """
    with indexing() as progress:
        sessions = rebuild(current_workspace(), progress)
    output.say_json({"sessions": sessions})
    output.say(("rebuilt", GOOD), f" the index from {counted(sessions, 'session')}")


def _examine() -> bool:
    """Report what is found; return whether none of it is a problem."""
    findings = examine(current_environment())
    output.say_json([*map(_finding_json, findings)])
    _say(findings)
    count = sum(
        finding.is_repairable and finding.grade is not Grade.OK for finding in findings
    )
    if count:
        output.say(f"`ocm doctor --fix` repairs {count} of these.")
    _say_sum(findings)
    return not _has_problem(findings)


def _mend() -> bool:
    """Repair what can be; return whether all of that worked and no problem is left."""
    mended = repair(current_environment())
    repairs = [*map(_mending_json, mended.repairs)]
    output.say_json(
        {"mended": repairs, "left": [*map(_finding_json, mended.remaining)]}
    )
    _say_mended(mended)
    has_failed = any(mending.error for mending in mended.repairs)
    return not has_failed and not _has_problem(mended.remaining)


def _has_problem(findings: Sequence[Finding]) -> bool:
    return any(finding.grade is Grade.PROBLEM for finding in findings)


def _mending_json(mending: Repair) -> dict[str, Any]:
    return {
        "codes": list(dict.fromkeys(finding.code for finding in mending.findings)),
        "found": [output.one_line(finding.message) for finding in mending.findings],
        "done": [output.one_line(step) for step in mending.steps],
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
    for group, group_findings in groupby(findings, lambda finding: finding.code.group):
        output.say_whole((group, "bold"))
        of_group = list(group_findings)
        for finding, following in zip(of_group, [*of_group[1:], None], strict=True):
            _say_finding(finding)
            if finding.remedy and (
                following is None or following.remedy != finding.remedy
            ):
                _say_remedy(finding.remedy)
        output.say()


def _say_mended(mended: Repairs) -> None:
    for mending in mended.repairs:
        for finding in mending.findings:
            _say_finding(finding)
        for done in mending.steps:
            _say_labelled(_COLUMN, "done: ", GOOD, done)
        if mending.error:
            _say_labelled(_COLUMN, "not done: ", BAD, mending.error)
        output.say()
    if not mended.repairs:
        output.say("Nothing was found that could be repaired.\n")
    remaining = [
        f for f in mended.remaining if f.grade in (Grade.WARNING, Grade.PROBLEM)
    ]
    if remaining:
        output.say("What is left:\n")
    _say(remaining)
    _say_sum(remaining, sum(bool(mending.error) for mending in mended.repairs))


def _say_finding(finding: Finding) -> None:
    style = _STYLES[finding.grade]
    _say_labelled(0, f"{finding.grade:<{_COLUMN}}", style, finding.message)
    if finding.location and finding.grade is not Grade.OK:
        location = output.one_line(finding.location)
        if location not in output.one_line(finding.message):
            output.say_whole(" " * _COLUMN, (location, FAINT))


def _say_remedy(remedy: str) -> None:
    """Print the remedy; lines after the first are there to be copied."""
    label = "mend: "
    first_line, *other_lines = remedy.splitlines()
    _say_labelled(_COLUMN, label, HINT, first_line)
    for line in other_lines:
        output.say_whole(" " * (_COLUMN + len(label)), line)


def _say_labelled(indent: int, label: str, style: str, text: str) -> None:
    line = output.one_line(text)
    output.say(" " * indent, (label, style), line, hang=indent + len(label))


def _say_sum(findings: Sequence[Finding], failed_repairs: int = 0) -> None:
    count = Counter(finding.grade for finding in findings)
    parts = [
        counted(count[grade], grade)
        for grade in (Grade.PROBLEM, Grade.WARNING, Grade.NOTE)
        if count[grade]
    ]
    has_problem = bool(failed_repairs or count[Grade.PROBLEM])
    begin = [] if has_problem else ["no problems"]
    if failed_repairs:
        begin = [f"{counted(failed_repairs, 'repair')} failed"]
    style = BAD if has_problem else GOOD
    output.say_whole((f"{', '.join([*begin, *parts])}.".capitalize(), style))
