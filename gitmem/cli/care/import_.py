"""`ocm import`: sessions from what assistants keep on the disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.care.imported import say_report, title
from gitmem.cli.options import Json
from gitmem.cli.progress import importing
from gitmem.cli.times import moment
from gitmem.errors import GitmemError, NotFound
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.importing.import_report import Report
    from gitmem.actions.importing.import_transcripts import Wanted
    from gitmem.assistants.transcripts.files import TranscriptFile
    from gitmem.workspace import Workspace


def complete_assistant() -> list[str]:
    from gitmem.assistants.readers import READERS

    return [reader.tool for reader in READERS]


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="ASSISTANT",
        help="claude-code, codex, specstory or aider. [all that are found]",
        autocompletion=complete_assistant,
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
        help="Leave out what ended before, such as yesterday or 2026-01-31.",
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
    assistant: Name = None,
    paths: Paths = None,
    dry_run: DryRun = False,
    since: Since = None,
    moved_from: MovedFrom = None,
    as_json: Json = False,
) -> None:
    """Make sessions of what assistants keep on disk.

    What is in already is not written twice: it may be run, and interrupted, at any
    time. For example: ocm import claude-code --since "last month"
    """
    from gitmem.actions.importing.import_transcripts import Wanted
    from gitmem.assistants.readers import READERS, reader_named
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    asked = [
        Wanted(
            reader=reader,
            paths=paths or (),
            moved_from=moved_from or (),
            since=None if since is None else moment(workspace, since),
            is_dry=dry_run,
        )
        for reader in ([reader_named(assistant)] if assistant else READERS)
    ]
    if assistant:
        run(workspace, asked[0], as_json=as_json)
    else:
        _run_all(workspace, asked, as_json=as_json)


def _run_all(workspace: "Workspace", asked: list["Wanted"], *, as_json: bool) -> None:
    """Import what each assistant has, and print what came of it."""
    from gitmem.actions.importing.import_report import Report
    from gitmem.actions.importing.import_report import as_json as json_of
    from gitmem.actions.importing.import_transcripts import wanted_files

    reports = {}
    for wanted in asked:
        if files := wanted_files(workspace, wanted):
            report = reports[wanted.reader.tool] = Report()
            _bring_in(workspace, wanted, files, report)
            if not as_json:
                say_report(report, wanted.reader.tool, is_dry=wanted.is_dry)
    if as_json:
        output.say_json({tool: json_of(report) for tool, report in reports.items()})
    elif not reports:
        names = ", ".join(title(wanted.reader.tool) for wanted in asked)
        output.say(
            f"There are no transcripts about this repository; looked for {names}."
        )


def run(workspace: "Workspace", wanted: "Wanted", *, as_json: bool = False) -> None:
    """Import, and print what came of it. Leaves with 1 where nothing could be read."""
    from gitmem.actions.importing.import_report import Report
    from gitmem.actions.importing.import_report import as_json as json_of
    from gitmem.actions.importing.import_transcripts import wanted_files

    report = Report()
    files = wanted_files(workspace, wanted)
    if wanted.paths and not files:
        raise NotFound(
            f"There are no transcripts of {title(wanted.reader.tool)} in"
            f" {', '.join(map(str, wanted.paths))}.",
            hint="Transcripts are plain files; links and devices are not read.",
        )
    _bring_in(workspace, wanted, files, report)
    if as_json:
        output.say_json(json_of(report))
    else:
        say_report(report, wanted.reader.tool, is_dry=wanted.is_dry)
    if wanted.paths and not report.conversations:
        if as_json:
            raise typer.Exit(1)
        raise NotFound("No conversation could be read in what was named.")


def _bring_in(
    workspace: "Workspace",
    wanted: "Wanted",
    files: list["TranscriptFile"],
    report: "Report",
) -> None:
    from gitmem.actions.importing.import_transcripts import bring_in

    try:
        with importing() as progress:
            bring_in(workspace, wanted, files, report, progress)
    except KeyboardInterrupt:
        output.note(f"Interrupted. {_kept(wanted, report)}")
        raise
    except GitmemError as error:
        error.hint = " ".join(filter(None, (error.hint, _kept(wanted, report))))
        raise


def _kept(wanted: "Wanted", report: "Report") -> str:
    count = 0 if wanted.is_dry else len(report.sessions)
    kept = f"{counted(count, 'session')} {'is' if count == 1 else 'are'} in"
    says = kept if count else "Nothing was written"
    return f"{says}; the same command goes on from here."
