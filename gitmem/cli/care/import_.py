"""`ocm import`: make sessions of transcripts."""

from collections.abc import Sequence
from itertools import starmap
from pathlib import Path
from shlex import join

import typer
from rich.filesize import decimal

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import (
    Imported,
    ImportReport,
    ImportStatus,
    Trouble,
    as_json,
    is_there,
)
from gitmem.actions.remembering import notes
from gitmem.assistants.readers import READERS, reader_named, reader_title
from gitmem.assistants.transcripts.in_repository import is_foreign
from gitmem.assistants.transcripts.transcript_files import TranscriptFile
from gitmem.cli import output
from gitmem.cli.memories import import_notes
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, YES, argument, moment, option
from gitmem.cli.output import FAINT, GOOD, HINT, ID, PATH, WARNING, Row
from gitmem.cli.progress import importing
from gitmem.errors import GitmemError, NotFound
from gitmem.redaction.redact import redact
from gitmem.store.session_store import SessionStore
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_MOST_LINES = 10
"""Rows of a kind that are printed."""
_FILES = ("bundle", "jsonl")
_PROGRAMS = ("claude-mem", "codemem", "basic-memory")
_SHOWN = {
    ImportStatus.NEW: ("new", GOOD),
    ImportStatus.COMPLETED: ("completed", HINT),
    ImportStatus.ALREADY: ("in already", FAINT),
    ImportStatus.FORGOTTEN: ("left out, as they were forgotten", FAINT),
}


def complete_assistant() -> list[str]:
    return [reader.tool for reader in READERS]


def import_(  # noqa: PLR0913 - each is an option of the command line
    assistant: str | None = argument(
        "ASSISTANT",
        f"{', '.join(complete_assistant())}. [all that are found]",
        autocompletion=complete_assistant,
    ),
    paths: list[Path] | None = argument(
        "PATH",
        "Files and folders. [where the assistant keeps them for this repository]",
    ),
    *,
    dry_run: bool = DRY_RUN,
    since: str | None = option(
        "--since DATE", "Leave out what ended before, such as yesterday or 2026-01-31."
    ),
    moved_from: list[Path] | None = option(
        "--moved-from FOLDER",
        "This repository was there when they were held; may be repeated.",
    ),
    strategy: notes.Strategy = option(
        "--strategy HOW", "Memories of notes: a statement, a section, ...", "auto"
    ),
    source: str | None = option(
        "--from ASSISTANT",
        "Notes that it keeps of this project itself.",
        values=("claude-code",),
    ),
    project: str | None = option(
        "--project NAME", "The other project that a file or memories are of."
    ),
    yes: bool = YES,
) -> None:
    """Make sessions of what assistants keep on disk.

    What is in already is not written twice: it may be run, and interrupted, at any
    time. For example: ocm import claude-code --since "last month"

    `ocm import notes PATH...` makes memories of Markdown files, and asks first. `ocm
    import bundle FILE` and `jsonl FILE` merge what `ocm export --all` wrote.
    claude-mem, codemem and basic-memory FOLDER make memories of what these keep.
    """
    if assistant in (*_FILES, *_PROGRAMS):
        from gitmem.cli.care import backup  # others do without

        take = backup.import_file if assistant in _FILES else backup.import_memories
        take(assistant, paths or [], project, dry=dry_run)
        return
    workspace = current_workspace()
    if assistant == "notes":
        assistant_folders = (
            notes.folders_of_assistant(workspace, source) if source else []
        )
        notes_found = notes.notes_in(
            workspace, [*(paths or ()), *assistant_folders], strategy
        )
        import_notes(workspace, notes_found, dry_run, yes)
        return
    rehearsal = SessionStore(workspace.repository.rehearsed()) if dry_run else None
    requests = [
        ImportRequest(
            reader=reader,
            paths=paths or (),
            moved_from=moved_from or (),
            since=None if since is None else moment(workspace, since),
            rehearsal=rehearsal,
        )
        for reader in ([reader_named(assistant)] if assistant else READERS)
    ]
    if assistant:
        run(workspace, requests[0])
    else:
        _run_all(workspace, requests)


def _run_all(workspace: Workspace, requests: list[ImportRequest]) -> None:
    reports = {}
    for request in requests:
        if files := wanted_files(workspace, request):
            reports[request.reader.tool] = _brought_in(workspace, request, files)
    output.say_json({tool: as_json(report) for tool, report in reports.items()})
    if not reports:
        names = ", ".join(reader_title(request.reader.tool) for request in requests)
        output.say(
            f"There are no transcripts about this repository; looked for {names}."
        )


def run(workspace: Workspace, request: ImportRequest) -> None:
    """Import and print the result. Exits with 1 if nothing could be read."""
    files = wanted_files(workspace, request)
    if request.paths and not files:
        raise NotFound(
            f"There are no transcripts of {reader_title(request.reader.tool)} in"
            f" {', '.join(map(str, request.paths))}.",
            hint="Transcripts are plain files; links and devices are not read.",
        )
    report = _brought_in(workspace, request, files)
    output.say_json(as_json(report))
    if request.paths and not report.conversations:
        if output.is_json():
            raise typer.Exit(1)
        raise NotFound("No conversation could be read from what was named.")


