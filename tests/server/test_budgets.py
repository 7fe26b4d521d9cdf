"""Answers that have a budget of tokens, and pages."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from support.mcp_client import ask, refusal, text_of
from support.workspaces import saved_session, workspace_at

from gitmem.text.counting import LISTING_BUDGET, cost, estimated_tokens

pytestmark = pytest.mark.anyio

LONG = "The payment provider times out after thirty seconds, so retries need a key. "


async def page(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(f"ocm__{tool}", arguments)
    assert not result.is_error, text_of(result)
    answer: dict[str, Any] = json.loads(text_of(result))
    assert answer == result.structured_content
    return answer


async def all_pages(client: Client, tool: str, **arguments: Any) -> list[Any]:
    rows: list[Any] = []
    answer: dict[str, Any] = {"next": 0}
    while "next" in answer:
        answer = await page(client, tool, **arguments, offset=answer["next"])
        assert answer["result"]
        rows += answer["result"]
    return rows


async def test_recall_tells_the_form_that_fits(client: Client) -> None:
    for number in range(12):
        await ask(
            client,
            "remember",
            text=f"Provider rule {number} of {3**number}.\n" + LONG * 20,
            why=f"Seen in outage {number}.",
            key=f"rule.{number}",
        )
    for budget in (100, 300, 600, 2000):
        answer = await page(client, "recall", query="provider", budget=budget)
        assert cost(answer) <= budget
    by_default = await page(client, "recall", query="provider")
    rows = by_default["result"]
    assert 8 <= len(rows) == by_default["next"] <= 10
    assert rows[0]["text"].endswith("…")
    (first, *_) = await ask(client, "recall", query="provider", budget=900)
    assert first["why"].startswith("Seen in outage")  # an overview
    assert first["text"].endswith("…")
    assert {*rows[-1]} - {"corrected"} == {"memory_id", "text", "kind"}
    (whole,) = await ask(client, "recall", query="provider", limit=1)
    assert LONG.strip() in whole["text"]
    recalled = await all_pages(client, "recall", query="provider", budget=300)
    assert len({each["memory_id"] for each in recalled}) == 12


async def test_memories_are_counted_and_listed_in_pages(client: Client) -> None:
    for number in range(4):
        text, tags = f"Rule {3**number} of the provider.", [f"t{number % 2}"]
        await ask(client, "remember", text=text, kind="convention", tags=tags)
    first = await page(client, "memories", budget=150)
    assert first["kinds"] == {"convention": 4}
    assert first["tags"] == {"t0": 2, "t1": 2}
    assert 1 <= len(first["memories"]) == first["next"] < 4
    second = await page(client, "memories", offset=first["next"])
    ids = {each["memory_id"] for each in (*first["memories"], *second["memories"])}
    assert len(ids) == 4
    tagged = await page(client, "memories", tags=["t1"], scope="project")
    assert (tagged["total"], "next" in tagged) == (2, False)


async def test_a_short_memory_is_whole(client: Client) -> None:
    await ask(client, "remember", text="Tests need Postgres 16.", tags=["db"])
    answer = await page(client, "recall", query="Postgres", budget=200)
    assert answer["result"][0]["tags"] == ["db"]
    assert "next" not in answer


async def test_sessions_come_in_pages(client: Client, repository: Path) -> None:
    workspace = workspace_at(repository)
    for number in range(9):
        saved_session(workspace, goal=f"Goal {number}. {LONG}", decisions=["**A:** b"])
    first = await page(client, "list_sessions", limit=5, budget=5000)
    assert (len(first["result"]), first["next"]) == (5, 5)
    assert cost(await page(client, "list_sessions")) <= LISTING_BUDGET
    listed = await all_pages(client, "list_sessions", limit=5, budget=400)
    assert len({each["session_id"] for each in listed}) == len(listed) == 9
    assert (await page(client, "list_sessions", offset=9))["result"] == []
    exact = await page(client, "list_sessions", limit=9, budget=9000)
    assert "next" not in exact
    found = await page(client, "search_sessions", query="provider", budget=300)
    assert len(found["result"]) + found["left_out"] == 5


@pytest.mark.endurance
async def test_files_of_a_session_come_in_pages(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint")
    for number in range(150):
        (repository / f"module_{number}.py").write_text("x\n")
    await ask(client, "checkpoint", goal="Write modules.")
    files = await all_pages(client, "get_session_files", session_id="last", budget=900)
    assert len({each["path"] for each in files}) == len(files) == 150


async def test_nonsense_is_refused(client: Client) -> None:
    for tool, arguments, name in (
        ("recall", {"query": "", "budget": 99}, "budget"),
        ("recall", {"query": "", "offset": -1}, "offset"),
        ("list_sessions", {"offset": -1}, "offset"),
    ):
        said = await refusal(client, tool, **arguments)
        assert said.startswith(f"`{name}` should be greater than or equal to")
    assert "limit" in await refusal(client, "recall", query="", limit=0, offset=3)


async def test_listed_resources_are_bounded(client: Client, repository: Path) -> None:
    workspace = workspace_at(repository)
    for number in range(18):
        saved_session(
            workspace, goal=f"Goal {number}. {LONG * 10}", slug=f"s-{number:02}"
        )
    listed = await client.list_resources()
    sent = listed.model_dump_json(by_alias=True, exclude_none=True)
    assert estimated_tokens(sent) <= 1500
    assert len(listed.resources) >= 15
    assert all(each.name.startswith("s-") for each in listed.resources)
