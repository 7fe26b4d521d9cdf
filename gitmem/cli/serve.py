"""`ocm serve`: the MCP server on standard input and output."""

import sys
from typing import Annotated

import typer

from gitmem.cli.output import note

OptIn = Annotated[
    bool,
    typer.Option(
        "--opt-in", help="Serve a repository only where `ocm.everywhere` says yes."
    ),
]


def serve(opt_in: OptIn = False) -> None:
    """Serve the memory to an assistant, over MCP.

    It speaks on standard input and output. Assistants start it themselves; `ocm init`
    says how to tell them.
    """
    from gitmem.server.main import serve as run

    if sys.stdin.isatty():
        note("Waiting for an MCP client on standard input; Ctrl-C ends it.")
    run(is_opt_in=opt_in)
