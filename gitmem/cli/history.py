"""The history that `ocm init` offers to import."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.filesize import decimal

from gitmem.cli.import_ import run
from gitmem.cli.imported import title
from gitmem.cli.output import PATH, say, say_whole
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.importing.find_transcripts import History
    from gitmem.workspace import Workspace


def offer(
    workspace: "Workspace", histories: Sequence["History"], *, is_dry: bool, yes: bool
) -> None:
    """Import what the user agrees to; where nobody can be asked, say how it is done."""
    from gitmem.actions.importing.import_transcripts import Wanted

    for history in histories:
        say()
        if is_dry or not (yes or sys.stdin.isatty()):
            say_whole(f"There is history: {_described(history, workspace)}.")
            say_whole("To make sessions of it: ", (_command(history), PATH))
        elif yes or _agrees(history, workspace):
            run(workspace, Wanted(reader=history.reader))


def history_json(history: "History") -> dict[str, Any]:
    return {
        "assistant": history.reader.tool,
        "transcripts": len(history.files),
        "bytes": history.size,
        "folder": str(history.folder),
        "command": _command(history),
    }


def _agrees(history: "History", workspace: "Workspace") -> bool:
    question = f"Import {_described(history, workspace)}?"
    return typer.confirm(harmless(question), default=True, err=True)


def _described(history: "History", workspace: "Workspace") -> str:
    count = counted(len(history.files), "transcript")
    place = _short(history.folder, workspace.environment.user_home)
    size = decimal(history.size)
    return f"{count} of {title(history.reader.tool)} ({size}) from {place}"


def _short(folder: Path, home: Path) -> str:
    inside = folder.is_relative_to(home)
    return f"~/{folder.relative_to(home)}" if inside else str(folder)


def _command(history: "History") -> str:
    return f"ocm import {history.reader.tool}"
