"""A question that comes before anything goes for good."""

import sys

import typer

from gitmem.errors import InvalidInput
from gitmem.text.control_characters import harmless


def require_yes(question: str, what: str, command: str, *, is_possible: bool) -> None:
    """Go on for a yes alone.

    `what` asks, as messages say it, and `command` has it. Raises typer.Abort for a no,
    and InvalidInput where nobody could say anything.
    """
    if not (is_possible and sys.stdin.isatty()):
        raise InvalidInput(
            f"{what} asks first, and there is no terminal to ask on.",
            hint=f"`ocm {command} --help` says how to answer beforehand.",
        )
    typer.confirm(harmless(question), abort=True, err=True)
