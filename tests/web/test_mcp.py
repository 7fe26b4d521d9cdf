"""Any number of MCP clients over HTTP, each with a conversation of its own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation
from support.harness import git
from support.web import ask
from web.conftest import TOKEN, WITH_TOKEN

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "cursor-vscode", "version": "1"},
    },
}
ACCEPTS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@asynccontextmanager
async def client_at(port: int, repository: str = "") -> AsyncIterator[ClientSession]:
    url = f"http://127.0.0.1:{port}/mcp?repository={repository}"
    info = Implementation(name="cursor-vscode", version="1.0")
    async with (
        httpx2.AsyncClient(headers=WITH_TOKEN, timeout=60) as http,
        streamable_http_client(url, http_client=http) as (requests, answers),
        ClientSession(requests, answers, client_info=info) as session,
    ):
        await session.initialize()
        yield session


async def call(session: ClientSession, tool: str, **arguments: Any) -> Any:
    result = await session.call_tool(f"ocm__{tool}", arguments)
    assert not result.is_error, result
    return result.structured_content


def session_in(repository: Path) -> str:
    """The document of its only session."""
    paths = git(repository, "ls-tree", "-r", "--name-only", "refs/ocm/sessions")
    path = next(line for line in paths.splitlines() if line.endswith(".md"))
    return git(repository, "show", f"refs/ocm/sessions:{path}")


@pytest.mark.anyio
async def test_clients_at_once_have_a_session_each(port: int) -> None:
    async with client_at(port) as first, client_at(port) as second:
        saved = [
            await call(session, "checkpoint", goal=f"Build part {name}")
            for session, name in ((first, "one"), (second, "two"), (first, "one"))
        ]
        ids = [checkpoint["session_id"] for checkpoint in saved]
        assert ids[0] == ids[2] != ids[1]
        listed = await call(second, "list_sessions")
    assert {row["goal"] for row in listed["result"]} == {
        "Build part one",
        "Build part two",
    }


@pytest.mark.anyio
async def test_what_changes_after_the_beginning_is_the_clients_work(
    port: int, repository: Path
) -> None:
    (repository / "before.py").write_text("before = 1\n")
    async with client_at(port) as session:
        await anyio.sleep(1)  # git is asked a moment after the beginning
        (repository / "during.py").write_text("during = 1\n")
        await call(session, "checkpoint", goal="Write a module", slug="module")
        files = await call(session, "get_session_files", session_id="module")
    assert [row["path"] for row in files["result"]] == ["during.py"]


@pytest.mark.anyio
async def test_the_end_of_a_client_is_noted(port: int, repository: Path) -> None:
    async with client_at(port) as session:
        saved = await call(session, "checkpoint", goal="Write a module")
    document = ""
    with anyio.fail_after(20):
        while "ended_at:" not in document:
            await anyio.sleep(0.1)
            document = session_in(repository)
    assert saved["session_id"] in document


@pytest.mark.anyio
async def test_a_client_reaches_the_repository_that_it_names(port_of_two: int) -> None:
    async with client_at(port_of_two, "second") as session:
        await call(session, "remember", text="Tests need Postgres 16")
        assert (await call(session, "memories"))["total"] == 1
    async with client_at(port_of_two, "repository") as session:
        assert (await call(session, "memories"))["total"] == 0


@pytest.mark.anyio
async def test_a_client_without_a_connection_names_the_session_that_it_goes_on_with(
    port: int,
) -> None:
    async with httpx2.AsyncClient(headers=WITH_TOKEN, timeout=60) as http:
        url = f"http://127.0.0.1:{port}/mcp"
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode="auto") as client:
            arguments = {"goal": "Write a module"}
            first = await client.call_tool("ocm__checkpoint", arguments)
            assert first.structured_content
            again = {"session_id": first.structured_content["session_id"]}
            await client.call_tool("ocm__checkpoint", {**again, "work_pending": ["a"]})
            listed = await client.call_tool("ocm__list_sessions", {})
    assert listed.structured_content
    assert len(listed.structured_content["result"]) == 1


def test_a_client_that_names_no_repository_is_told_which_there_are(
    port_of_two: int,
) -> None:
    headers = WITH_TOKEN | ACCEPTS
    status, _, text = ask(port_of_two, "/mcp", "POST", json.dumps(INITIALIZE), headers)
    assert status == 404
    assert "repository, second" in json.loads(text)["error"]["hint"]


def test_without_the_token_there_is_no_answer(port: int) -> None:
    for headers in ({}, {"Authorization": f"Bearer {TOKEN[1:]}"}):
        for method in ("POST", "GET", "DELETE"):
            status, _, _ = ask(
                port, "/mcp", method, json.dumps(INITIALIZE), ACCEPTS | headers
            )
            assert status == 401


@pytest.mark.endurance
@pytest.mark.anyio
async def test_fifty_clients_lose_nothing(port: int) -> None:
    async def work(number: int) -> None:
        async with client_at(port) as session:
            saved = await call(session, "checkpoint", goal=f"Build part {number}")
            ids.add(saved["session_id"])
            for _ in range(10):
                await call(session, "list_sessions", limit=1)
            await call(session, "remember", text=f"Part {number} needs Postgres")

    ids: set[str] = set()
    async with anyio.create_task_group() as tasks:
        for number in range(50):
            tasks.start_soon(work, number)
    async with client_at(port) as session:
        assert (await call(session, "memories"))["total"] == 50
    assert len(ids) == 50
