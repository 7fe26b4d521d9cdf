"""`/api/v1/COMMAND`: what a command prints with `--json`, in a process of its own.

GET is for commands that change nothing, with parameters in the query. POST runs any
command, with a JSON object of parameters, if the server was started for that. A slow
one can be ended, and none holds up another.
"""

import json
import os
from asyncio import create_subprocess_exec
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from signal import SIGKILL, SIGTERM
from subprocess import PIPE
from typing import Any

from anyio import CancelScope, CapacityLimiter, fail_after, sleep
from starlette.responses import Response

from gitmem.config import Environment
from gitmem.errors import InvalidInput, Unavailable
from gitmem.frozen import frozen
from gitmem.resources import module_command
from gitmem.server.client import Worker
from gitmem.web.operations import Operation, error_response

_PREFIX = "/api/v1/"
_MOST_AT_ONCE = 4
_SECONDS = 120
"""How long a command may take."""
_ENDING_SECONDS = 1
"""How long git may take to remove its locks once the command is to end."""


@frozen
class Parameter:
    schema: Mapping[str, Any]
    """The JSON schema of its value."""
    option: str
    """The option, such as `--limit`; "" for an argument."""
    negation: str
    """The option of a flag that says no."""


@frozen(kw_only=True)
class Command:
    words: tuple[str, ...]
    """The command and its subcommand."""
    description: str
    parameters: Mapping[str, Parameter]
    required: tuple[str, ...]
    is_reading: bool
    """True if it changes nothing with these parameters."""


def command_operations(commands: Iterable[Command]) -> Iterator[Operation]:
    limiter = CapacityLimiter(_MOST_AT_ONCE)

    async def respond(
        command: Command, worker: Worker, values: Mapping[str, Any]
    ) -> Response:
        async with limiter:
            return await run_command(command, values, worker.environment)

    for command in commands:
        yield Operation(
            method="GET" if command.is_reading else "POST",
            path=_PREFIX + "/".join(command.words),
            summary=command.description,
            schema={
                "properties": {n: p.schema for n, p in command.parameters.items()},
                "required": command.required,
            },
            is_reading=command.is_reading,
            respond=partial(respond, command),
        )


async def run_command(
    command: Command, values: Mapping[str, Any], environment: Environment
) -> Response:
    """Return the JSON that the command prints, or its error.

    Raises InvalidInput, and Unavailable for one that takes too long.
    """
    arguments = json.dumps(command_line(command, values))
    try:
        with fail_after(_SECONDS):
            output, errors = await _outputs(arguments.encode(), environment)
    except TimeoutError:
        raise Unavailable(f"It took longer than {_SECONDS} seconds.") from None
    if output:
        return Response(output, media_type="application/json")
    return _error_in(errors)


async def _outputs(arguments: bytes, environment: Environment) -> tuple[bytes, bytes]:
    process = await create_subprocess_exec(
        *module_command("gitmem.cli.from_stdin"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=environment.start,
        env=environment.variables,
        start_new_session=True,
    )
    try:
        return await process.communicate(arguments)
    except BaseException:
        await _end_group(process.pid)
        raise


async def _end_group(leader: int) -> None:
    """End the command, and the processes of git below it."""
    with suppress(ProcessLookupError), CancelScope(shield=True):
        os.killpg(leader, SIGTERM)
        await sleep(_ENDING_SECONDS)
        os.killpg(leader, SIGKILL)


def command_line(command: Command, values: Mapping[str, Any]) -> list[str]:
    """Return the arguments of `ocm`. Raises InvalidInput for what it does not take."""
    if unknown := sorted(values.keys() - command.parameters.keys()):
        raise InvalidInput(
            f"{' '.join(command.words)} has no parameter {unknown[0]!r}.",
            hint=f"It takes: {', '.join(command.parameters)}.",
        )
    if missing := [name for name in command.required if not values.get(name)]:
        raise InvalidInput(f"The parameter {missing[0]!r} is missing.")
    options: list[str] = []
    arguments: list[str] = []
    for name, parameter in command.parameters.items():  # arguments have an order
        if (value := values.get(name)) is not None:
            words = options if parameter.option else arguments
            words += _words(name, parameter, value)
    return [*command.words, "--json", *options, "--", *arguments]


def _words(name: str, parameter: Parameter, value: object) -> list[str]:
    expected_type = parameter.schema["type"]
    items = value if isinstance(value, list) else [value]
    is_many = len(items) != 1 and expected_type != "array"
    if is_many or not all(map(_is_plain, items)):
        raise InvalidInput(f"{name} must be of type {expected_type}, without NUL.")
    if expected_type == "boolean":
        is_on = str(value).lower() in {"true", "1"}
        return [*filter(None, [parameter.option if is_on else parameter.negation])]
    prefix = parameter.option and f"{parameter.option}="
    return [f"{prefix}{item}" for item in items]


def _is_plain(item: object) -> bool:
    return isinstance(item, str | int | float) and "\0" not in str(item)


def _error_in(stderr: bytes) -> Response:
    """Return the error that is the last line; progress may stand before it."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    try:
        error = json.loads(lines[-1])["error"]
        return error_response(error["code"], error["message"], error["hint"])
    except (IndexError, ValueError, KeyError, TypeError):
        return error_response("defect", "The command failed.")
