from pathlib import Path

import pytest
from support.mcp_client import MODES, ask, client_of, refusal
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief
from gitmem.actions.context.log import deliveries
from gitmem.actions.forgetting import forget
from gitmem.config import Environment
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import slug_of
from gitmem.lookup import find

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", MODES)
async def test_a_context_has_the_conversation_rules_and_what_answers(
    environment: Environment, repository: Path, mode: str
) -> None:
    async with client_of(environment, mode) as client:
        rule = await ask(client, "remember", text="Use cents", kind="convention")
        own = await ask(client, "checkpoint", goal="Retry payments")
        told = await ask(client, "context", task="payments", budget=500)
        (noted,) = deliveries(workspace_at(repository), own["session_id"])
        alone = await ask(client, "context", parts=["rules"])
        refused = await refusal(client, "context", budget=50)
    known = {item["id"]: item["why"] for item in told["items"]}
    assert known[rule["memory_id"]] == "always"
    session = find(workspace_at(repository), SESSION, own["session_id"])
    assert known[session.id] == "this conversation"
    assert told["tokens"] <= 500
    assert (noted.occasion, noted.tokens) == ("call", told["tokens"])
    assert rule["memory_id"] in noted.ids
    assert [item["id"] for item in alone["items"]] == [rule["memory_id"]]
    assert "at least 100 tokens" in refused


async def test_a_conversation_that_was_forgotten_is_told_rules(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        await ask(client, "remember", text="Use cents", kind="convention")
        own = await ask(client, "checkpoint", goal="Retry payments")
        workspace = workspace_at(repository)
        forget(workspace, [find(workspace, SESSION, own["session_id"])])
        told = await ask(client, "context", parts=["rules"])
    assert "Use cents" in told["text"]


async def test_the_first_context_says_what_the_brief_does(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        saved = await ask(
            client,
            "checkpoint",
            slug="retries",
            goal="Retry payments",
            work_completed=["Lock the row"],
            work_pending=["Send the same key"],
            decisions=["Keys are idempotent"],
            tried=["A mutex: there are two hosts"],
        )
        await ask(client, "remember", text="Money is in cents", kind="constraint")
    async with client_of(environment) as client:
        told = (await ask(client, "context"))["text"]
        short = await ask(client, "context", budget=100)
    place = workspace_at(repository)
    lines = set(brief(place, None, "codex").text.splitlines())
    heads = {"Earlier sessions", "Sessions, on branch", "Others: `ocm__search"}
    missing = [
        line
        for line in lines - set(told.splitlines())
        if not line.startswith((*heads,))
    ]
    assert missing == []
    assert short["tokens"] <= 100
    assert "Continue" not in short["text"]
    assert f'"Continue" means {slug_of(saved["session_id"])}, without asking' in told


async def test_a_context_with_a_task_says_nothing_of_continuing(
    environment: Environment,
) -> None:
    async with client_of(environment) as client:
        await ask(client, "checkpoint", goal="Retry payments")
    async with client_of(environment) as client:
        told = await ask(client, "context", task="payments")
    assert "Continue" not in told["text"]
