"""`ocm handoff`: let another assistant go on with a session."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, MaybeSession

if TYPE_CHECKING:
    from gitmem.actions.resuming.handoff import HandedOver

_BY_COMMAND = """Start it with: {command} "$(ocm handoff {session_id} --to {to})\""""
_BY_HAND = "Give {to} this text as its first prompt."

To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="ASSISTANT",
        help="Who goes on with it, such as codex or claude-code.",
        show_default=False,
    ),
]


def handoff(to: To, session: MaybeSession = None, as_json: Json = False) -> None:
    """Print what another assistant needs to go on.

    Without SESSION that may be one that is still running. The next conversation of
    ASSISTANT in this work tree, begun within four hours, is noted to go on from it.
    """
    from gitmem.actions.resuming.handoff import hand_over
    from gitmem.workspace import current_workspace

    handed = hand_over(current_workspace(), session, to)
    if as_json:
        command = [*handed.command, handed.text] if handed.command else None
        output.say_json(
            {
                "session_id": handed.session_id,
                "to": handed.to,
                "text": handed.text,
                "command": command,
            }
        )
    else:
        output.say_raw(handed.text)
        output.note_whole(_how(handed))


def _how(handed: "HandedOver") -> str:
    line = _BY_COMMAND if handed.command else _BY_HAND
    return line.format(
        command=shlex.join(handed.command), session_id=handed.session_id, to=handed.to
    )
