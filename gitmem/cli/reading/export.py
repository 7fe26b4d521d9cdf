"""`ocm export`: the path of a session's document, ready to be pasted."""

import shutil
import subprocess

from gitmem.cli.options import Json, SessionName
from gitmem.cli.output import FAINT, note, say_json, say_whole
from gitmem.errors import NoPermission

_CLIPBOARDS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)
_PATIENCE = 5.0  # seconds


def export(session: SessionName, as_json: Json = False) -> None:
    """Copy the path of a session's document to the clipboard.

    The path is printed as well, for terminals that have no clipboard.
    """
    from gitmem.actions.reading.documents import read_document
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    document = read_document(workspace, session)
    if document.markdown_path is None:
        raise NoPermission(
            f"No readable copy could be written of {document.session_id}",
            hint="`ocm show` prints the document.",
        )
    clipboard = _copy(str(document.markdown_path))
    if as_json:
        say_json(
            {
                "session_id": document.session_id,
                "markdown_path": str(document.markdown_path),
                "clipboard": clipboard,
            }
        )
        return
    say_whole(str(document.markdown_path))
    if clipboard:
        note(("Copied to the clipboard.", FAINT))


def _copy(text: str) -> str | None:
    """Copy with the first program that does it; gives its name."""
    for command in _CLIPBOARDS:
        program = shutil.which(command[0])
        if program and _fed([program, *command[1:]], text):
            return command[0]
    return None


def _fed(command: list[str], text: str) -> bool:
    """Whether the program took the text.

    Its output goes nowhere: some stay to serve the clipboard, and would hold a pipe.
    """
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "surrogateescape"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
