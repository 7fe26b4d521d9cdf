"""Memories where sessions are named: show, list, search, forget, export, scan."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm
from remembering.saying import days_ago, said_at, say, stored
from support.harness import git
from support.user_rule import HIDDEN, put_rule
from support.workspaces import saved_session, workspace_at

from gitmem.documents.memory.memory import Memory
from gitmem.workspace import Workspace

TEXT = "The tests need Postgres 16."


@pytest.fixture
def memory(workspace: Workspace) -> Memory:
    return say(workspace, TEXT, key="tests.db", why="We use MERGE.").memory


def test_show_takes_an_id_its_beginning_or_a_key(ocm: Ocm, memory: Memory) -> None:
    shown = ocm("show", memory.id).out
    assert TEXT in shown
    assert "## Why" in shown
    for name in (memory.id[:5], "tests.db"):
        assert ocm("show", name).out == shown
    told = ocm("show", "tests.db", "--json").json
    assert told == {"memory_id": memory.id, "markdown_path": None, "document": shown}
    unknown = ocm("show", "m-ffffffffff", "--json")
    assert (unknown.status, unknown.error["code"]) == (1, "not-found")


def test_a_terminal_gets_it_drawn(
    ocm: Ocm, memory: Memory, terminal: Callable[[int], None]
) -> None:
    terminal(80)
    lines = ocm("show", memory.id).text.splitlines()
    assert lines[0] == memory.id
    assert "kind: fact" in lines
    assert "## Why" not in lines


def test_a_session_comes_before_a_memory_of_the_same_name(
    ocm: Ocm, workspace: Workspace
) -> None:
    saved = saved_session(workspace, goal="Deploy it.", slug="deploying")
    say(workspace, "Robots deploy at night.", key="deploying")
    decided = f"{saved.session_id}#d1"
    for name in ("deploying", "last", decided):
        assert ocm("show", name, "--json").json["session_id"] == saved.session_id


def test_what_is_kept_for_the_user_is_named_too(ocm: Ocm, workspace: Workspace) -> None:
    mine = say(workspace, "Ada likes short answers.", scope="user", key="tone").memory
    assert "short answers" in ocm("show", "tone").out
    assert ocm("forget", mine.id, "--yes").status == 0
    assert ocm("recall", "answers", "--json").json["result"] == []


def test_a_list_has_the_newest_first(ocm: Ocm, workspace: Workspace) -> None:
    assert ocm("list", "--kind", "memory", "--json").json == []
    for day in range(1, 12):
        said_at(workspace, f"Day {day} was fine.", days_ago(workspace, day))
    listed = ocm("list", "--kind", "memory", "--json").json
    assert [each["title"] for each in listed] == [
        f"Day {day} was fine." for day in range(1, 11)
    ]
    assert listed[0].keys() == {
        *("memory_id", "title", "date", "status", "author", "own", "match", "score")
    }
    assert "Day 1 was fine." in ocm("list", "--kind", "memories", "--limit", "1").text
    wrong = ocm("list", "--kind", "thought", "--json")
    assert wrong.error["message"].startswith("kind must be one of session, memory")


def test_a_search_looks_in_memories_where_it_is_told(ocm: Ocm, memory: Memory) -> None:
    (hit,) = ocm("search", "--in", "memories", "--json", "tests Postgres").json
    assert (hit["memory_id"], hit["match"]) == (memory.id, "strong")
    assert TEXT in ocm("search", "--in", "memories", "Postgres").text
    assert "none" in ocm("search", "--in", "memories", "chromodynamics").err
    assert memory.id not in ocm("search", "Postgres").out


def test_a_memory_is_forgotten_for_good(
    ocm: Ocm, memory: Memory, repository: Path
) -> None:
    copy = Path(ocm("export", memory.id, "--json").json["markdown_path"])
    assert TEXT in copy.read_text()
    ran = ocm("forget", "tests.db", "--dry-run")
    assert TEXT in ran.text
    assert "Nothing was forgotten." in ran.text
    told = ocm("forget", "tests.db", "--yes", "--json").json
    assert "Earlier commits of refs/ocm/memories" in told.pop("remains")[0]
    assert told == {
        "forgotten": [{"memory_id": memory.id, "title": TEXT}],
        "history": False,
        "dry_run": False,
    }
    assert not copy.exists()
    assert ocm("show", memory.id).status == 1
    assert TEXT in git(repository, "log", "-p", "refs/ocm/memories")
    again = say(workspace_at(repository), "Something else entirely.").memory
    assert ocm("forget", again.id, "--history", "--yes").status == 0
    assert "entirely" not in git(repository, "log", "-p", "refs/ocm/memories")


def test_several_memories_are_forgotten_at_once(ocm: Ocm, workspace: Workspace) -> None:
    texts = [f"Robot {number} paints." for number in range(4)]
    ids = [say(workspace, text).memory.id for text in texts]
    mine = say(workspace, "Ada likes short answers.", scope="user", key="tone").memory
    count = ("rev-list", "--count", "refs/ocm/memories")
    before = int(git(workspace.root, *count))
    assert ocm("forget", *ids[:2], "tone", "--yes").status == 0
    assert int(git(workspace.root, *count)) == before + 1
    assert ocm("show", mine.id).status == 1
    assert ocm("forget", "--history", *ids[2:], "--yes").status == 0
    assert ocm("recall", "robot paints", "--json").json["result"] == []
    history = git(workspace.root, "log", "-p", "refs/ocm/memories")
    assert not any(text in history for text in texts[2:])


def test_sessions_and_memories_are_not_forgotten_together(
    ocm: Ocm, memory: Memory, workspace: Workspace
) -> None:
    saved_session(workspace, goal="Deploy it.", slug="deploying")
    ran = ocm("forget", "deploying", memory.id, "--yes")
    assert ran.status == 2
    assert "in one command" in ran.err
    assert stored(workspace, memory.id) == memory


def test_a_scan_looks_through_memories(ocm: Ocm, repository: Path) -> None:
    say(workspace_at(repository), f"The ticket {HIDDEN} is open.")
    assert ocm("scan").status == 0
    put_rule(repository)
    found = ocm("scan", "--json").json["found"]
    assert "document" in {each["where"] for each in found}
