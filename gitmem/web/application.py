"""What `ocm serve --http` answers, put together."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gitmem.errors import GitmemError
from gitmem.redaction.redact import redact, redact_own
from gitmem.server.failure import log_trouble
from gitmem.server.over_http import http_sessions
from gitmem.web.commands import Command, command_operations
from gitmem.web.compat import compat_operations
from gitmem.web.operations import error_response, openapi, routes
from gitmem.web.repositories import Repositories, served_name


class McpEndpoint:
    """Passes a request on to the server of the repository that it names."""

    def __init__(self, repositories: Repositories, *, is_lean: bool) -> None:
        self._repositories = repositories
        self._sessions = {
            name: http_sessions(worker, is_lean=is_lean)
            for name, worker in repositories.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = served_name(self._repositories, Request(scope).query_params)
        await self._sessions[name].handle_request(scope, receive, send)

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for sessions in self._sessions.values():
                await stack.enter_async_context(sessions.run())
            yield


def application(
    repositories: Repositories,
    commands: Iterable[Command],
    *,
    is_writable: bool,
    is_lean: bool,
) -> ASGIApp:
    """Return the app behind the guard; `is_writable` is about all but `/mcp`."""
    operations = [
        *command_operations(commands),
        *compat_operations(),
    ]
    description = openapi(operations)
    mcp = McpEndpoint(repositories, is_lean=is_lean)

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def describe(_: Request) -> Response:
        return JSONResponse(description)

    async def explain(_: Request, error: Exception) -> Response:
        match error:
            case GitmemError(code=code, message=message, hint=hint):
                return error_response(code, redact(message), hint and redact_own(hint))
            case HTTPException(status_code=status, detail=detail):
                code = "not-found" if status == 404 else "not-allowed"
                return error_response(code, detail, status=status)
        log_trouble(next(iter(repositories.values())).environment, error)
        message = f"This is a defect of gitmem: {type(error).__name__}."
        return error_response("defect", message)

    errors = GitmemError, HTTPException, Exception
    return Starlette(
        routes=[
            Route("/health", health),
            Route("/compat/health", health),
            Route("/openapi.json", describe),
            Route("/mcp", mcp),
            *routes(operations, repositories, is_writable=is_writable),
        ],
        lifespan=mcp.running,
        exception_handlers=dict.fromkeys(errors, explain),
    )
