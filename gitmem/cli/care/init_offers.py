"""What `ocm init` offers at its end: the memory at the remote, and earlier history."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.filesize import decimal

from gitmem.cli.care.import_ import run
from gitmem.cli.care.imported import title
from gitmem.cli.output import PATH, note, say, say_whole
from gitmem.cli.sharing.begin_sharing import Declined, Manner, begin
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.importing.find_transcripts import History
    from gitmem.actions.sharing.share_settings import Wanted
    from gitmem.workspace import Workspace

_SHARE = "ocm init --share"


def offer_to_share(workspace: "Workspace", *, is_wanted: bool, is_dry: bool) -> None:
    """Share where the user says so; where nobody can be asked, say how it is done."""
    if is_wanted:
        say()
        _share(workspace, Manner(yes=True, is_dry=is_dry))
    elif there := _undecided(workspace):
        say()
        say_whole(f"There is a memory at {there.name}.")
        if is_dry or not sys.stdin.isatty():
            say_whole("To take part in it: ", (_SHARE, PATH))
        else:
            _ask_to_share(workspace, there)


def sharing_json(
    workspace: "Workspace", *, is_wanted: bool, is_dry: bool
) -> dict[str, Any] | None:
    """Return the same for programs; None where there is nothing to offer."""
    from gitmem.store.trees.session_tree import REF

    if is_wanted:
        return _share(workspace, Manner(True, is_dry=is_dry, in_silence=True))
    if there := _undecided(workspace):
        return {"remote": there.name, "ref": there.ref or REF, "command": _SHARE}
    return None


def offer_to_import(workspace: "Workspace", *, is_dry: bool, yes: bool) -> None:
    """Import what the user agrees to; where nobody can be asked, say how it is done."""
    from gitmem.actions.importing.find_transcripts import kept_histories
    from gitmem.actions.importing.import_transcripts import Wanted

    for history in list(kept_histories(workspace)):
        say()
        described = _described(history, workspace.environment.user_home)
        if is_dry or not (yes or sys.stdin.isatty()):
            say_whole(f"There is history: {described}.")
            say_whole("To make sessions of it: ", (_command(history), PATH))
        elif yes or _agrees(f"Import {described}?"):
            run(workspace, Wanted(reader=history.reader))


def history_json(workspace: "Workspace") -> list[dict[str, Any]]:
    """Return the same for programs."""
    from gitmem.actions.importing.find_transcripts import kept_histories

    return [
        {
            "assistant": history.reader.tool,
            "transcripts": len(history.files),
            "bytes": history.size,
            "folder": str(history.folder),
            "command": _command(history),
        }
        for history in kept_histories(workspace)
    ]


def _undecided(workspace: "Workspace") -> "Wanted | None":
    """Return the memory at the remote, where nobody has said yet whether to share."""
    from gitmem.actions.sharing.share_settings import is_undecided, memory_there

    return memory_there(workspace) if is_undecided(workspace) else None


def _share(workspace: "Workspace", manner: Manner) -> dict[str, Any]:
    """Share with the remote that is meant, at the ref where memory is already."""
    from gitmem.actions.sharing.share_settings import Wanted, memory_there

    there = None if workspace.chosen else memory_there(workspace)
    return begin(workspace, there or Wanted(), manner)


def _ask_to_share(workspace: "Workspace", there: "Wanted") -> None:
    from gitmem.actions.sharing.share_settings import decline

    try:
        begin(workspace, there, Manner())
    except Declined:
        decline(workspace)
        note("You are not asked again; `ocm share on` takes part at any time.")


def _agrees(question: str) -> bool:
    return typer.confirm(harmless(question), default=True, err=True)


def _described(history: "History", home: Path) -> str:
    count = counted(len(history.files), "transcript")
    folder, size = history.folder, decimal(history.size)
    is_inside = folder.is_relative_to(home)
    place = f"~/{folder.relative_to(home)}" if is_inside else str(folder)
    return f"{count} of {title(history.reader.tool)} ({size}) from {place}"


def _command(history: "History") -> str:
    return f"ocm import {history.reader.tool}"
