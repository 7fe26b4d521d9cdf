"""What an import came to, printed."""

from itertools import islice
from typing import TYPE_CHECKING

from rich.filesize import decimal

from gitmem.cli import output
from gitmem.cli.output import FAINT, GOOD, HINT, ID, PATH, WARNING, Part, Row
from gitmem.redaction.redact import redact
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.importing.import_report import Imported, Report
    from gitmem.assistants.transcripts.transcript import Unread

_MOST_LINES = 10
"""Files with trouble, and folders of others, that are printed."""
_HEADINGS = [(each, FAINT) for each in ("", "Began", "Prompts", "Files", "Goal")]
_STYLES = {
    "new": GOOD,
    "completed": HINT,
    "already": FAINT,
    "forgotten": FAINT,
    "too-large": WARNING,
}


def title(tool: str) -> str:
    """The name of an assistant as people write it."""
    known = {"specstory": "SpecStory"}
    return known.get(tool, tool.replace("-", " ").title())


def say_report(report: "Report", tool: str, *, is_dry: bool) -> None:
    if is_dry and report.sessions:
        output.say_rows([_HEADINGS, *map(_row, report.sessions)])
        output.say()
    name = title(tool)
    if not report.files:
        output.say(f"There are no transcripts of {name} about this repository.")
        return
    read = f"{counted(report.files, 'transcript')} of {name}"
    output.say(f"{read} ({decimal(report.size)}): {_came_to(report)}.")
    for count, why in (
        (report.passed_over, "with no prompt and no edit"),
        (report.earlier, "that ended earlier"),
    ):
        if count:
            output.say(f"Left out: {counted(count, 'conversation')} {why}.")
    _say_elsewhere(report)
    _say_too_large(report)
    _say_unread(report)
    if is_dry:
        output.say("Nothing was written.")


def _came_to(report: "Report") -> str:
    from gitmem.actions.importing.import_report import Outcome

    said = {Outcome.NEW: "new", Outcome.COMPLETED: "completed"}
    said[Outcome.ALREADY] = "in already"
    said[Outcome.FORGOTTEN] = "left out, as they were forgotten"
    said[Outcome.TOO_LARGE] = "too large"
    counts = {text: report.count(outcome) for outcome, text in said.items()}
    parts = [f"{count:,} {text}" for text, count in counts.items() if count]
    sessions = counted(len(report.sessions), "session")
    return f"{sessions}, {', '.join(parts)}" if parts else "no sessions"


def _row(imported: "Imported") -> Row:
    return (
        (imported.outcome, _STYLES[imported.outcome]),
        (f"{imported.began_at:%Y-%m-%d %H:%M}", ID),
        f"{imported.prompts:>7}",
        f"{imported.files:>5}",
        output.one_line(imported.goal),
    )


def _say_elsewhere(report: "Report") -> None:
    from gitmem.actions.importing.import_report import is_there

    listed = report.elsewhere.most_common(_MOST_LINES)
    for folder, count in listed:
        where: Part = (redact(folder), PATH)
        what = "another repository" if is_there(folder) else "not there any more"
        said = f", which is {what}: {counted(count, 'conversation')} left out."
        output.say_whole("Held in ", where, said)
    if more := len(report.elsewhere) - len(listed):
        output.say(f"And in {counted(more, 'other folder')}.")
    if any(not is_there(folder) for folder, _ in listed):
        output.note(
            ("hint:", HINT),
            " Where this repository has moved from such a folder, say so with",
            " --moved-from FOLDER.",
        )


def _say_too_large(report: "Report") -> None:
    from gitmem.actions.importing.import_report import Outcome
    from gitmem.documents.session.rendering import ROOM  # brings a YAML reader along

    large = [each for each in report.sessions if each.outcome is Outcome.TOO_LARGE]
    for each in large[:_MOST_LINES]:
        output.say_whole(
            ("too large: ", WARNING),
            (f"{each.began_at:%Y-%m-%d %H:%M}", ID),
            f" {output.one_line(each.goal)}; with it a document would have more than",
            f" {ROOM:,} bytes, so nothing of it was taken.",
        )
    if (left := len(large) - _MOST_LINES) > 0:
        output.say(f"And {counted(left, 'other conversation')}.")


def _say_unread(report: "Report") -> None:
    """A line for each file, with the first of what could not be read in it."""
    for file, trouble in islice(report.unread.items(), _MOST_LINES):
        more = trouble.count - 1
        output.say_whole(
            ("could not be read: ", WARNING),
            (redact(str(file)), PATH),
            f": {_where(trouble.first[0])}{f', and {more:,} more' if more else ''}",
        )
    if (left := len(report.unread) - _MOST_LINES) > 0:
        output.say(f"And parts of {counted(left, 'other file')}.")


def _where(unread: "Unread") -> str:
    line = "" if unread.line is None else f"line {unread.line:,}: "
    return f"{line}{unread.reason}"
