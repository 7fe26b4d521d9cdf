"""The four tools, as a client sees them in either protocol."""

import json
from pathlib import Path

import pytest
from mcp import Client
from support.commits import committed
from support.harness import git
from support.mcp_client import MODES, ask, client_of, refusal, text_of, written
from support.rounds import few

from gitmem.config import Environment

pytestmark = pytest.mark.anyio

REF = "refs/ocm/sessions"


@few(1, "mode", MODES)
async def test_a_checkpoint_gives_id_path_and_status_and_is_a_commit(
    environment: Environment, mode: str, repository: Path
) -> None:
    async with client_of(environment, mode) as client:
        saved = await ask(client, "checkpoint", goal="Stop the leak.", slug="stop-leak")
        assert git(repository, "rev-list", "--count", REF) == "1"
    assert list(saved) == ["session_id", "markdown_path", "status"]
    assert saved["session_id"].endswith("_cursor_stop-leak")
    assert saved["status"] == "open"


async def test_every_field_reaches_the_document(client: Client) -> None:
    saved = await ask(
        client,
        "checkpoint",
        goal="the goal",
        work_completed=["the completed"],
        work_pending=["the pending"],
        work_summary=["the summary"],
        decisions=["**Label:** the decision"],
        plan_files=[{"path": "the/plan.md", "header": "# The heading"}],
        references=[{"url": "https://example.com/page", "title": "the page"}],
        status="frozen",
        client_session_id="the-conversation",
        tool="Zed",
    )
    assert saved["status"] == "frozen"
    assert "_zed_" in saved["session_id"]
    text = written(saved)
    for part in (
        *("the goal", "the completed", "the pending", "the summary", "the decision"),
        *("the/plan.md", "# The heading", "https://example.com/page", "the page"),
        *("frozen", "the-conversation"),
    ):
        assert part in text


async def test_json_like_text_stays_text(client: Client) -> None:
    texts = ["null", '{"a": 1}', '["a"]', "true", "1e9", '"a"']
    saved = await ask(client, "checkpoint", goal=texts[1], work_completed=texts)
    (listed,) = await ask(client, "list_sessions")
    assert listed["goal"] == texts[1]
    assert "".join(f"- {text}\n" for text in texts) in written(saved)


async def test_null_is_the_same_as_not_given(client: Client) -> None:
    tools = (await client.list_tools()).tools
    nulls = dict.fromkeys(tools[0].input_schema["properties"])
    saved = await ask(client, "checkpoint", **{**nulls, "goal": "Stop the leak."})
    found = await ask(client, "search_sessions", query="leak", tool_filter=None)
    assert [hit["session_id"] for hit in found] == [saved["session_id"]]


async def test_a_list_may_come_as_json_in_text(client: Client) -> None:
    """As Claude Desktop sends it."""
    saved = await ask(client, "checkpoint", work_completed='["one", "two"]')
    assert "- one\n- two\n" in written(saved)


async def test_a_hit_has_exactly_the_promised_keys(client: Client) -> None:
    saved = await ask(client, "checkpoint", goal="Stop\nthe leak.")
    (hit,) = await ask(client, "search_sessions", query="leak")
    assert hit.pop("score") > 0
    assert hit == {
        "rank": 1,
        "match": "strong",
        "session_id": saved["session_id"],
        "goal": "Stop the leak.",
        "date": saved["session_id"][:10],
        "tool": "cursor",
        "top_files": [],
        "markdown_path": saved["markdown_path"],
        "matched": ["goal"],
    }
    assert "the leak." in written(hit)


async def test_a_checkpoint_that_saves_nothing_says_so(client: Client) -> None:
    answer = await ask(client, "checkpoint", goal="")
    assert answer["session_id"] is None
    assert "Nothing was saved" in answer["notice"]


async def test_a_hit_says_why_and_how_stale_it_is(
    client: Client, repository: Path
) -> None:
    committed(repository, "pool.py", "by the session")
    await ask(client, "checkpoint")
    (repository / "pool.py").write_text("by the session, not committed")
    decision = "The pool never gave a socket back"
    await ask(client, "checkpoint", goal="Stop the leak.", decisions=[decision])
    for content in ("committed", "changed"):
        committed(repository, "pool.py", content)
    (hit,) = await ask(client, "search_sessions", query="socket leak pool")
    assert hit["matched"] == ["decisions", "goal", "files"]
    assert hit["snippet"] == decision
    assert hit["changed_since"] == {"changed": 1, "files": 1}


