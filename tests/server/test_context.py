import pytest
from support.mcp_client import MODES, ask, client_of, refusal

from gitmem.config import Environment

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", MODES)
async def test_a_context_has_the_conversation_rules_and_what_answers(
    environment: Environment, mode: str
) -> None:
    async with client_of(environment, mode) as client:
        rule = await ask(client, "remember", text="Use cents", kind="convention")
        own = await ask(client, "checkpoint", goal="Retry payments")
        told = await ask(client, "context", task="payments", budget=500)
        alone = await ask(client, "context", parts=["rules"])
        refused = await refusal(client, "context", budget=50)
    known = {item["id"]: item["why"] for item in told["items"]}
    assert known[rule["memory_id"]] == "always"
    assert known[own["session_id"]] == "this conversation"
    assert told["tokens"] <= 500
    assert [item["id"] for item in alone["items"]] == [rule["memory_id"]]
    assert "at least 100 tokens" in refused
