"""What is seen while git talks to a remote, and whether it may ask for a password."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gitmem.cli.output import FAINT, console, one_line
from gitmem.config import Environment
from gitmem.store.remote import Line


@contextmanager
def line_to_remotes(environment: Environment, patience: float) -> Iterator[Line]:
    """The line to the remotes of whoever sits there.

    What git says is shown on a terminal, in one line that goes away at the end.
    """
    from rich.text import Text

    stderr = console(stderr=True)
    status = stderr.status(Text("Talking to the remote", FAINT))

    def told(text: str) -> None:
        status.update(Text(one_line(text), FAINT))

    if stderr.is_terminal:
        status.start()
    try:
        yield Line(environment.variables, patience, sys.stdin.isatty(), told)
    finally:
        status.stop()
