"""What is sent over HTTP and MCP, and settings of the user that are installed into."""

import atexit
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import quote

import anyio
import typer
from fuzz.target import InMemory, Target
from starlette.testclient import TestClient
from support.harness import make_repository
from support.mcp_client import client_of, text_of

from gitmem.actions.installing.entries import cleaned, entries_of, has_ours
from gitmem.actions.installing.plan import StepOutcome, carry_out
from gitmem.actions.installing.user_files import (
    Row,
    UserFolder,
    install_step,
    removal_step,
)
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.cli.main import json_commands
from gitmem.cli.over_http import commands_over_http
from gitmem.config import Environment, read_environment
from gitmem.errors import InvalidInput
from gitmem.server import memory_tools, tools
from gitmem.web.application import application
from gitmem.web.commands import Command, command_line
from gitmem.web.compat import compat_operations
from gitmem.web.repositories import repositories_at

_SETTINGS = targets_of(CONFIGURED)
_COMMANDS = [*commands_over_http(json_commands())]
_CALLS = [(call.method, call.path) for call in compat_operations()]
_TOOLS = [tool.__name__ for tool, *_ in (*tools.TOOLS, *memory_tools.TOOLS)]
_MOST_REQUESTS = 4
_NAME = "shop"
_STACK = ExitStack()
atexit.register(_STACK.close)
_DEFECT = "defect of gitmem"
_GIVEN = "COMMANDLINE"
_USAGE_ERROR: Any = typer.BadParameter.__mro__[1]


def install_settings(data: bytes) -> None:
    """The file of a user is as it was before, with our note about it or without."""
    target, before = _SETTINGS[(data or b"\0")[0] % len(_SETTINGS)], data[1:]
    with InMemory() as folder:
        file = folder / target.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before)
        manifest: Any = {}
        files = UserFolder(folder, manifest)
        [result] = carry_out(
            [install_step(Row(files, target.path, "", entries_of(target)))]
        )
        installed = file.read_bytes()
        if result.outcome is not StepOutcome.DONE:
            assert installed == before
            return
        text = before.decode()
        expected = cleaned(target.path, text) if has_ours(target.path, text) else text
        rest = cleaned(target.path, installed.decode())
        assert cleaned(target.path, rest) == rest
        removal = removal_step(UserFolder(folder, manifest), target.path)
        assert removal
        assert [step.outcome for step in carry_out([removal])] == [StepOutcome.DONE]
        assert not file.exists() or file.read_bytes() == expected.encode()


def call_compat(data: bytes) -> None:
    """Every request to other memories' addresses gets JSON, and no defect."""
    folder, client = _served()
    rmtree(folder)
    make_repository(folder / _NAME)
    for number, sent in _requests(data):
        method, path = _CALLS[number % len(_CALLS)]
        for name in ("memory_id", "project_id"):
            value = quote(str(sent.get(name) or "x"), safe="")
            path = path.replace(f"{{{name}}}", value)
        answer = client.request(method, path, json=sent)
        assert answer.status_code < 500
        assert answer.status_code == 204 or answer.json() is not None


@cache
def _served() -> tuple[Path, TestClient]:
    folder = Path(_STACK.enter_context(InMemory()))
    repositories = repositories_at(
        [make_repository(folder / _NAME)], _environment(folder)
    )
    app = application(repositories, (), is_writable=True, is_lean=False)
    return folder, TestClient(app)


def send_command(data: bytes) -> None:
    """A parameter is that one alone on the command line, whatever its value is."""
    for number, sent in _requests(data):
        command = _COMMANDS[number % len(_COMMANDS)]
        with suppress(InvalidInput, _USAGE_ERROR):
            words = command_line(command, sent)[len(command.words) :]
            context = _parser(command).make_context("ocm", words)
            names = {
                max(parameter.opts, key=len).strip("-").replace("-", "_")
                for parameter in context.command.params
                if context.get_parameter_source(str(parameter.name)).name == _GIVEN
            }
            assert names <= {*sent, "json"}


def call_tool(data: bytes) -> None:
    """Every call is answered, with an error in plain words where it is wrong."""
    anyio.run(_call_tools, [*_requests(data)])


async def _call_tools(calls: list[tuple[int, dict[str, Any]]]) -> None:
    with InMemory() as folder:
        make_repository(folder / _NAME)
        async with client_of(_environment(folder)) as client:
            for number, arguments in calls:
                name = _TOOLS[number % len(_TOOLS)]
                result = await client.call_tool(name, arguments)
                assert _DEFECT not in text_of(result)


def _requests(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lines of which each has a number and an object."""
    for line in data.split(b"\n")[:_MOST_REQUESTS]:
        number, _, text = line.partition(b" ")
        with suppress(ValueError, RecursionError):
            sent = json.loads(text)
            json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()
            if isinstance(sent, dict):
                yield int(number), sent


def _environment(folder: Path) -> Environment:
    variables = {"HOME": str(folder), "OCM_HOME": str(folder / "home")}
    return read_environment(variables, folder / _NAME, folder)


@cache
def _commands() -> dict[str, Any]:
    return json_commands()


def _parser(command: Command) -> Any:
    name, *subnames = command.words
    parser = _commands()[name]
    return parser.commands[subnames[0]] if subnames else parser


def _user_files() -> Iterator[bytes]:
    texts = (
        b'{\n  // mine\n  "hooks": {"Stop": [{"command": "x"}]},\n  "a": [1, 2,],\n}\n',
        b'{"mcpServers":{"x":{"command":"y"}},"permissions":{"allow":["z"]}}',
        b'# mine\r\n[mcp_servers.x]\r\ncommand = "y"\r\n\r\n[a]\r\nb = """\r\nc"""\r\n',
        b"# Rules\n\nBe brief.",
        b"",
    )
    for number in range(len(_SETTINGS)):
        yield from (bytes([number]) + text for text in texts)


def _examples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _example(name, schema) for name, schema in values.items()}


def _example(name: str, schema: Mapping[str, Any]) -> Any:
    schema = (schema.get("anyOf") or [schema])[0]
    match schema.get("type"):
        case "array":
            return [_example(name, schema.get("items", {}))]
        case "integer" | "number":
            return 2
        case "boolean":
            return True
        case "object":
            return {}
    return schema.get("enum", [f"a {name} of mine"])[0]


def _sent_to_compat() -> Iterator[bytes]:
    for number, call in enumerate(compat_operations()):
        sent = json.dumps(_examples(call.schema["properties"]))
        yield b'0 {"content": "Use tabs"}\n' + f"{number} {sent}".encode()


def _sent_to_commands() -> Iterator[bytes]:
    for number, command in enumerate(_COMMANDS):
        schemas = {name: value.schema for name, value in command.parameters.items()}
        yield f"{number} {json.dumps(_examples(schemas))}".encode()


def _sent_to_tools() -> Iterator[bytes]:
    for number, schema in enumerate(anyio.run(_tool_schemas)):
        sent = json.dumps(_examples(schema["properties"]))
        yield f"{number} {sent}\n{number} {sent}".encode()


async def _tool_schemas() -> list[Any]:
    with InMemory() as folder:
        make_repository(folder / _NAME)
        async with client_of(_environment(folder)) as client:
            return [tool.input_schema for tool in (await client.list_tools()).tools]


TARGETS: Mapping[str, Target] = {
    "settings": Target(install_settings, _user_files, has_lines=True),
    "compat": Target(call_compat, _sent_to_compat, has_lines=True),
    "command": Target(send_command, _sent_to_commands, has_lines=True),
    "tool": Target(call_tool, _sent_to_tools, has_lines=True),
}
