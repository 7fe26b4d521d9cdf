"""`ocm serve`: the MCP server on standard input and output."""

import sys

from gitmem.cli.output import note


def serve() -> None:
    """Serve the memory to an assistant, over MCP.

    It speaks on standard input and output. Assistants start it themselves; `ocm init`
    says how to tell them.
    """
    from gitmem.server.main import serve as run

    if sys.stdin.isatty():
        note("Waiting for an MCP client on standard input; Ctrl-C ends it.")
    run()
