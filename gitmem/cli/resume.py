"""`ocm resume`: go on with a conversation in its own client."""

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, MaybeSession
from gitmem.errors import Unavailable

if TYPE_CHECKING:
    from gitmem.actions.resuming.resume import Resumption

Run = Annotated[bool, typer.Option("--run", help="Start it here and now.")]


def resume(
    session: MaybeSession = None, is_run: Run = False, as_json: Json = False
) -> None:
    """Print the command that goes on with a session.

    It is the assistant's own, such as `claude --resume ID`, and goes on with the very
    conversation.
    """
    from gitmem.actions.resuming.resume import resumption
    from gitmem.workspace import current_workspace

    found = resumption(current_workspace(), session)
    if is_run:
        _start(found)
    elif as_json:
        output.say_json(
            {
                "session_id": found.session_id,
                "command": found.command,
                "folder": str(found.folder),
            }
        )
    else:
        output.say_whole(_line(found))


def _start(found: "Resumption") -> None:
    """Become the client, in the folder of the conversation; no shell is asked."""
    program = shutil.which(found.command[0])
    if program is None:
        raise Unavailable(
            f"There is no `{found.command[0]}` on the PATH.",
            hint=f"Where it is installed: {_line(found)}",
        )
    program = str(Path(program).absolute())  # a PATH may have relative folders
    os.chdir(found.folder)
    sys.stdout.flush()
    os.execv(program, found.command)  # noqa: S606 - arguments of a known form


def _line(found: "Resumption") -> str:
    """For a shell, with the folder where that is another one than here."""
    command = shlex.join(found.command)
    if found.folder.resolve() == Path.cwd():
        return command
    return f"cd {shlex.quote(str(found.folder))} && {command}"
