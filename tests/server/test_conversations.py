"""Which session a checkpoint goes to, when the assistant does not name it."""

import dataclasses

import pytest
from mcp import Client
from mcp_types import RequestParamsMeta
from support.mcp_client import MODES, ask, client_of, written
from support.rounds import few

from gitmem.config import Environment

pytestmark = pytest.mark.anyio


async def test_calls_of_a_connection_are_one(client: Client) -> None:
    first = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    again = await ask(client, "checkpoint", work_completed=["Found it"])
    last = await ask(client, "checkpoint", status="closed")
    assert first["session_id"] == again["session_id"] == last["session_id"]
    assert "Found it" in written(last)
    assert last["status"] == "closed"


async def test_a_slug_given_late_renames_the_session(client: Client) -> None:
    first = await ask(client, "checkpoint", goal="Stop the leak.")
    named = await ask(client, "checkpoint", slug="leak")
    listed = await ask(client, "list_sessions")
    by_former_name = await client.read_resource(f"ocm://sessions/{first['session_id']}")
    assert named["session_id"].endswith("_leak")
    assert [each["session_id"] for each in listed] == [named["session_id"]]
    assert by_former_name.contents[0].uri


async def test_a_session_that_is_named_wins(client: Client) -> None:
    first = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    await ask(client, "checkpoint", goal="Draw the menu.", slug="menu")
    named = await ask(
        client,
        "checkpoint",
        session_id=first["session_id"],
        work_completed=["Found it"],
    )
    assert named["session_id"] == first["session_id"]
    assert "Found it" in written(first)


@few(1, "mode", MODES)
async def test_the_conversation_that_a_client_sends_along_is_used(
    environment: Environment, mode: str
) -> None:
    """As Codex does."""
    sessions = []
    for _ in range(2):
        async with client_of(environment, mode, "codex-mcp-client") as client:
            result = await client.call_tool(
                "ocm__checkpoint",
                {"goal": "Stop the leak."},
                meta=RequestParamsMeta(sessionId="01a20051-89c3-7fa1"),  # type: ignore[typeddict-unknown-key] # clients add keys
            )
            assert result.structured_content is not None
            sessions.append(result.structured_content["session_id"])
    assert sessions[0] == sessions[1]
    assert sessions[0].endswith("_codex_01a20051")


async def test_the_conversation_of_the_environment_is_used(
    environment: Environment,
) -> None:
    for client, variable, tool in (
        ("claude-code", "CLAUDE_CODE_SESSION_ID", "claude-code"),
        ("copilot-cli", "COPILOT_AGENT_SESSION_ID", "copilot"),
    ):
        named = f"{len(tool):08}-f7e3"
        told = dataclasses.replace(environment, variables={variable: named})
        async with client_of(told, "auto", client) as connected:
            saved = await ask(connected, "checkpoint", goal="Stop the leak.")
        assert saved["session_id"].endswith(f"_{tool}_{named[:8]}")


@few(
    3,
    ("client", "tool"),
    [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("opencode", "opencode"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("copilot-cli", "copilot"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code", "vscode"),
        ("Some New Assistant", "some-new-assistant"),
        ("…", "assistant"),
    ],
)
async def test_an_assistant_is_known_by_the_name_of_its_client(
    environment: Environment, client: str, tool: str
) -> None:
    async with client_of(environment, "auto", client) as connected:
        await ask(connected, "checkpoint", goal="Stop the leak.")
        (listed,) = await ask(connected, "list_sessions")
    assert listed["tool"] == tool
