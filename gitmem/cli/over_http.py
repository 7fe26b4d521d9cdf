"""What a request over HTTP may ask, from the commands of the command line themselves.

All that is listed here are commands that change nothing, and options that would let a
request do more than the command does with `--json`.
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
_NOT_OFFERED = {"json", "input", "run"}
"""`input` names a file of the server, `run` starts a program there."""
_TYPES = {"integer": "integer", "float": "number", "boolean": "boolean"}


def commands_over_http(commands: Mapping[str, Any]) -> Iterator[Command]:
    """Yield what may be asked; what also reads alone twice, first for that."""
    for name, command in commands.items():
        if isinstance(command, TyperGroup):
            for subname, subcommand in command.commands.items():
                yield from _forms((name, subname), subcommand)
        else:
            yield from _forms((name,), command)


def _forms(words: tuple[str, ...], command: Any) -> Iterator[Command]:
    if " ".join(words) in _READING:
        yield _command(words, command, is_reading=True)
    yield _command(words, command, is_reading=False)


def _command(words: tuple[str, ...], command: Any, *, is_reading: bool) -> Command:
    left_out = _NOT_OFFERED | (_CHANGING if is_reading else set())
    parameters = [_parameter(parameter) for parameter in command.params]
    return Command(
        words=words,
        description=(command.help or "").partition("\n\n")[0],
        parameters={p.name: p for p in parameters if p.name not in left_out},
        is_reading=is_reading,
    )


def _parameter(parameter: Any) -> Parameter:
    is_option = isinstance(parameter, TyperOption)
    option = max(parameter.opts, key=len) if is_option else ""
    return Parameter(
        name=option.strip("-").replace("-", "_") or parameter.name,
        description=parameter.help or "",
        schema=_schema(parameter),
        option=option,
        negation=next(iter(parameter.secondary_opts), ""),
        is_required=parameter.required,
    )


def _schema(parameter: Any) -> Mapping[str, Any]:
    first_word, _, _ = parameter.type.name.partition(" ")  # of `integer range`
    item: dict[str, Any] = {"type": _TYPES.get(first_word, "string")}
    if choices := getattr(parameter.type, "choices", None):
        item["enum"] = [*choices]
    is_list = parameter.nargs == -1 or getattr(parameter, "multiple", False)
    return {"type": "array", "items": item} if is_list else item
