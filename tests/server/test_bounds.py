"""Whatever a document is made of, what a client is given of it has its bound."""

from dataclasses import replace

import pytest
from cli.running import commit_by_hand
from mcp import Client
from server.reading import text_at
from support.mcp_client import ask, text_of
from support.strategies import session

from gitmem.config import Environment
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import render
from gitmem.git.values import Change, FileChange

pytestmark = pytest.mark.anyio

HUGE = "uploads " * 10_000
ID = "2026-02-23_14-32_cursor_huge"
DOCUMENT_ID = "2026-02-23_14-32_cursor_0123456789abcdef"
PER_SESSION = 3_000
"""Characters that a listing or a search may tell of one session."""


@pytest.fixture
def document() -> str:
    files = [FileChange(f"{n}/{'x' * 200}", Change.CREATED) for n in range(1_000)]
    long = FileChange("y" * 200_000, Change.CREATED)
    return render(
        replace(
            session(),
            id=DOCUMENT_ID,
            session_id=ID,
            goal=HUGE,
            branch="b" * 900,
            project="p" * 900,
            tool="t" * 900,
            author="a" * 900,
            files=(*files, long),
            work_completed=(HUGE,),
            decisions=(HUGE,),
        )
    )


@pytest.mark.endurance
async def test_results_are_bounded(
    environment: Environment, client: Client, document: str
) -> None:
    await ask(client, "checkpoint", goal="Retry uploads.")
    commit_by_hand(environment.start, document_path(DOCUMENT_ID), document)
    for tool, arguments, bound in (
        ("search_sessions", {"query": "uploads"}, 2 * PER_SESSION),
        ("list_sessions", {}, 2 * PER_SESSION),
        ("get_session_files", {"session_id": ID}, 150_000),
        ("checkpoint", {"session_id": ID, "decisions": ["one"]}, PER_SESSION),
    ):
        result = await client.call_tool(f"ocm__{tool}", arguments)
        assert not result.is_error, text_of(result)
        assert len(text_of(result)) < bound, tool
    read = await text_at(client, f"ocm://sessions/{ID}")
    assert len(read) < 201_000
    assert f"`ocm show {ID}` prints all" in read
    assert len(str(await client.get_prompt("resume", {"session": ID}))) < 70_000
    for resource in (await client.list_resources()).resources:
        assert len(resource.description or "") < PER_SESSION
