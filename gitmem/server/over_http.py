"""The server for clients that come over HTTP, each with a conversation of its own.

The SDK has one lifespan for all of them. What belongs to one client hangs on its
connection, which ends when the client says so or was silent for half an hour. A client
of the stateless protocol connects for each request anew.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anyio import create_task_group
from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from gitmem.server.client import ConnectedClient, Worker
from gitmem.server.main import SessionServer

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

_CLIENT = "client"
_MOST_CLIENTS = 1000


def http_sessions(worker: Worker, *, is_lean: bool) -> StreamableHTTPSessionManager:
    """Return what serves one repository to any number of clients.

    Who may ask is checked before; without a Host and Origin of its own it checks none.
    """
    server = SessionServer(worker, _tasks, [_with_its_client(worker)], is_lean=is_lean)
    server.streamable_http_app(host="", max_sessions=_MOST_CLIENTS)
    return server.session_manager


@asynccontextmanager
async def _tasks(_: MCPServer[Any]) -> AsyncIterator["TaskGroup"]:
    async with create_task_group() as tasks:
        yield tasks
        tasks.cancel_scope.cancel()


def _with_its_client(worker: Worker) -> Any:
    async def with_client(
        ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext"
    ) -> "HandlerResult":
        connection = ctx.session._connection  # noqa: SLF001 - no public way to it
        client = connection.state.get(_CLIENT)
        if client is None:
            client = ConnectedClient(worker, is_process=False)
            connection.state[_CLIENT] = client
            connection.exit_stack.push_async_callback(client.end)
        if ctx.method == "initialize":
            ctx.lifespan_context.start_soon(client.begin)
        return await call_next(replace(ctx, lifespan_context=client))

    return with_client