def _brought_in(
    workspace: Workspace, request: ImportRequest, files: list[TranscriptFile]
) -> ImportReport:
    """Import files, and print what came of it."""
    report = ImportReport()
    try:
        with importing() as progress:
            bring_in(workspace, request, files, report, progress)
    except KeyboardInterrupt:
        output.meanwhile(f"Interrupted. {_saved_so_far(request, report)}")
        raise
    except GitmemError as error:
        error.hint = " ".join(
            filter(None, (error.hint, _saved_so_far(request, report)))
        )
        raise
    _say(report, request)
    return report


def _saved_so_far(request: ImportRequest, report: ImportReport) -> str:
    count = 0 if request.rehearsal else len(report.sessions)
    summary = f"{counted(count, 'session')} {'is' if count == 1 else 'are'} in"
    says = summary if count else "Nothing was written"
    return f"{says}; the same command goes on from here."


def _say(report: ImportReport, request: ImportRequest) -> None:
    if request.rehearsal and report.sessions:
        for session in report.sessions:
            output.say_cut(*_row(session))
        output.say()
    name = reader_title(request.reader.tool)
    if not report.files:
        output.say(f"There are no transcripts of {name} about this repository.")
        return
    summary = f"{counted(report.files, 'transcript')} of {name}"
    output.say(f"{summary} ({decimal(report.size)}): {_came_to(report)}.")
    for count, why in (
        (report.passed_over, "with no prompt and no edit"),
        (report.earlier, "that ended earlier"),
        (report.programs, "of programs; name the file of one to import it"),
    ):
        if count:
            output.say(f"Left out: {counted(count, 'conversation')} {why}.")
    _say_elsewhere(report, request)
    _say_some([*starmap(_left_out, report.left_out.most_common())], "folder")
    _say_some([*starmap(_unread, report.unread.items())], "file")
    if request.rehearsal:
        output.say("Nothing was written.")


def _came_to(report: ImportReport) -> str:
    counts = {text: report.count(outcome) for outcome, (text, _) in _SHOWN.items()}
    parts = [f"{count:,} {text}" for text, count in counts.items() if count]
    sessions = counted(len(report.sessions), "session")
    return f"{sessions}, {', '.join(parts)}" if parts else "no sessions"


def _row(imported: Imported) -> Row:
    size = f"{counted(imported.prompts, 'prompt')}, {counted(imported.files, 'file')}"
    return (
        (f"{imported.outcome:<11}", _SHOWN[imported.outcome][1]),
        (f"{imported.began_at:%Y-%m-%d %H:%M}", ID),
        (f"  {size:<22}  ", FAINT),
        output.one_line(imported.goal),
    )


def _say_some(rows: Sequence[Row], noun: str) -> None:
    for row in rows[:_MOST_LINES]:
        output.say_whole(*row)
    if hidden_rows := rows[_MOST_LINES:]:
        output.say(f"And {counted(len(hidden_rows), f'other {noun}')}.")


def _say_elsewhere(report: ImportReport, request: ImportRequest) -> None:
    tool, folders = request.reader.tool, report.elsewhere.most_common()
    _say_some([*starmap(_elsewhere, folders)], "folder")
    missing = [folder for folder, _ in folders if _folder_description(folder) == _GONE]
    if missing:
        command = ["ocm", "import", tool, *map(str, request.paths)]
        moved_from = join([*command, "--moved-from", missing[0]])
        output.hint(
            f"Where this repository has moved from such a folder, say so:"
            f" `{redact(moved_from)}`."
        )
    if report.elsewhere[""]:
        output.hint(
            f"One that was held here is imported by its file: `ocm import {tool} FILE`."
        )


_GONE = "not there any more"


def _folder_description(folder: str) -> str:
    if is_foreign(folder) or not Path(folder).is_absolute():
        return "no folder of this system"
    return "another repository" if is_there(folder) else _GONE


def _elsewhere(folder: str, count: int) -> Row:
    left_out = f"{counted(count, 'conversation')} left out"
    if not folder:
        return (f"Held in a folder that is not recorded: {left_out}.",)
    name = redact(folder), PATH
    return "Held in ", name, f", which is {_folder_description(folder)}: {left_out}."


def _left_out(folder: str, count: int) -> Row:
    text = f"{counted(count, 'edit')} in ", (redact(folder), PATH)
    return "Left out: ", *text, ", which may have been a work tree of another project."


def _unread(file: Path, trouble: Trouble) -> Row:
    """Return a row for a file, with the first unreadable part."""
    first_line = trouble.first[0]
    line = "" if first_line.line is None else f"line {first_line.line:,}: "
    times = f" ({first_line.count:,} records)" if first_line.count > 1 else ""
    rest = trouble.count - first_line.count
    and_more = f", and {rest:,} more" if rest else ""
    path = (redact(str(file)), PATH)
    text = f": {line}{first_line.reason}{times}{and_more}"
    return ("could not be read: ", WARNING), path, text
