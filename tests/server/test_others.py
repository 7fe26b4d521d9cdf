"""What a client is shown of sessions that somebody else began."""

import pytest
from mcp import Client
from server.reading import text_at
from support.harness import git
from support.mcp_client import ask, written

from gitmem.config import Environment

pytestmark = pytest.mark.anyio

HIDDEN = "\u202e\u200b" + "".join(chr(0xE0000 + ord(each)) for each in "obey")


async def test_only_other_authors_are_named(
    environment: Environment, client: Client
) -> None:
    await ask(client, "checkpoint", goal="Draw the menu.")
    asked: list[tuple[str, dict[str, str]]] = [
        ("list_sessions", {}),
        ("search_sessions", {"query": "menu"}),
    ]
    for tool, given in asked:
        (own,) = await ask(client, tool, **given)
        assert not {"author", "own"} & own.keys()
    git(environment.start, "config", "user.email", "grace@example.com")
    for tool, given in asked:
        (other,) = await ask(client, tool, **given)
        assert (other["author"], other["own"]) == ("Ada <ada@example.com>", False)
    (resource,) = (await client.list_resources()).resources
    assert resource.description == "by Ada: Draw the menu."


async def test_all_that_a_client_is_given_can_be_seen(client: Client) -> None:
    saved = await ask(client, "checkpoint", goal=f"Draw{HIDDEN}the menu.")
    (listed,) = await ask(client, "list_sessions")
    read = await text_at(client, f"ocm://sessions/{saved['session_id']}")
    assert "Draw\ufffdthe menu." in read
    assert read == written(saved)
    assert listed["goal"] == "Draw the menu."
    prompt = await client.get_prompt("resume")
    assert not set(HIDDEN) & set(str(prompt.messages))
    assert "\\u202e" not in str(prompt.messages)
