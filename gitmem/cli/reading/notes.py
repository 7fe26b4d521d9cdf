"""`ocm notes`: whether commits carry a git note that names their session."""

from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, ID, say, say_json
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.linking.commit_notes import Notes

Wanted = Annotated[
    str | None,
    typer.Argument(metavar="on|off", help="Without it: how it stands."),
]


def notes(wanted: Wanted = None, as_json: Json = False) -> None:
    """Keep a git note with its session on each commit, or not.

    `git log --notes=ocm` shows them: the session, its assistant and its goal. They are
    off unless they are turned on here.
    """
    from gitmem.actions.linking import commit_notes as action
    from gitmem.workspace import current_workspace

    actions = {None: action.notes, "on": action.turn_on, "off": action.turn_off}
    if wanted not in actions:
        raise InvalidInput(f"{wanted!r} is neither on nor off.")
    now = actions[wanted](current_workspace())
    if as_json:
        say_json(
            {
                "on": now.is_on,
                "ref": now.ref,
                "notes": now.count,
                "written": now.written,
            }
        )
        return
    _say(now)


def _say(now: "Notes") -> None:
    count = counted(now.count, "note")
    if now.is_on:
        written = f", {now.written:,} of them written now" if now.written else ""
        say(("on   ", GOOD), f"{now.ref} has {count}{written}.")
        say("They are shown by ", ("git log --notes=ocm", ID))
    elif now.count:
        say(("off  ", FAINT), f"{now.ref} has {count}, which stay there.")
        say("Delete that ref with git, and they are gone.")
    else:
        say(("off  ", FAINT), "No commit has a note.")
