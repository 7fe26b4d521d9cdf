"""Talking to the MCP server as a client does: the SDK's own client, both protocols."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver.prompts.base import Prompt
from mcp.server.mcpserver.resources import ResourceTemplate
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, Implementation, TextContent

import gitmem
from gitmem.assistants.assistant import SERVER
from gitmem.config import Environment
from gitmem.resources import resource
from gitmem.server.main import build
from gitmem.text.insertion import MARKDOWN

SERVE = ("-m", "gitmem", "serve")
MODES = ("auto", "legacy")
"""The stateless protocol of 2026-07-28, and the handshake of the ones before."""


def _make_once(kind: Any) -> None:
    """Have what the SDK makes of a function of ours made once: it takes its time."""
    make, made = kind.from_function, dict[object, Any]()

    def from_function(function: object, *arguments: Any, **how: Any) -> Any:
        if function not in made:
            made[function] = make(function, *arguments, **how)
        return made[function]

    kind.from_function = from_function


for each in (Tool, ResourceTemplate, Prompt):
    _make_once(each)


def client_of(
    environment: Environment, mode: str = "auto", name: str = "cursor-vscode"
) -> Client:
    """A client that calls itself `name`, of a server of its own."""
    return Client(
        build(environment),
        mode=mode,
        client_info=Implementation(name=name, version="1.0"),
    )


def server_process(
    folder: Path, home: Path, mode: str, name: str, *options: str
) -> Client:
    """A client of a server that is a process of its own, in `folder`."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[*SERVE, *options],
        cwd=folder,
        env=variables(home),
    )
    return Client(
        stdio_client(parameters),
        mode=mode,
        client_info=Implementation(name=name, version="1"),
    )


def variables(home: Path) -> dict[str, str]:
    """What such a server finds in its environment."""
    package = Path(gitmem.__file__).parent.parent
    return {
        "HOME": str(home),
        "OCM_HOME": str(home / "ocm"),
        "PYTHONPATH": str(package),
    }


async def texts_at_start(environment: Environment) -> dict[str, str]:
    """What is always there before the first question, but for the brief.

    Tools as Claude Code sends them to its model.
    """
    async with client_of(environment) as client:
        tools, instructions = (await client.list_tools()).tools, client.instructions
    rules = resource("rules/opencodememory.md").read_text("utf-8")
    told = {
        "rules, in their block": f"{MARKDOWN.begin}\n{rules}{MARKDOWN.end}\n",
        "instructions of the server": instructions or "",
    }
    for tool in tools:
        sent = {
            "name": f"mcp__{SERVER}__{tool.name}",
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        told[f"`{tool.name}`"] = json.dumps(sent, separators=(",", ":"))
    return told


def tokens(text: str) -> int:
    return -(-len(text) // 4)


async def ask(client: Client, tool: str, /, **arguments: Any) -> Any:
    """What the tool gives, as an object; fails the test when it gives an error."""
    result = await client.call_tool(f"ocm__{tool}", arguments)
    assert not result.is_error, text_of(result)
    structured = result.structured_content
    assert isinstance(structured, Mapping)
    return structured.get("result", structured)


async def refusal(client: Client, tool: str, /, **arguments: Any) -> str:
    """What the tool says when it refuses; fails the test when it does not."""
    result = await client.call_tool(f"ocm__{tool}", arguments)
    assert result.is_error, result.structured_content
    assert result.structured_content is None
    text = text_of(result)
    assert "Traceback" not in text
    assert len(text) < 2000
    return text


def written(saved: Any) -> str:
    """What stands in the file that a result names."""
    return Path(saved["markdown_path"]).read_text("utf-8")


def text_of(result: CallToolResult) -> str:
    """The one text of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text
