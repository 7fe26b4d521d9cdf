"""`ocm serve`: the MCP server on standard input and output, or over HTTP."""

import sys
from pathlib import Path

from gitmem.cli.options import argument, flag, option
from gitmem.cli.output import note
from gitmem.errors import InvalidInput
from gitmem.server.stdio import serve as run

_TOOLS = ("all", "lean")
_ADDRESS = "127.0.0.1:4097"


def serve(  # noqa: PLR0913 - each is an option of the command line
    address: str | None = argument(
        "ADDRESS:PORT", f"Where to listen with --http. [{_ADDRESS}]"
    ),
    *,
    opt_in: bool = flag(
        "--opt-in", "Serve a repository only where `ocm.everywhere` says yes."
    ),
    tools: str = option(
        "--tools SET", "all, or lean: checkpoint, recall, context.", "all", _TOOLS
    ),
    is_http: bool = flag("--http", "Serve over HTTP: MCP, and JSON for programs."),
    token_file: Path | None = option(
        "--token-file FILE", "A file with the token that requests send."
    ),
    repository: list[Path] | None = option(
        "--repository FOLDER", "Serve it over HTTP; repeatable. [this one]"
    ),
    host: list[str] | None = option(
        "--host NAME", "A name by which clients reach it over HTTP; repeatable."
    ),
    write: bool = flag("--write", "Let requests but those of MCP change something."),
) -> None:
    """Serve the memory to an assistant, over MCP.

    It speaks on standard input and output. Assistants start it themselves; `ocm init`
    says how to tell them. With --http it serves any number of clients and programs,
    which send the token.
    """
    if tools not in _TOOLS:
        raise InvalidInput(f"tools must be all or lean, not {tools!r}.")
    is_lean = tools == "lean"
    if is_http:
        from gitmem.cli.serve_http import serve_over_http

        serve_over_http(
            address or _ADDRESS,
            token_file,
            repository or [Path()],
            host or (),
            is_opt_in=opt_in,
            is_lean=is_lean,
            is_writable=write,
        )
        return
    if address or token_file or repository or host or write:
        raise InvalidInput("All but --opt-in and --tools is for `ocm serve --http`.")
    if sys.stdin.isatty():
        note("Waiting for an MCP client on standard input; Ctrl-C ends it.")
    run(is_opt_in=opt_in, is_lean=is_lean)
