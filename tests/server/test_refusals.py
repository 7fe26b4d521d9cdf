"""Bad input: a clear sentence, and nothing is written."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from support.harness import git, make_repository
from support.mcp_client import MODES, ask, client_of, refusal, text_of, written
from support.rounds import few

from gitmem.config import Environment
from gitmem.errors import InvalidInput
from gitmem.server.failure import as_protocol_error, explained
from gitmem.server.main import build

pytestmark = pytest.mark.anyio

REF = "refs/ocm/sessions"


@pytest.fixture
def nothing_written(repository: Path) -> Iterator[None]:
    """Neither the journal nor the memory has changed at the end of the test."""
    yield
    assert git(repository, "for-each-ref", "refs/ocm") == ""
    assert not list((repository / ".git" / "ocm" / "journal").glob("*"))


@pytest.mark.usefixtures("nothing_written")
async def test_a_wrong_argument_is_refused_by_name(client: Client) -> None:
    rows: list[tuple[dict[str, object], list[str]]] = [
        ({"goal": 5}, ["`goal` should be a valid string."]),
        ({"work_completed": "one"}, ["`work_completed` should be a valid list."]),
        ({"decisions": ["a", 1]}, ["`decisions.1` should be a valid string."]),
        ({"status": "done"}, ["'open', 'frozen' or 'closed'"]),
        ({"decision": ["misspelt"]}, ["no argument 'decision'", "decisions,"]),
        ({"plan_files": ["a.md"]}, ["`plan_files.0` should be a valid dictionary."]),
        ({"plan_files": [{"file": "a.md"}]}, ['{"path", "header"}']),
        ({"references": [{"url": ""}]}, ["empty url"]),
        ({"slug": "a-slug-of-five-words"}, ["more than four words", "three or four"]),
        ({"slug": "日本"}, ["no letters or digits"]),
        ({"tool": "…"}, ["cannot be the name of an assistant"]),
        ({"client_session_id": "a\nb"}, ["printable"]),
        ({"session_id": "2026-01-01_12-00_cursor_gone"}, ["No session is named"]),
        ({"session_id": "../../etc/passwd"}, ["cannot be the name of a session"]),
        ({"session_id": "a\x1b[31m"}, ["cannot be the name of a session", "\\x1b"]),
        ({"goal": "x" * 5_000_000}, ["5,000,0", "500,000 fit"]),
        (dict.fromkeys(("a1", "a2"), 1), ["no argument 'a1'"]),
    ]
    for arguments, told in rows:
        said = await refusal(client, "checkpoint", **{"goal": "x", **arguments})
        assert all(part in said for part in told), said
        assert "\x1b" not in said


async def test_files_of_a_session_that_is_not_there_are_refused(
    client: Client,
) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.")
    for name in ("gone", "a/b", "..", "a\x00b", "", "x" * 10_000):
        said = await refusal(client, "get_session_files", session_id=name)
        assert "session" in said
        assert "\n" in said  # how to go on


async def test_ambiguous_name_has_candidates(
    environment: Environment, client: Client
) -> None:
    ids = [
        (await ask(client, "checkpoint", goal=slug, slug=slug))["session_id"]
        for slug in ("leak", "menu")
    ]
    common = ids[0][:2]
    said = await refusal(client, "get_session_files", session_id=common)
    count = git(environment.start, "rev-list", "--count", REF)
    told = await refusal(client, "checkpoint", session_id=common, goal="x")
    assert git(environment.start, "rev-list", "--count", REF) == count
    for session_id in ids:
        assert session_id in said
        assert session_id in told


async def test_no_query_is_an_error(client: Client) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.")
    for query in (
        *("", "the of and", '"a AND (b', "-x +y *", "goal:leak^9 ~", "\x00"),
        "ä" * 10_000,
    ):
        result = await client.call_tool("ocm__search_sessions", {"query": query})
        assert not result.is_error, text_of(result)


async def test_a_search_or_list_that_makes_no_sense_is_refused(
    client: Client,
) -> None:
    search = "search_sessions"
    rows: list[tuple[str, dict[str, object], str]] = [
        (search, {"query": "x", "scope": "galaxy"}, "'project' or 'global'"),
        (search, {"query": "x", "limit": 0}, "at least 1"),
        (search, {"query": "x", "limit": "many"}, "`limit` should be"),
        (search, {"query": "x", "tool_filter": "…"}, "cannot be the name"),
        ("list_sessions", {"limit": -1}, "1 to 1000"),
        ("list_sessions", {"limit": 10**30}, "1 to 1000"),
    ]
    for tool, arguments, told in rows:
        assert told in await refusal(client, tool, **arguments)


OF_SESSIONS: list[tuple[str, dict[str, object]]] = [
    ("checkpoint", {"goal": "x"}),
    ("search_sessions", {"query": "leak"}),
    ("list_sessions", {}),
    ("get_session_files", {"session_id": "last"}),
]
EVERY_TOOL: list[tuple[str, dict[str, object]]] = [
    *OF_SESSIONS,
    ("remember", {"text": "Tests need Postgres"}),
    ("recall", {"query": "tests"}),
    ("memories", {}),
    ("context", {"task": "tests"}),
    ("forget", {"memory_id": "last", "reason": "It is wrong."}),
]
NAMES = [tool for tool, _ in EVERY_TOOL]


async def test_outside_calls_say_so(environment: Environment, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    outside = dataclasses.replace(environment, start=folder)
    async with client_of(outside) as client:
        assert len((await client.list_tools()).tools) == len(NAMES)
        assert (await client.list_resources()).resources == []
        for tool, arguments in EVERY_TOOL:
            said = await refusal(client, tool, **arguments)
            assert f"{folder} is not in a git repository." in said
            assert "git init" in said
        assert list(folder.iterdir()) == []
        make_repository(folder)
        assert (await ask(client, "checkpoint", goal="x"))["session_id"]


async def test_repository_comes_back(client: Client, repository: Path) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    moved = shutil.move(repository, repository.with_name("moved"))
    said = await refusal(client, "checkpoint", work_completed=["Found it"])
    assert str(repository) in said
    shutil.move(moved, repository)
    (hit,) = await ask(client, "search_sessions", query="leak")
    assert hit["session_id"].endswith("_leak")


async def test_where_nothing_can_be_written_only_reading_goes_on(
    client: Client, repository: Path
) -> None:
    await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    journal = repository / ".git" / "ocm" / "journal"
    shutil.rmtree(journal)
    journal.touch()  # refuses writers, root included
    tip = git(repository, "rev-parse", REF)
    said = await refusal(client, "checkpoint", goal="Draw the menu.")
    (hit,) = await ask(client, "search_sessions", query="leak")
    assert "cannot be written" in said
    assert "read-only" in said
    assert git(repository, "rev-parse", REF) == tip
    assert "Stop the leak." in written(hit)


async def test_a_defect_is_told_by_name_and_logged_without_secrets(
    environment: Environment, repository: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"

    def broken() -> None:
        raise LookupError(secret)

    server = build(environment)
    server.add_tool(broken)
    async with Client(server) as client:
        result = await client.call_tool("broken", {})
    log = repository / ".git" / "ocm" / "log"
    assert result.is_error
    assert text_of(result) == f"broken failed with LookupError. The log has more: {log}"
    logged = log.read_text("utf-8")
    assert "Traceback" in logged
    assert "LookupError: [REDACTED:" in logged
    assert secret not in logged
    assert log.stat().st_mode & 0o077 == 0


@few(1, "mode", MODES)
async def test_an_unknown_tool_is_refused(environment: Environment, mode: str) -> None:
    async with client_of(environment, mode) as client:
        assert "Unknown tool: ocm__bogus" in await refusal(client, "bogus")


async def test_messages_tell_no_secret(environment: Environment) -> None:
    text = "password=hunter2hunter2"
    error = ToolError(text)
    error.__cause__ = InvalidInput(text, hint=f"`ocm share on {text}`")
    told = [explained("sync", error, environment)]
    with pytest.raises(MCPError) as raised, as_protocol_error("It", environment):
        raise error.__cause__
    told.append(str(raised.value))
    assert all("share on" in each and "hunter2" not in each for each in told)
