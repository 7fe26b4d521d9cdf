"""`ocm show`, `files`, `export` and `log`: documents, diffs, and commits."""

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path

from gitmem.actions.reading import documents
from gitmem.actions.reading.session_answers import (
    diff_answer,
    document_answer,
    file_answers,
)
from gitmem.actions.remembering import named
from gitmem.actions.reviewing.agent_trace import trace_records
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DOCUMENT, MAYBE_DOCUMENT, SESSION, argument, flag, option
from gitmem.cli.output import FAINT
from gitmem.cli.pager import only_colours, page, safe_pager, without_repository
from gitmem.cli.sharing.notices import say_notices
from gitmem.errors import InvalidInput, NoPermission, NotFound, Unavailable
from gitmem.store.trees.session_tree import REF
from gitmem.text.control_characters import harmless_lines
from gitmem.workspace import Workspace

_DRAWN_LENGTH = 500_000
"""Characters above which drawing the Markdown would keep a person waiting."""
_STYLES = {"created": "green", "modified": "yellow", "deleted": "red"}
_CLIPBOARDS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)
_PATIENCE = 5.0  # seconds
_OFF = "on no branch; it was rewritten, or its branch deleted"
_MISSING = "not in this clone; rewritten since, or never fetched"
_NO_DIFF = (
    "This clone has no commit of the session. `git config ocm.keepDiff true` keeps what"
    " sessions leave uncommitted."
)


def show(
    name: str = DOCUMENT,
    conversation: bool = flag(
        "--conversation", "Show what was said, not the document."
    ),
    diff: bool = flag("--diff", "Show the diff of a session, not the document."),
    raw: bool = flag("--raw", "Print the text as it is stored."),
) -> None:
    """Show the document of a session or a memory.

    On a terminal it is drawn, and has no characters that are not seen.
    """
    workspace = current_workspace()
    if diff:
        _show_diff(workspace, name, raw=raw)
        return
    read_named = documents.read_conversation if conversation else named.read
    document = read_named(workspace, name)
    output.say_json(document_answer(document))
    if raw:
        output.say_raw(document.text)
    elif not output.is_terminal() or len(document.text) > _DRAWN_LENGTH:
        output.say_raw(harmless_lines(document.text))
    else:
        from gitmem.cli.reading.drawing import drawn

        text = drawn(document, workspace.now())
        page(text, workspace.root, workspace.environment.variables)
    say_notices(workspace)


def _show_diff(workspace: Workspace, name: str, *, raw: bool) -> None:
    is_drawn = output.is_terminal() and not raw
    difference = documents.session_diff(workspace, name, is_colored=is_drawn)
    output.say_json(diff_answer(difference))
    text = "\n".join(filter(None, (difference.patches, difference.uncommitted)))
    if is_drawn:
        page(only_colours(text), workspace.root, workspace.environment.variables)
    else:
        output.say_raw(text if raw else harmless_lines(text))
    for commits, explanation in (
        (difference.off_branches, _OFF),
        (difference.missing, _MISSING),
    ):
        for commit in commits:
            output.note(
                f"{commit.sha} {output.one_line(commit.subject)}: {explanation}"
            )
    if not text:
        output.note(_NO_DIFF)


def files(session: str = SESSION) -> None:
    """List the files that a session touched."""
    touched = documents.session_files(current_workspace(), session)
    output.say_json(file_answers(touched))
    if not touched:
        output.note("This session touched no files.")
    for file in touched:
        change = (f"{file.change:<8}", _STYLES[file.change])
        output.say_whole(change, "  ", output.one_line(file.path))


def log(
    arguments: list[str] | None = argument(
        "GIT-LOG-ARGS",
        "Whatever `git log` takes, such as --oneline, -p or --since=monday.",
    ),
) -> None:
    """Show the history of the memory with `git log`.

    One commit is one checkpoint. For example: ocm log --oneline -n 5
    """
    workspace = current_workspace()
    if workspace.current_sessions().commit is None:
        raise NotFound("There are no sessions yet, so there is no history.")
    repository_options = ["-C", str(workspace.root)]
    if workspace.environment.git_dir:  # otherwise git itself looks for the repository
        repository_options = [f"--git-dir={workspace.repository.git_dir}"]
    # Always through a pager on a terminal: the filter stands in front of the pager.
    command = ["git", *repository_options, "--paginate", "log", REF, *(arguments or [])]
    environment = without_repository(workspace.environment.variables)
    environment["GIT_PAGER"] = safe_pager(workspace.root, environment)
    try:
        os.execvpe("git", command, environment)  # noqa: S606 - the user's git
    except OSError as error:
        raise Unavailable("git cannot be run.") from error


def export(
    name: str | None = MAYBE_DOCUMENT,
    whole: Path | None = option(
        "--all FILE", "Write the whole memory there: FILE.bundle or FILE.jsonl."
    ),
    agent_trace: bool = flag(
        "--agent-trace", "Print a session's commits as records of Agent Trace."
    ),
) -> None:
    """Copy the path of a document to the clipboard.

    The path is printed as well, for terminals that have no clipboard.
    """
    workspace = current_workspace()
    if whole:
        from gitmem.cli.care.backup import export_all  # others do without

        export_all(workspace, whole)
        return
    if name is None:
        raise InvalidInput("Name a document, or --all FILE.")
    if agent_trace:
        records = trace_records(workspace, name)
        output.say_json(records)
        output.say_raw("".join(f"{json.dumps(record)}\n" for record in records))
        if not records:
            output.meanwhile(f"{output.one_line(name)} has no commits in this clone.")
        return
    document = named.read(workspace, name)
    copy = workspace.copy(document.id, document.text, is_here=document.is_here)
    if copy is None:
        raise NoPermission(
            f"No readable copy of {document.id} could be written.",
            hint="`ocm show` prints the document.",
        )
    used = next(
        (command[0] for command in _CLIPBOARDS if _copies(command, str(copy))), None
    )
    answer = {f"{document.kind}_id": document.id, "markdown_path": copy}
    output.say_json({**answer, "clipboard": used})
    output.say_whole(str(copy))
    if used:
        output.note(("Copied to the clipboard.", FAINT))


def _copies(command: tuple[str, ...], text: str) -> bool:
    """Whether a program is here and took the text.

    Its output goes nowhere: some stay to serve the clipboard, and would hold a pipe.
    """
    nowhere, data = subprocess.DEVNULL, text.encode("utf-8", "surrogateescape")
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            command,
            input=data,
            stdout=nowhere,
            stderr=nowhere,
            timeout=_PATIENCE,
            check=True,
        )
        return True
    return False
