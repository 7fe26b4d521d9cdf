"""Several calls, several servers, and memory that goes away under them."""

import shutil
from pathlib import Path

import anyio
import pytest
from mcp import Client
from support.harness import git
from support.mcp_client import ask

from gitmem.store.lock import locked

pytestmark = pytest.mark.anyio

REF = "refs/ocm/sessions"


async def test_parallel_calls_in_one_server_all_arrive(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    async with anyio.create_task_group() as calls:
        for number in range(3):
            calls.start_soon(save_step, client, number)
            calls.start_soon(search_leak, client)
    (listed,) = await ask(client, "list_sessions")
    assert git(repository, "rev-list", "--count", REF) == "4"
    text = Path(listed["markdown_path"]).read_text("utf-8")  # noqa: ASYNC240 - a test
    assert all(f"- step {number}\n" in text for number in range(3))


async def test_parallel_first_calls_are_one_session(client: Client) -> None:
    async with anyio.create_task_group() as calls:
        for number in range(4):
            calls.start_soon(save_step, client, number)
    assert len(await ask(client, "list_sessions")) == 1


async def save_step(client: Client, number: int) -> None:
    await ask(client, "checkpoint", work_completed=[f"step {number}"])


async def search_leak(client: Client) -> None:
    assert len(await ask(client, "search_sessions", query="leak")) == 1


async def test_a_call_that_has_to_wait_holds_nobody_else_up(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.")
    async with anyio.create_task_group() as calls:
        with locked(repository / ".git" / "ocm" / "lock"):
            calls.start_soon(save_step, client, 1)
            await anyio.sleep(0.1)
            with anyio.fail_after(5):
                assert (await client.list_tools()).tools
    assert git(repository, "rev-list", "--count", REF) == "2"


@pytest.mark.endurance
async def test_what_can_be_rebuilt_may_vanish_between_two_calls(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    before = await ask(client, "search_sessions", query="leak")
    shutil.rmtree(repository / ".git" / "ocm-index")
    shutil.rmtree(repository / ".openCodeMemory")
    git(repository, "gc", "--quiet", "--prune=now")
    assert await ask(client, "search_sessions", query="leak") == before
    later = await ask(client, "checkpoint", work_completed=["Found it"])
    assert later["session_id"] == before[0]["session_id"]
    assert Path(before[0]["markdown_path"]).exists()  # noqa: ASYNC240 - a test


@pytest.mark.endurance
async def test_a_long_catch_up_is_reported_to_a_client_that_asks(
    client: Client, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.search.index_writer.SILENCE", 0.0)
    monkeypatch.setattr("gitmem.search.index_writer.REPORT_EVERY", 0.0)
    reports: list[tuple[float, float | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        assert message == "sessions indexed"
        reports.append((progress, total))

    for number in range(3):
        await ask(client, "checkpoint", goal="x", client_session_id=str(number))
    shutil.rmtree(repository / ".git" / "ocm-index")
    await client.call_tool(
        "ocm__search_sessions", {"query": "x"}, progress_callback=told
    )
    await anyio.sleep(0.05)
    assert (3.0, 3.0) in reports
