"""What is seen while git talks to a remote, and whether it may ask for a password."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli.output import FAINT, console, one_line

if TYPE_CHECKING:
    from gitmem.config import Environment
    from gitmem.store.remote.remote import Line


PATIENCE = 86_400.0
"""Seconds, where nobody is there: a transfer that moves is not cut, and a remote that
says nothing is left after seconds."""

Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=1.0,
        help="Give up after so long, and ask for no password.",
        show_default=False,
    ),
]


@contextmanager
def line_to_remotes(
    environment: "Environment", patience: float | None = None
) -> Iterator["Line"]:
    """The line to the remotes of whoever sits there.

    What git says is shown on a terminal, in one line that goes away at the end.
    """
    from rich.text import Text

    from gitmem.store.remote.remote import Line
    from gitmem.store.remote.watched_git import unheard

    stderr = console(stderr=True)
    status = stderr.status(Text("Talking to the remote", FAINT))

    def told(text: str) -> None:
        status.update(Text(one_line(text), FAINT))

    if stderr.is_terminal:
        status.start()
    try:
        heard = told if stderr.is_terminal else unheard
        may_ask = patience is None and stderr.is_terminal and sys.stdin.isatty()
        yield Line(environment.variables, patience or PATIENCE, may_ask, heard)
    finally:
        status.stop()
