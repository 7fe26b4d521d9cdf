"""What can be asked by path and method: a table from which OpenAPI is written."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import gitmem
from gitmem.answers import without_folders
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.server.client import Worker
from gitmem.web.repositories import REPOSITORY, Repositories, served_name

_STATUSES = {
    **dict.fromkeys(("invalid-input", "usage"), 400),
    "not-found": 404,
    "ambiguous": 409,
    "busy": 503,
    "unavailable": 503,
    "unreachable": 502,
}
"""Statuses of errors by their code; 500 of others."""
_TEXT = {"type": "string"}
_ERROR = {"code": _TEXT, "message": _TEXT, "hint": {"type": ["string", "null"]}}


@frozen(kw_only=True)
class Operation:
    method: str
    path: str
    summary: str
    schema: Mapping[str, Any]
    """The JSON schema of what a request sends: in path and query, or path and body."""
    is_reading: bool
    """True if it changes nothing."""
    respond: Callable[[Worker, dict[str, Any]], Awaitable[Response]]
    """Answers in a repository what a request sent."""


def routes(
    operations: Iterable[Operation], repositories: Repositories, *, is_writable: bool
) -> Iterator[Route]:
    for operation in operations:
        is_open = is_writable or operation.is_reading
        respond = partial(_respond, operation, repositories)
        endpoint = respond if is_open else _refuse_change
        yield Route(operation.path, endpoint, methods=[operation.method])


async def _respond(
    operation: Operation, repositories: Repositories, request: Request
) -> Response:
    values = await _sent_values(request, operation.schema["properties"])
    name = served_name(repositories, values)
    values.pop(REPOSITORY, None)
    return await operation.respond(repositories[name], values)


async def _refuse_change(_: Request) -> Response:
    raise HTTPException(403, "The server was started without --write.")


async def _sent_values(
    request: Request, schemas: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what path, query and body say; lists where the schema says so."""
    query = request.query_params
    in_query = {
        name: query.getlist(name) if _is_list(schemas.get(name)) else query[name]
        for name in query
    }
    return in_query | await _json_object(request) | request.path_params


def _is_list(schema: Mapping[str, Any] | None) -> bool:
    return schema is not None and schema.get("type") == "array"


async def _json_object(request: Request) -> dict[str, Any]:
    """Return the body; nothing at all is an empty object. Raises InvalidInput."""
    text = await request.body()
    try:
        value = json.loads(text or b"{}")
        json.dumps(value, ensure_ascii=False).encode()  # fails for half a character
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidInput("The body must be a JSON object.")
    return value


def error_response(
    code: str, message: str, hint: str | None = None, *, status: int | None = None
) -> JSONResponse:
    texts = {
        "message": without_folders(message),
        "hint": hint and without_folders(hint),
    }
    error = {"code": code, **texts}
    return JSONResponse({"error": error}, status or _STATUSES.get(code, 500))


def openapi(operations: Iterable[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        methods = paths.setdefault(operation.path, {})
        methods[operation.method.lower()] = _described(operation)
    error = {
        "description": "What is wrong, and how to go on.",
        "content": _content({"error": {"type": "object", "properties": _ERROR}}),
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "gitmem", "version": gitmem.__version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"error": error},
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    in_path = re.findall(r"{(\w+)", operation.path)
    places = dict.fromkeys(in_path, "path")
    rest = {n: s for n, s in operation.schema["properties"].items() if n not in places}
    required = operation.schema.get("required", ())
    body = {}
    if operation.method in {"GET", "DELETE"}:
        places |= dict.fromkeys(rest, "query")
    elif rest:
        names = [name for name in required if name in rest]
        body = {"requestBody": {"content": _content(rest, required=names)}}
    parameters = [
        {
            "name": name,
            "in": place,
            "required": name in required,
            "schema": operation.schema["properties"].get(name, _TEXT),
        }
        for name, place in ({REPOSITORY: "query"} | places).items()
    ]
    return {
        "summary": operation.summary,
        "operationId": "_".join(re.findall(r"\w+", operation.method + operation.path)),
        "parameters": parameters,
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {}}},
            "default": {"$ref": "#/components/responses/error"},
        },
        **body,
    }


def _content(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, **more}
    return {"application/json": {"schema": schema}}