async def test_plain_words_need_no_explanation(client: Client) -> None:
    await ask(client, "checkpoint", goal="Stop the leak in src/pool.py.")

    async def understood(query: str) -> object:
        result = await client.call_tool("ocm__search_sessions", {"query": query})
        assert result.structured_content is not None
        return result.structured_content.get("understood")

    assert await understood("leak src/pool.py") is None
    assert await understood("leak in cursor") == {
        "words": ["leak"],
        "tool": "cursor",
    }
    await ask(client, "checkpoint", goal="Close the database.")
    assert await understood("databsae") == {
        "words": ["databsae"],
        "corrected": {"databsae": "database"},
    }


async def test_weak_hits_say_what_they_miss(client: Client) -> None:
    prose = "we went on about the cache and its budget the whole afternoon. " * 8
    await ask(client, "checkpoint", work_summary=[f"{prose} startup banner {prose}"])
    asked = {"query": "why the startup banner stopped appearing on screen"}
    result = await client.call_tool("ocm__search_sessions", asked)
    assert result.structured_content is not None
    notice, (hit,) = result.structured_content.values()
    assert notice.startswith("No session clearly matches; the nearest are listed.")
    assert hit["match"] == "weak"
    assert hit["answers"] == ["startup", "banner"]
    assert hit["misses"] == ["stopped", "appearing", "screen"]
    assert text_of(result).startswith('{"notice":"No session clearly matches;')


async def test_another_wording_finds_more(client: Client) -> None:
    saved = await ask(client, "checkpoint", goal="Prune stale branches.")
    asked = {"query": "throw old leftovers away"}
    nothing = await ask(client, "search_sessions", **asked)
    also = ["prune stale branches", "garbage collection"]
    found = await client.call_tool("ocm__search_sessions", {**asked, "also": also})
    too_many = {"query": "leak", "also": ["socket"] * 6}
    said = await refusal(client, "search_sessions", **too_many)
    assert nothing == "No sessions found matching your query."
    assert found.structured_content is not None
    assert "understood" not in found.structured_content  # it was given
    (hit,) = found.structured_content["result"]
    assert hit["session_id"] == saved["session_id"]
    assert said == "At most 5 other wordings, not 6."


async def test_no_hits_are_a_sentence(client: Client) -> None:
    sentence = "No sessions found matching your query."
    understood = {"words": ["giraffes"], "tool": "codex"}
    result = await client.call_tool("ocm__search_sessions", {"query": "giraffes"})
    assert text_of(result) == sentence
    assert result.structured_content == {"result": sentence}
    result = await client.call_tool(
        "ocm__search_sessions", {"query": "giraffes in codex", "scope": "global"}
    )
    assert result.structured_content == {"result": sentence, "understood": understood}
    read = json.dumps(understood, separators=(",", ":"))
    assert text_of(result) == f"{sentence}\nUnderstood: {read}"


async def test_list_is_newest_first_with_its_keys(client: Client) -> None:
    long = "long " * 1000
    saved = await ask(client, "checkpoint", goal="one", client_session_id="one")
    saved = await ask(client, "checkpoint", goal=long, client_session_id="two")
    listed = await ask(client, "list_sessions")
    only = await ask(client, "list_sessions", limit=1, tool_filter="Claude")
    goals = {len(session["goal"]): session["goal"] for session in listed}
    assert goals.pop(3) == "one"
    [(length, goal)] = goals.items()
    assert (length <= 300, goal[-1]) == (True, "…")
    assert "long " * 999 in written(saved)
    assert list(listed[0]) == [
        *("session_id", "goal", "date", "tool", "status", "markdown_path"),
        *("state", "branch", "files"),
    ]
    assert only == []


async def test_the_files_of_a_session_come_with_their_change(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint")
    (repository / "new.py").write_text("1\n")
    (repository / "file.txt").write_text("changed\n")
    await ask(client, "checkpoint", goal="Change files.")
    files = await ask(client, "get_session_files", session_id="last")
    assert files == [
        {"path": "new.py", "change_type": "created"},
        {"path": "file.txt", "change_type": "modified"},
    ]
