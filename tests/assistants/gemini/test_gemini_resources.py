"""Gemini CLI reads no file that git ignores: it is told of resources instead."""

from pathlib import Path

import pytest
from support.mcp_client import ask, client_of
from support.workspaces import saved_session, workspace_at

from gitmem.actions.context.build import brief
from gitmem.actions.context.resumption import hand_over
from gitmem.config import read_environment


def test_brief_and_handoff_name_a_resource(repository: Path) -> None:
    workspace = workspace_at(repository)
    saved = saved_session(workspace, goal="Stop the leak.", work_pending=["the rest"])
    resource, copy = f"ocm://sessions/{saved.session_id}", ".openCodeMemory/"
    for tool, named, other in (
        ("gemini-cli", resource, copy),
        ("claude-code", copy, resource),
    ):
        texts = brief(workspace, None, tool).text, hand_over(workspace, None, tool).text
        for text in texts:
            assert named in text
            assert other not in text


@pytest.mark.anyio
async def test_what_is_found_can_be_read(
    repository: Path, sealed_environment: Path
) -> None:
    saved_session(workspace_at(repository), goal="Stop the leak.", slug="stop-leak")
    environment = read_environment({}, repository, sealed_environment)
    async with client_of(environment, name="gemini-cli-mcp-client-x") as client:
        (found,) = await ask(client, "search_sessions", query="leak")
        (listed,) = await ask(client, "list_sessions")
        assert found["markdown_path"] == listed["markdown_path"]
        (read,) = (await client.read_resource(found["markdown_path"])).contents
        assert "Stop the leak." in str(read)
