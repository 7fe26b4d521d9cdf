"""`/api/v1/COMMAND`: what a command prints with `--json`.

GET is for commands that change nothing, with parameters in the query. POST runs any
command, with a JSON object of parameters, if the server was started for that.
"""

from collections.abc import Iterable, Iterator

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response

from gitmem.web.commands import Command, run_command
from gitmem.web.operations import REPOSITORY, Endpoint, Operation, sent_values
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
            schemas=command.schemas,
            required=command.required,
            is_reading=command.is_reading,
        )


def _answering(
    command: Command, repositories: Repositories, limiter: CapacityLimiter
) -> Endpoint:
    async def answer(request: Request) -> Response:
        values = await sent_values(request, command.schemas)
        name = served_name(repositories, values.pop(REPOSITORY, None))
        async with limiter:
            printed = await run_command(command, values, repositories[name].environment)
        return Response(printed, media_type="application/json")

    return answer
