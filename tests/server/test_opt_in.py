"""The server from the user's own settings, where a repository has to say yes."""

from pathlib import Path

import pytest
from mcp import Client
from support.harness import git
from support.installing import tree
from support.mcp_client import ask, refusal

from gitmem.config import EVERYWHERE_SETTING, Environment
from gitmem.server.main import build

pytestmark = pytest.mark.anyio


async def test_unasked_is_left_alone(
    environment: Environment, repository: Path
) -> None:
    before = tree(repository)
    async with Client(build(environment, is_opt_in=True)) as client:
        told = [await refusal(client, "checkpoint", goal="Stop the leak.")]
        told += [await refusal(client, "search_sessions", query="leak")]
        told += [await refusal(client, "list_sessions")]
        assert {client.instructions} == set(told)
        assert "`ocm init --user`" in told[0]
        assert "\n" not in told[0]
        assert (await client.list_resources()).resources == []
        assert tree(repository) == before
        git(repository, "config", EVERYWHERE_SETTING, "true")
        await ask(client, "checkpoint", goal="Stop the leak.")
        assert await ask(client, "search_sessions", query="leak")
