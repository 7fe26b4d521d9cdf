"""`ocm serve`: the MCP server on standard input and output."""

import sys

from gitmem.cli.options import flag
from gitmem.cli.output import note
from gitmem.server.stdio import serve as run


def serve(
    opt_in: bool = flag(
        "--opt-in", "Serve a repository only where `ocm.everywhere` says yes."
    ),
) -> None:
    """Serve the memory to an assistant, over MCP.

    It speaks on standard input and output. Assistants start it themselves; `ocm init`
    says how to tell them.
    """
    if sys.stdin.isatty():
        note("Waiting for an MCP client on standard input; Ctrl-C ends it.")
    run(is_opt_in=opt_in)
