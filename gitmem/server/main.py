"""`ocm serve`: the memory over MCP, on standard input and output.

Standard output is the protocol; what the SDK has to say goes to standard error, from
warnings up. A server that was started outside a repository serves all the same: every
call looks for the repository anew, and says so where there is none.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import create_task_group
from mcp.server.mcpserver import MCPServer

from gitmem.config import Environment, current_environment
from gitmem.server import memory_tools, prompt, resources, tools
from gitmem.server.client import Client
from gitmem.server.protocol import SessionServer
from gitmem.server.worker import Worker


def serve(*, is_opt_in: bool = False) -> None:
    """Serve the client at the other end of standard input until it hangs up."""
    environment = current_environment()
    build(environment, is_opt_in=is_opt_in, is_process=True).run("stdio")


def build(
    environment: Environment, *, is_opt_in: bool = False, is_process: bool = False
) -> MCPServer[Client]:
    """The server for the repository that `environment` leads to, or will lead to.

    `is_opt_in` is for one that has not said yes: nothing is read there, nor written,
    until it does. `is_process` where the server is one of its own, which its client
    ends.
    """
    worker = Worker(environment, is_opt_in=is_opt_in)

    @asynccontextmanager
    async def connected(_: MCPServer[Client]) -> AsyncIterator[Client]:
        client = Client(worker, is_process)
        async with create_task_group() as tasks:
            tasks.start_soon(client.begin)
            tasks.start_soon(client.end_when_terminated)
            try:
                yield client
            finally:
                await client.end()  # some clients terminate it a moment later
                tasks.cancel_scope.cancel()

    server = SessionServer(worker, connected)
    for module in (tools, memory_tools, resources, prompt):
        module.add_to(server)
    resources.add_profile(server, worker)
    return server
