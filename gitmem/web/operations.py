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
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.redaction.redact import redact, redact_own
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
_ERROR_SCHEMA = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": ["string", "null"]},
            },
        }
    },
}


@frozen(kw_only=True)
class Operation:
    method: str
    path: str
    summary: str
    schemas: Mapping[str, Mapping[str, Any]]
    """JSON schemas of its parameters, in the query of a GET and the body of a POST."""
    required: tuple[str, ...]
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
    values = await _sent_values(request, operation.schemas)
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
    answer: Mapping[str, Any], status: int | None = None
) -> JSONResponse:
    texts = {name: text and without_folders(text) for name, text in answer.items()}
    usual = _STATUSES.get(str(answer["code"]), 500)
    return JSONResponse({"error": texts}, status or usual)


def error_answer(error: GitmemError) -> Mapping[str, Any]:
    hint = redact_own(error.hint) if error.hint else None
    return {"code": error.code, "message": redact(error.message), "hint": hint}


def openapi(operations: Iterable[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        methods = paths.setdefault(operation.path, {})
        methods[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "gitmem", "version": gitmem.__version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                "error": {
                    "description": "What is wrong, and how to go on.",
                    "content": {"application/json": {"schema": _ERROR_SCHEMA}},
                }
            },
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    in_path = re.findall(r"{(\w+)", operation.path)
    parameters = [_parameter(name, "path", {"type": "string"}) for name in in_path]
    parameters.append(_parameter(REPOSITORY, "query", {"type": "string"}))
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": "_".join(re.findall(r"\w+", operation.method + operation.path)),
        "parameters": parameters,
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {}}},
            "default": {"$ref": "#/components/responses/error"},
        },
    }
    if operation.method in {"GET", "DELETE"}:
        parameters += (
            _parameter(name, "query", schema, is_required=name in operation.required)
            for name, schema in operation.schemas.items()
        )
    elif operation.schemas:
        described["requestBody"] = _body(operation)
    return described


def _body(operation: Operation) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": dict(operation.schemas),
        "required": [*operation.required],
        "additionalProperties": False,
    }
    return {"content": {"application/json": {"schema": schema}}}


def _parameter(
    name: str, place: str, schema: Mapping[str, Any], *, is_required: bool = False
) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "required": is_required or place == "path",
        "schema": schema,
    }
