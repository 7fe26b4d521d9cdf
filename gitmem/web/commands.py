"""Commands of the command line, run for a request, each in a process of its own.

So a request gets what the command prints with `--json`, a slow one can be ended, and
none holds up another.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anyio import fail_after, run_process

from gitmem.config import Environment
from gitmem.errors import InvalidInput, Unavailable
from gitmem.frozen import frozen
from gitmem.resources import module_command

_SECONDS = 120
"""How long a command may take."""


@frozen(kw_only=True)
class Parameter:
    name: str
    description: str
    schema: Mapping[str, Any]
    """The JSON schema of its value."""
    option: str
    """The option, such as `--limit`; "" for an argument."""
    negation: str = ""
    """The option of a flag that says no."""
    is_required: bool = False


@frozen(kw_only=True)
class Command:
    words: tuple[str, ...]
    """The command and its subcommand."""
    description: str
    parameters: Mapping[str, Parameter]
    is_reading: bool
    """True if it changes nothing with these parameters."""

    @property
    def required(self) -> tuple[str, ...]:
        parameters = self.parameters.items()
        return tuple(name for name, value in parameters if value.is_required)


class CommandFailed(Exception):
    """An error that the command printed."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        super().__init__(answer["message"])
        self.answer = answer


async def run_command(
    command: Command, values: Mapping[str, Any], environment: Environment
) -> bytes:
    """Return the JSON that the command prints.

    Raises InvalidInput, Unavailable for one that takes too long, CommandFailed.
    """
    arguments = json.dumps(command_line(command, values))
    try:
        with fail_after(_SECONDS):
            done = await run_process(
                module_command("gitmem.cli.from_stdin"),
                input=arguments.encode(),
                check=False,
                cwd=environment.start,
                env=environment.variables,
                start_new_session=True,
            )
    except TimeoutError:
        raise Unavailable(f"It took longer than {_SECONDS} seconds.") from None
    if done.stdout:
        return done.stdout
    raise CommandFailed(_error_in(done.stderr))


def command_line(command: Command, values: Mapping[str, Any]) -> list[str]:
    """Return the arguments of `ocm`. Raises InvalidInput for what it does not take."""
    for name in sorted(values.keys() - command.parameters.keys()):
        raise InvalidInput(
            f"{' '.join(command.words)} has no parameter {name!r}.",
            hint=f"It takes: {', '.join(command.parameters)}.",
        )
    if missing := [name for name in command.required if not values.get(name)]:
        raise InvalidInput(f"The parameter {missing[0]!r} is missing.")
    options: list[str] = []
    arguments: list[str] = []
    for name, parameter in command.parameters.items():
        words = options if parameter.option else arguments
        if values.get(name) is not None:
            words += _words(parameter, values[name])
    return [*command.words, "--json", *options, "--", *arguments]


def _words(parameter: Parameter, value: object) -> Iterator[str]:
    if parameter.schema["type"] == "boolean":
        yield from _flag(parameter, value)
        return
    is_list = parameter.schema["type"] == "array"
    items = value if is_list and isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise InvalidInput(f"{parameter.name} must be {parameter.schema['type']}.")
        if "\0" in (text := str(item)):
            raise InvalidInput(f"{parameter.name} is no text.")
        yield f"{parameter.option}={text}" if parameter.option else text


def _flag(parameter: Parameter, value: object) -> Sequence[str]:
    match value:
        case True | "true" | "1" | "":
            return [parameter.option]
        case False | "false" | "0":
            return [parameter.negation] if parameter.negation else []
    raise InvalidInput(f"{parameter.name} must be true or false.")


def _error_in(stderr: bytes) -> Mapping[str, Any]:
    """Return the error that is the last line; progress may stand before it."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    try:
        error: Mapping[str, Any] = json.loads(lines[-1])["error"]
    except (IndexError, ValueError, KeyError, TypeError):
        return {"code": "defect", "message": "The command failed.", "hint": None}
    return error
