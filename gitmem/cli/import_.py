"""`ocm import`: sessions from what assistants keep on the disk."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.filesize import decimal

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, HINT, ID, PATH, WARNING, Part, Row
from gitmem.cli.progress import importing
from gitmem.errors import InvalidInput, NotFound
from gitmem.model.counting import counted
from gitmem.model.redaction import redact

if TYPE_CHECKING:
    from gitmem.actions.importing.bring_in import Wanted
    from gitmem.actions.importing.files import TranscriptFile
    from gitmem.actions.importing.report import Imported, Report
    from gitmem.workspace import Workspace

_MOST_LINES = 10
"""Of trouble, and of folders, that are printed."""
_HEADINGS = [(each, FAINT) for each in ("", "Began", "Prompts", "Files", "Goal")]
_STYLES = {"new": GOOD, "completed": HINT, "already": FAINT}

Name = Annotated[
    str,
    typer.Argument(
        metavar="ASSISTANT",
        help="claude-code, codex, specstory or aider.",
        autocompletion=lambda: ["claude-code", "codex", "specstory", "aider"],
        show_default=False,
    ),
]
Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="Files and folders. [where the assistant keeps them for this repository]",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would come; write nothing.")
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Leave out what ended before: 2026-01-31, yesterday, last month.",
        show_default=False,
    ),
]
MovedFrom = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FOLDER",
        help="This repository was there when they were held; may be repeated.",
        show_default=False,
    ),
]


def import_(
    assistant: Name,
    paths: Paths = None,
    dry_run: DryRun = False,
    since: Since = None,
    moved_from: MovedFrom = None,
    as_json: Json = False,
) -> None:
    """Make sessions of the conversations that an assistant keeps on the disk.

    What is in already is not written twice: it may be run, and interrupted, at any
    time. For example: ocm import claude-code --since "last month"
    """
    from gitmem.actions.importing.bring_in import Wanted
    from gitmem.assistants.transcripts.keepers import keeper_named
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    wanted = Wanted(
        keeper=keeper_named(assistant),
        paths=paths or (),
        moved_from=moved_from or (),
        since=None if since is None else _moment(workspace, since),
        is_dry=dry_run,
    )
    run(workspace, wanted, as_json=as_json)


def run(workspace: "Workspace", wanted: "Wanted", *, as_json: bool = False) -> None:
    """Import, and print what came of it. Leaves with 1 where nothing could be read."""
    from gitmem.actions.importing.bring_in import wanted_files
    from gitmem.actions.importing.report import Report
    from gitmem.actions.importing.report import as_json as json_of

    report = Report()
    files = wanted_files(workspace, wanted)
    if wanted.paths and not files:
        raise NotFound(
            f"There are no transcripts of {title(wanted.keeper.tool)} in"
            f" {', '.join(map(str, wanted.paths))}.",
            hint="Transcripts are plain files; links and devices are not read.",
        )
    _bring_in(workspace, wanted, files, report)
    if as_json:
        output.say_json(json_of(report))
    else:
        _say(report, wanted)
    if wanted.paths and not report.conversations:
        raise typer.Exit(1)


def title(tool: str) -> str:
    """The name of an assistant as people write it."""
    known = {"specstory": "SpecStory"}
    return known.get(tool, tool.replace("-", " ").title())


def _moment(workspace: "Workspace", text: str) -> datetime:
    from gitmem.search.dates import take_dates

    try:
        return workspace.local(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        pass
    for named in (f"since {text}", text):
        period, rest = take_dates(named, workspace.now())
        if period.after and not rest.strip():
            return period.after
    raise InvalidInput(
        f"{text!r} is no date.", hint='Say 2026-01-31, yesterday or "3 weeks ago".'
    )


def _bring_in(
    workspace: "Workspace",
    wanted: "Wanted",
    files: list["TranscriptFile"],
    report: "Report",
) -> None:
    from gitmem.actions.importing.bring_in import bring_in

    try:
        with importing() as progress:
            bring_in(workspace, wanted, files, report, progress)
    except KeyboardInterrupt:
        kept = "Nothing was written" if wanted.is_dry else f"{_kept(report)} in"
        output.note(f"Interrupted. {kept}; the same command goes on from here.")
        raise


def _kept(report: "Report") -> str:
    count = len(report.sessions)
    return f"{counted(count, 'session')} {'is' if count == 1 else 'are'}"


def _say(report: "Report", wanted: "Wanted") -> None:
    if wanted.is_dry and report.sessions:
        output.say_rows([_HEADINGS, *map(_row, report.sessions)])
        output.say()
    name = title(wanted.keeper.tool)
    if not report.files:
        output.say(f"There are no transcripts of {name} about this repository.")
        return
    read = f"{counted(report.files, 'transcript')} of {name}"
    output.say(f"{read} ({decimal(report.size)}): {_came_to(report)}.")
    for count, why in (
        (report.passed_over, "with no prompt and no edit"),
        (report.earlier, "that ended before"),
    ):
        if count:
            output.say(f"Left out: {counted(count, 'conversation')} {why}.")
    _say_elsewhere(report)
    _say_unread(report)
    if wanted.is_dry:
        output.say("Nothing was written.")


def _came_to(report: "Report") -> str:
    from gitmem.actions.importing.report import Outcome

    said = {Outcome.NEW: "new", Outcome.COMPLETED: "completed"}
    said[Outcome.ALREADY] = "in already"
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
    from gitmem.actions.importing.report import is_there

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


def _say_unread(report: "Report") -> None:
    """Some of what could not be read, and how much there is of it."""
    lines = list(islice(_trouble(report), _MOST_LINES))
    for file, what in lines:
        output.say_whole(("could not be read: ", WARNING), (file, PATH), f": {what}")
    total = sum(trouble.count for trouble in report.unread.values())
    if total > len(lines):
        files = counted(len(report.unread), "file")
        output.say(f"{total - len(lines):,} more could not be read, in {files} in all.")


def _trouble(report: "Report") -> Iterator[tuple[str, str]]:
    for file, trouble in report.unread.items():
        for each in trouble.first:
            line = "" if each.line is None else f"line {each.line:,}: "
            yield str(file), f"{line}{each.reason}"
