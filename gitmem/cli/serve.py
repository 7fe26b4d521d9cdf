"""`ocm serve`: the MCP server on standard input and output."""

import sys

from gitmem.cli.options import flag, option
from gitmem.cli.output import note
from gitmem.errors import InvalidInput
from gitmem.server.stdio import serve as run

_TOOLS = ("all", "lean")


def serve(
    opt_in: bool = flag(
        "--opt-in", "Serve a repository only where `ocm.everywhere` says yes."
    ),
    tools: str = option(
        "--tools SET", "all, or lean: checkpoint, recall, context.", "all", _TOOLS
    ),
) -> None:
    """Serve the memory to an assistant, over MCP.

    It speaks on standard input and output. Assistants start it themselves; `ocm init`
    says how to tell them.
    """
    if tools not in _TOOLS:
        raise InvalidInput(f"tools must be all or lean, not {tools!r}.")
    if sys.stdin.isatty():
        note("Waiting for an MCP client on standard input; Ctrl-C ends it.")
    run(is_opt_in=opt_in, is_lean=tools == "lean")
