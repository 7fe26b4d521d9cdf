"""`/compat/`: the calls of two other memories, for programs that were written for them.

A call is a function of a workspace whose keyword parameters are what a request may
send, in the path, the query or a JSON object. More than these is passed over, as the
other memories do.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from mcp.server.mcpserver.utilities.func_metadata import func_metadata
from pydantic import BaseModel, ValidationError
from starlette.responses import JSONResponse, Response

from gitmem.errors import InvalidInput
from gitmem.server.client import Worker
from gitmem.server.failure import wrong_arguments
from gitmem.web import compat_memories, compat_sessions
from gitmem.web.operations import Operation

Call = Callable[..., object]
"""A function whose value becomes JSON, with a status before it or without."""
_READ, _WRITE = True, False
_CALLS: tuple[tuple[str, str, Call, bool], ...] = (
    ("POST", "/remember", compat_memories.remember, _WRITE),
    ("POST", "/recall", compat_memories.recall, _READ),
    ("GET", "/recall/{memory_id}", compat_memories.memory, _READ),
    ("DELETE", "/forget/{memory_id}", compat_memories.forget, _WRITE),
    ("PUT", "/state/{project_id}", compat_sessions.save_state, _WRITE),
    ("GET", "/state/{project_id}", compat_sessions.state, _READ),
    ("DELETE", "/state/{project_id}", compat_sessions.clear_state, _WRITE),
    ("POST", "/episode", compat_sessions.save_episode, _WRITE),
    ("GET", "/episodes", compat_sessions.episodes, _READ),
    ("POST", "/bootstrap", compat_sessions.bootstrap, _READ),
    ("GET", "/status", compat_sessions.status, _READ),
    ("POST", "/v1/memories", compat_memories.create, _WRITE),
    ("GET", "/v1/memories", compat_memories.newest, _READ),
    ("GET", "/v1/memories/search", compat_memories.search, _READ),
    ("GET", "/v1/memories/{memory_id}", compat_memories.memory_in_layers, _READ),
    ("PUT", "/v1/memories/{memory_id}", compat_memories.update, _WRITE),
    ("DELETE", "/v1/memories/{memory_id}", compat_memories.forget, _WRITE),
)
"""Method, path, function, and whether it changes nothing."""


def compat_operations() -> Iterator[Operation]:
    for method, path, call, is_reading in _CALLS:
        model = func_metadata(call, ["place"], structured_output=False).arg_model
        yield Operation(
            method=method,
            path=f"/compat{path}",
            summary=call.__doc__ or "",
            schema={"properties": {}, **model.model_json_schema()},
            is_reading=is_reading,
            respond=partial(_respond, call, model),
        )


async def _respond(
    call: Call, model: type[BaseModel], worker: Worker, sent: Mapping[str, Any]
) -> Response:
    try:
        values = dict(model.model_validate(sent))
    except ValidationError as error:
        raise InvalidInput(wrong_arguments(error)) from None
    match await worker.run(lambda place: call(place, **values)):
        case None:
            return Response(status_code=204)
        case (int() as status, value):
            return JSONResponse(value, status)
        case answer:
            return JSONResponse(answer)
