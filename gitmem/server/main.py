"""`ocm serve`: the memory over MCP, on standard input and output.

Standard output is the protocol; what the SDK has to say goes to standard error, from
warnings up. A server that was started outside a repository serves all the same: every
call looks for the repository anew, and says so where there is none. The server is the
SDK's, with our errors and a listing of resources that is never stale.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TextIO

import anyio
from mcp.server.context import ServerMiddleware
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    Resource,
    Tool,
)

import gitmem
from gitmem.config import Environment, current_environment
from gitmem.errors import GitmemError
from gitmem.server import memory_tools, resources, tools
from gitmem.server.client import ConnectedClient, Worker
from gitmem.server.failure import as_protocol_error, explained, refused, short
from gitmem.server.introduction import NAME, instructions

Lifespan = Callable[[MCPServer[Any]], AbstractAsyncContextManager[Any]]
_LEFT_OUT = {"title", "default", "minimum"}


def run(wire: TextIO, *, is_opt_in: bool, is_lean: bool) -> None:
    """Serve the client at the other end of the wire until it hangs up.

    Raises BrokenPipeError where it does not wait for its answers.
    """
    server = build(
        current_environment(), is_opt_in=is_opt_in, is_lean=is_lean, is_process=True
    )
    try:
        anyio.run(server.serve, wire)
    except ExceptionGroup as errors:  # of the tasks that read, answer and write
        _, remaining = errors.split(BrokenPipeError)
        if remaining:
            raise
        raise BrokenPipeError from None


def build(
    environment: Environment,
    *,
    is_opt_in: bool = False,
    is_lean: bool = False,
    is_process: bool = False,
) -> "SessionServer":
    """The server for the repository that `environment` leads to, or will lead to.

    `is_opt_in` is for one that has not said yes: nothing is read there, nor written,
    until it does. `is_lean` for one with few tools. `is_process` where the server is
    one of its own, which its client ends.
    """
    worker = Worker(environment, is_opt_in=is_opt_in)

    @asynccontextmanager
    async def connected(
        _: MCPServer[ConnectedClient],
    ) -> AsyncIterator[ConnectedClient]:
        client = ConnectedClient(worker, is_process)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.begin)
            tasks.start_soon(client.end_when_terminated)
            try:
                yield client
            finally:
                await client.end()  # some clients terminate it a moment later
                tasks.cancel_scope.cancel()

    return SessionServer(worker, connected, is_lean=is_lean)


class SessionServer(MCPServer[ConnectedClient]):
    """Tells clients of errors in plain sentences, and lists the newest sessions."""

    def __init__(
        self,
        worker: Worker,
        lifespan: Lifespan,
        middleware: Sequence[ServerMiddleware[Any]] = (),
        *,
        is_lean: bool,
    ) -> None:
        super().__init__(
            NAME,
            version=gitmem.__version__,
            instructions=instructions(is_opt_in=worker.is_opt_in, is_lean=is_lean),
            log_level="WARNING",
            lifespan=lifespan,
            middleware=middleware,
        )
        self._worker = worker
        rows = (*tools.TOOLS, *memory_tools.TOOLS)
        tools.add_tools(self, rows, is_lean=is_lean)
        resources.add_to(self, worker)

    async def serve(self, wire: TextIO) -> None:
        file = anyio.wrap_file(wire)
        async with stdio_server(file, file) as (requests, answers):
            options = self._lowlevel_server.create_initialization_options()
            await self._lowlevel_server.run(requests, answers, options)

    async def list_tools(self) -> list[Tool]:
        """As in the SDK, each with a schema of what a model has to know."""
        return [_lean(tool) for tool in await super().list_tools()]

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[ConnectedClient, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """As in the SDK, but a failure is a result that says how to go on."""
        tool = self._tool_manager.get_tool(name)
        known_names = tool.fn_metadata.arg_model.model_fields if tool else arguments
        if unknown := _unknown_argument(name, arguments, known_names):
            return refused(unknown)
        try:
            arguments_given = {
                key: value for key, value in arguments.items() if value is not None
            }
            return await super().call_tool(name, arguments_given, context)
        except ToolError as error:
            return refused(explained(name, error, self._worker.environment))

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[ConnectedClient, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """As in the SDK, but a wrong name is an error of the protocol."""
        prompt = self._prompt_manager.get_prompt(name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"There is no prompt {short(name)!r}.")
        known_names = [argument.name for argument in prompt.arguments or ()]
        if unknown := _unknown_argument(name, arguments or {}, known_names):
            raise MCPError(INVALID_PARAMS, unknown)
        return await super().get_prompt(name, arguments, context)

    async def list_resources(self) -> list[Resource]:
        """The newest sessions; none where there is no memory to read."""
        with as_protocol_error("The listing", self._worker.environment):
            try:
                return await self._worker.run(resources.newest, through_git=True)
            except GitmemError:
                return []


def _unknown_argument(
    name: str, arguments: Collection[str], known_names: Collection[str]
) -> str | None:
    """Return what to say of an argument that the tool or prompt does not have.

    The SDK would ignore it, and a misspelt `decision` be lost without a word.
    """
    unknown = sorted(set(arguments).difference(known_names))
    if not unknown:
        return None
    message = f"{name} has no argument {short(unknown[0])!r}."
    return f"{message}\nIt takes: {', '.join(known_names)}."


def _lean(tool: Tool) -> Tool:
    """Return the tool without titles and defaults, which a model need not know.

    A schema is read with every request of every conversation.
    """
    schema = {k: v for k, v in tool.input_schema.items() if k != "title"}
    schema["properties"] = {
        name: {
            key: value for key, value in value_schema.items() if key not in _LEFT_OUT
        }
        for name, value_schema in schema["properties"].items()
    }
    return tool.model_copy(update={"input_schema": schema})
