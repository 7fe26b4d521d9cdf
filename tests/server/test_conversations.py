"""Which session a checkpoint goes to, when the assistant does not name it."""

import dataclasses

import pytest
from mcp import Client
from support.mcp_client import ask, client_of
from support.rounds import few

from gitmem.config import Environment

pytestmark = pytest.mark.anyio


async def test_a_slug_given_late_renames_the_session(client: Client) -> None:
    first = await ask(client, "checkpoint", goal="Stop the leak.")
    named = await ask(client, "checkpoint", slug="leak")
    listed = await ask(client, "list_sessions")
    by_former_name = await client.read_resource(f"ocm://sessions/{first['session_id']}")
    assert named["session_id"].endswith("_leak")
    assert [each["session_id"] for each in listed] == [named["session_id"]]
    assert by_former_name.contents[0].uri


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
