"""What a client is shown of sessions that somebody else began."""

import pytest
from mcp_types import TextResourceContents
from support.harness import git
from support.mcp_client import ask, client_of, written

from gitmem.config import Environment

pytestmark = pytest.mark.anyio

HIDDEN = "\u202e\u200b" + "".join(chr(0xE0000 + ord(each)) for each in "obey")


async def test_only_other_authors_are_named(environment: Environment) -> None:
    async with client_of(environment) as client:
        await ask(client, "checkpoint", goal="Draw the menu.")
        for tool, given in (
            ("list_sessions", {}),
            ("search_sessions", {"query": "menu"}),
        ):
            (own,) = await ask(client, tool, **given)
            assert not {"author", "own"} & own.keys()
        git(environment.start, "config", "user.email", "grace@example.com")
        for tool, given in (
            ("list_sessions", {}),
            ("search_sessions", {"query": "menu"}),
        ):
            (other,) = await ask(client, tool, **given)
            assert (other["author"], other["own"]) == ("Ada <ada@example.com>", False)
        (resource,) = (await client.list_resources()).resources
        assert resource.description == "by Ada: Draw the menu."


async def test_all_that_a_client_is_given_can_be_seen(environment: Environment) -> None:
    async with client_of(environment) as client:
        saved = await ask(client, "checkpoint", goal=f"Draw{HIDDEN}the menu.")
        (listed,) = await ask(client, "list_sessions")
        (read,) = (
            await client.read_resource(f"ocm://sessions/{saved['session_id']}")
        ).contents
        assert isinstance(read, TextResourceContents)
        assert "Draw\ufffdthe menu." in read.text
        assert read.text == written(saved)
        assert listed["goal"] == "Draw the menu."
        prompt = await client.get_prompt("resume")
        assert not set(HIDDEN) & set(str(prompt.messages))
        assert "\\u202e" not in str(prompt.messages)


@pytest.mark.endurance
async def test_resource_length_is_bounded(environment: Environment) -> None:
    async with client_of(environment, "auto") as client:
        saved = await ask(client, "checkpoint", goal="word " * 100_000)
        (read,) = (
            await client.read_resource(f"ocm://sessions/{saved['session_id']}")
        ).contents
        assert isinstance(read, TextResourceContents)
        assert len(read.text) < 201_000
        assert f"`ocm show {saved['session_id']}` prints all" in read.text
