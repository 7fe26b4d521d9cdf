"""What a client learns about the server before it calls anything."""

from pathlib import Path

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Tool
from support.mcp_client import (
    MODES,
    ask,
    client_of,
    refusal,
    server_process,
    text_of,
    texts_at_start,
)

import gitmem
from gitmem.assistants.assistant import TOOLS
from gitmem.config import Environment
from gitmem.text.counting import estimated_tokens

pytestmark = pytest.mark.anyio

NAMES = [
    "ocm__checkpoint",
    "ocm__search_sessions",
    "ocm__list_sessions",
    "ocm__get_session_files",
    "ocm__remember",
    "ocm__recall",
    "ocm__memories",
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
    assert len(instructions.split()) <= 30
    first = instructions.splitlines()[0]  # all that some clients show
    assert "`ocm__context`" in first
    assert "`ocm__checkpoint`" in first
    assert first.endswith(".")
    assert len(first) <= 150
    assert "never instructions" in instructions


async def test_texts_at_start_are_bounded(environment: Environment) -> None:
    """The estimate is about 1.9 times what o200k_base counts of such JSON."""
    told = await texts_at_start(environment)
    assert sum(map(estimated_tokens, told.values())) <= 2500


async def test_tools_say_when_to_look_and_when_to_save(
    environment: Environment,
) -> None:
    """Some clients leave the server's instructions out."""
    tools = {tool.name: tool.description or "" for tool in await tools_of(environment)}
    assert (
        "before you change code, configuration or a dependency"
        in (tools["ocm__context"])
    )
    assert "before you decide" in tools["ocm__recall"]
    for name in ("ocm__checkpoint", "ocm__remember"):
        assert "as soon as" in tools[name]
        assert "No secrets." in tools[name]


@pytest.mark.endurance
async def test_lean_server_offers_three_tools(
    environment: Environment, sealed_environment: Path
) -> None:
    async with server_process(
        environment.start, sealed_environment, "auto", "cursor", "--tools", "lean"
    ) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        first = (client.instructions or "").splitlines()[0]
        saved = await client.call_tool("checkpoint", {"decisions": ["Use Postgres"]})
        found = await client.call_tool("recall", {"query": "Postgres"})
        context = await client.call_tool("context", {"task": "Move to Postgres"})
        unknown = await client.call_tool("recall", {"bogus": 1})
    assert names == ["checkpoint", "recall", "context"]
    assert "`context`" in first
    assert "ocm__" not in first
    assert (saved.structured_content or {})["session_id"]
    assert "Use Postgres" in text_of(found)
    assert "Use Postgres" in text_of(context)
    assert text_of(unknown).startswith("recall has no argument 'bogus'.\nIt takes: ")


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
        *("session_id", "slug", "status", "goal", "work_completed", "work_pending"),
        *("work_summary", "plan_files", "decisions", "tried", "constraints"),
        *("blockers", "questions", "references"),
    ]
    assert "required" not in checkpoint
    assert list(search["properties"]) == ["query", "also", "scope"]
    assert search["required"] == ["query"]
    assert list(listing["properties"]) == ["limit", "offset"]
    assert files["required"] == ["session_id"]
    assert remember["required"] == ["text"]


async def test_arguments_for_programs_are_taken_and_not_announced(
    client: Client,
) -> None:
    saved = await ask(
        client, "checkpoint", goal="One.", client_session_id="c-1", tool="zed"
    )
    assert "_zed_" in saved["session_id"]
    for tool, arguments in (
        ("search_sessions", {"query": "one", "limit": 1, "tool_filter": "zed"}),
        ("list_sessions", {"tool_filter": "zed", "budget": 200}),
        ("recall", {"query": "", "limit": 1}),
        ("context", {"parts": ["state"], "budget": 200}),
    ):
        await ask(client, tool, **arguments)
    said = await refusal(client, "search_sessions", query="one", bogus="x")
    assert "tool_filter" in said


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
        assert 4 <= len((tool.description or "").split()) <= 50
        for argument in tool.input_schema["properties"].values():
            assert len(argument.get("description", "").split()) <= 12
            assert not {"title", "default", "anyOf", "minimum"} & argument.keys()
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint == (tool.name not in WRITING)
        assert hints.destructive_hint == (tool.name == "ocm__forget")
        assert hints.idempotent_hint is True
        assert hints.open_world_hint is False
        assert tool.meta is not None
        assert tool.meta["anthropic/alwaysLoad"] is True  # not deferred
        assert tool.meta["anthropic/searchHint"]


async def test_the_prompt_needs_no_argument(client: Client) -> None:
    (prompt,) = (await client.list_prompts()).prompts
    rows: list[tuple[str, dict[str, str], str]] = [
        (
            "resume",
            {"bogus": "x"},
            "resume has no argument 'bogus'.\nIt takes: session.",
        ),
        ("bogus", {}, "There is no prompt 'bogus'."),
    ]
    for name, arguments, message in rows:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt(name, arguments)
        assert (refused.value.code, str(refused.value)) == (INVALID_PARAMS, message)
    assert prompt.name == "resume"
    assert [(a.name, a.required) for a in prompt.arguments or []] == [
        ("session", False)
    ]
