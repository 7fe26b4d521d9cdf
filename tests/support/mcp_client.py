"""Talking to the MCP server as a client does: the SDK's own client, both protocols."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, Implementation, TextContent

import gitmem
from gitmem.config import Environment
from gitmem.server.main import build

SERVE = ("-c", "from gitmem.server.main import serve; serve()")
MODES = ("auto", "legacy")
"""The stateless protocol of 2026-07-28, and the handshake of the ones before."""


def client_of(
    environment: Environment, mode: str = "auto", name: str = "cursor-vscode"
) -> Client:
    """A client that calls itself `name`, of a server of its own."""
    return Client(
        build(environment),
        mode=mode,
        client_info=Implementation(name=name, version="1.0"),
    )


def server_process(folder: Path, home: Path, mode: str, name: str) -> Client:
    """A client of a server that is a process of its own, in `folder`."""
    parameters = StdioServerParameters(
        command=sys.executable, args=list(SERVE), cwd=folder, env=variables(home)
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
