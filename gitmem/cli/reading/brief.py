"""`ocm brief`: what a new conversation is told, and what that costs."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, complete_session

if TYPE_CHECKING:
    from gitmem.actions.context.brief import Brief
    from gitmem.actions.context.page import Part

Resumed = Annotated[
    str | None,
    typer.Option(
        "--session",
        metavar="SESSION",
        help="What this session would be told when it goes on.",
        autocompletion=complete_session,
        show_default=False,
    ),
]

_OFF = """\
The brief is turned off: `git config ocm.brief.budget` says 0.
`git config ocm.brief.budget 450` turns it on."""
_COST = """\
About {tokens:,} tokens of {budget:,}, {characters:,} characters: {parts}.
`git config ocm.brief.budget N` sets the budget, 0 turns the brief off."""


def brief(session: Resumed = None, as_json: Json = False) -> None:
    """Show what a new conversation is told, and its cost."""
    from gitmem.actions.context import build as action
    from gitmem.assistants.known import UNKNOWN
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    if session:
        made = action.brief_on_resume(workspace, session)
    else:
        made = action.brief(workspace, None, UNKNOWN)
    if as_json:
        output.say_json({"characters": len(made.text), **asdict(made)})
    else:
        output.say_raw(made.text)
        output.note(_cost(made))


def _cost(made: "Brief") -> str:
    if not made.text:
        return _OFF
    return _COST.format(
        tokens=made.tokens,
        budget=made.budget,
        characters=len(made.text),
        parts=", ".join(map(_part, made.parts)),
    )


def _part(part: "Part") -> str:
    left_out = f" ({part.left_out} rows left out)" if part.left_out else ""
    return f"{part.name} {part.tokens}{left_out}"
