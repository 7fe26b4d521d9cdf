"""`ocm files`: what a session touched."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli import output
from gitmem.cli.options import Json, SessionName

if TYPE_CHECKING:
    from gitmem.git.values import FileChange

_STYLES = {"created": "green", "modified": "yellow", "deleted": "red"}


def files(session: SessionName, as_json: Json = False) -> None:
    """List the files that a session touched."""
    from gitmem.actions import answers
    from gitmem.actions.reading.documents import session_files
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    touched = session_files(workspace, session)
    if as_json:
        output.say_json(answers.of_files(touched))
    elif touched:
        _say(touched)
    else:
        output.note("This session touched no files.")


def _say(touched: Sequence["FileChange"]) -> None:
    width = max(len(file.change) for file in touched)
    for file in touched:
        change = (file.change.ljust(width), _STYLES[file.change])
        output.say_whole(change, "  ", output.one_line(file.path))
