"""`ocm serve`: the memory over MCP, on standard input and output.

Standard output is the protocol; what the SDK has to say goes to standard error, from
warnings up. A server that was started outside a repository serves all the same: every
call looks for the repository anew, and says so where there is none.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver import MCPServer

from gitmem.config import Environment, current_environment
from gitmem.server import prompt, resources, tools
from gitmem.server.client import Client
from gitmem.server.protocol import SessionServer
from gitmem.server.worker import Worker


def serve(*, is_opt_in: bool = False) -> None:
    """Serve the client at the other end of standard input until it hangs up."""
    build(current_environment(), is_opt_in=is_opt_in).run("stdio")


def build(environment: Environment, *, is_opt_in: bool = False) -> MCPServer[Client]:
    """The server for the repository that `environment` leads to, or will lead to.

    `is_opt_in` is for one that has not said yes: nothing is read there, nor written,
    until it does.
    """
    worker = Worker(environment, is_opt_in=is_opt_in)

    @asynccontextmanager
    async def connected(_: MCPServer[Client]) -> AsyncIterator[Client]:
        yield Client(worker)

    server = SessionServer(worker, connected)
    for module in (tools, resources, prompt):
        module.add_to(server)
    return server
