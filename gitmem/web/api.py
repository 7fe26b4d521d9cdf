"""`/api/v1/COMMAND`: what a command prints with `--json`.

GET is for commands that change nothing, with parameters in the query. POST runs any
command, with a JSON object of parameters, if the server was started for that.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response

from gitmem.web.commands import Command, run_command
from gitmem.web.operations import REPOSITORY, Endpoint, Operation, json_object
from gitmem.web.repositories import Repositories, served_name

_PREFIX = "/api/v1/"
_MOST_AT_ONCE = 4


def operations_of_commands(
    commands: Iterable[Command], repositories: Repositories
) -> Iterator[Operation]:
    limiter = CapacityLimiter(_MOST_AT_ONCE)
    for command in commands:
        yield Operation(
            method="GET" if command.is_reading else "POST",
            path=_PREFIX + "/".join(command.words),
            summary=command.description,
            endpoint=_answering(command, repositories, limiter),
            schemas={
                name: {**parameter.schema, "description": parameter.description}
                for name, parameter in command.parameters.items()
            },
            required=command.required,
        )


def _answering(
    command: Command, repositories: Repositories, limiter: CapacityLimiter
) -> Endpoint:
    async def answer(request: Request) -> Response:
        is_get = command.is_reading
        values = _values(request, command) if is_get else await json_object(request)
        name = served_name(repositories, request.query_params.get(REPOSITORY))
        async with limiter:
            printed = await run_command(command, values, repositories[name].environment)
        return Response(printed, media_type="application/json")

    return answer


def _values(request: Request, command: Command) -> dict[str, Any]:
    """Return the parameters in the query, those that may be repeated as lists."""
    query = request.query_params
    return {
        name: query.getlist(name) if _is_list(command, name) else query[name]
        for name in query
        if name != REPOSITORY
    }


def _is_list(command: Command, name: str) -> bool:
    parameter = command.parameters.get(name)
    return parameter is not None and parameter.schema["type"] == "array"
