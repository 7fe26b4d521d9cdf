"""What a request over HTTP may ask, from the commands of the command line themselves.

All that is listed here are commands that change nothing, and what a request may not do
though the command does it with `--json`: start a program, or name files of the server.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from typer.core import TyperGroup, TyperOption

from gitmem.web.commands import Command, Parameter

_READING = {
    *("list", "search", "show", "files", "why", "status", "doctor", "scan"),
    *("brief", "context", "resume", "recall", "memories"),
    *("share status", "space list"),
}
_CHANGING = {"yes", "fix"}
"""Options with which a command changes something that only reads without."""
_EDITOR = "edit"
"""The command that starts the user's editor."""
_NEVER = {"json", "run"}
"""Options that no request has: it is always JSON, and starts no assistant."""
_TYPES = {"int": "integer", "float": "number", "bool": "boolean"}
"""JSON's types by the beginnings of Click's; "string" for all others."""


def commands_over_http(commands: Mapping[str, Any]) -> Iterator[Command]:
    """Yield what may be asked; what also reads alone twice, first for that."""
    for name, command in commands.items():
        if isinstance(command, TyperGroup):
            for subname, subcommand in command.commands.items():
                yield from _forms((name, subname), subcommand)
        elif name != _EDITOR and not _needs_file(command):
            yield from _forms((name,), command)


def _forms(words: tuple[str, ...], command: Any) -> Iterator[Command]:
    if " ".join(words) in _READING:
        yield _command(words, command, _NEVER | _CHANGING, is_reading=True)
    yield _command(words, command, _NEVER, is_reading=False)


def _command(
    words: tuple[str, ...], command: Any, left_out: set[str], *, is_reading: bool
) -> Command:
    parameters = {
        name: parameter
        for parameter in command.params
        if (name := _name(parameter)) not in left_out and not _is_file(parameter)
    }
    return Command(
        words=words,
        description=(command.help or "").partition("\n\n")[0],
        parameters={name: _parameter(value) for name, value in parameters.items()},
        required=tuple(name for name, value in parameters.items() if value.required),
        is_reading=is_reading,
    )


def _name(parameter: Any) -> str:
    return _option(parameter).strip("-").replace("-", "_") or str(parameter.name)


def _option(parameter: Any) -> str:
    """Return the longest form of an option, "" for an argument."""
    options = parameter.opts if isinstance(parameter, TyperOption) else [""]
    return str(max(options, key=len))


def _needs_file(command: Any) -> bool:
    return any(value.required and _is_file(value) for value in command.params)


def _is_file(parameter: Any) -> bool:
    return bool(parameter.type.name == "path" or parameter.metavar == "FILE")


def _parameter(parameter: Any) -> Parameter:
    types = (_TYPES[name] for name in _TYPES if parameter.type.name.startswith(name))
    schema: dict[str, Any] = {"type": next(types, "string")}
    if choices := getattr(parameter.type, "choices", None):
        schema["enum"] = [*choices]
    if parameter.nargs == -1 or getattr(parameter, "multiple", False):
        schema = {"type": "array", "items": schema}
    schema["description"] = parameter.help or ""
    return Parameter(schema, _option(parameter), "".join(parameter.secondary_opts))
