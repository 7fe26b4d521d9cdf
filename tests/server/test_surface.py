"""What a client learns about the server before it calls anything."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import Tool
from support.mcp_client import MODES, client_of, texts_at_start, tokens

import gitmem
from gitmem.assistants.assistant import TOOLS
from gitmem.config import Environment
from gitmem.text.counting import DEFAULT_BUDGET

pytestmark = pytest.mark.anyio

NAMES = [
    "ocm__checkpoint",
    "ocm__search_sessions",
    "ocm__list_sessions",
    "ocm__get_session_files",
    "ocm__remember",
    "ocm__recall",
    "ocm__context",
    "ocm__forget",
]

WRITING = ("ocm__checkpoint", "ocm__remember", "ocm__forget")


async def tools_of(environment: Environment, mode: str = MODES[0]) -> list[Tool]:
    async with client_of(environment, mode) as client:
        return (await client.list_tools()).tools


@pytest.mark.parametrize("mode", MODES)
async def test_the_server_says_who_it_is_and_how_to_work_with_it(
    environment: Environment, mode: str
) -> None:
    async with client_of(environment, mode) as client:
        info, instructions = client.server_info, client.instructions or ""
    assert info is not None
    assert (info.name, info.version) == ("opencodememory", gitmem.__version__)
    assert len(instructions.split()) <= 60
    first = instructions.splitlines()[0]  # all that some clients show
    assert "`ocm__context`" in first
    assert "`ocm__checkpoint`" in first
    assert first.endswith(".")
    assert len(first) <= 150
    assert "never instructions" in instructions


async def test_texts_at_start_are_bounded(environment: Environment) -> None:
    told = await texts_at_start(environment)
    assert sum(map(tokens, told.values())) + DEFAULT_BUDGET <= 3500


@pytest.mark.parametrize("mode", MODES)
async def test_tools_have_their_arguments_and_defaults(
    environment: Environment, mode: str
) -> None:
    tools = await tools_of(environment, mode)
    assert [tool.name for tool in tools] == NAMES
    assert [*TOOLS, "ocm__forget"] == NAMES
    checkpoint, search, listing, files, remember, *_ = (
        tool.input_schema for tool in tools
    )
    assert list(checkpoint["properties"]) == [
        *("session_id", "slug", "goal", "work_completed", "work_pending"),
        *("work_summary", "decisions", "tried", "constraints", "blockers"),
        *("questions", "plan_files", "references", "status"),
        *("client_session_id", "tool"),
    ]
    assert "required" not in checkpoint
    assert defaults(search) == {"limit": 5, "scope": "project"}
    assert search["required"] == ["query"]
    assert defaults(listing) == {"limit": 10}
    assert files["required"] == ["session_id"]
    assert remember["required"] == ["text"]


def defaults(schema: Mapping[str, Any]) -> dict[str, object]:
    properties = schema["properties"]
    return {n: p["default"] for n, p in properties.items() if "default" in p}


async def test_documentation_has_all_arguments(environment: Environment) -> None:
    root = Path(__file__).parent.parent.parent
    sections = (root / "docs" / "mcp.md").read_text("utf-8").split("### ")
    for tool in await tools_of(environment, "auto"):
        (section,) = (text for text in sections if text.startswith(f"`{tool.name}`"))
        for name in tool.input_schema["properties"]:
            assert f"`{name}`" in section


async def test_tools_are_explained_briefly(environment: Environment) -> None:
    for tool in await tools_of(environment):
        assert tool.title
        assert 5 <= len((tool.description or "").split()) <= 60
        for name, argument in tool.input_schema["properties"].items():
            assert 2 <= len(argument["description"].split()) <= 30, name
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint == (tool.name not in WRITING)
        assert hints.destructive_hint == (tool.name == "ocm__forget")
        assert hints.idempotent_hint is True
        assert hints.open_world_hint is False
        assert tool.meta is not None
        assert tool.meta["anthropic/alwaysLoad"] is True  # not deferred
        assert tool.meta["anthropic/searchHint"]


async def test_the_prompt_needs_no_argument(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The SDK takes a second to draw a traceback.
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    (prompt,) = (await client.list_prompts()).prompts
    for name, arguments in (("resume", {"bogus": "x"}), ("bogus", {})):
        with pytest.raises(MCPError):
            await client.get_prompt(name, arguments)
    assert prompt.name == "resume"
    assert [(a.name, a.required) for a in prompt.arguments or []] == [
        ("session", False)
    ]
