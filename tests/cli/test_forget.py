"""`ocm forget` shows what goes, asks, and says honestly what remains."""

from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from support.harness import CLIENT, git
from support.workspaces import saved_session, workspace_at

from gitmem.store.trees.session_tree import REF


@pytest.fixture
def session(repository: Path) -> str:
    goal = "tame\x1b[2J the walrus"
    workspace = workspace_at(repository)
    saved = saved_session(workspace, client_session_id=CLIENT, goal=goal)
    assert saved.session_id
    return saved.session_id


def ids(ocm: Ocm) -> list[str]:
    return [each["session_id"] for each in ocm("list", "--json").json]


def test_it_shows_the_session_and_what_remains(ocm: Ocm, session: str) -> None:
    ran = ocm("forget", "last", "--yes")
    assert ran.status == 0
    for told in (
        *(session, "the walrus", "Ada <ada@example.com>", "Forgotten: 1 session."),
        *("What remains:", "Earlier commits"),
    ):
        assert told in ran.text
    assert not any(each in ran.text for each in ("\x1b", "gc ", "reflog expire", "rm "))
    assert ids(ocm) == []
    again = ocm("forget", session, "--yes", "--json")
    assert again.status == 1
    assert "already" in again.error["message"]
    unknown = ocm("forget", "nothing", "--yes", "--json")
    assert "No session or memory is named" in unknown.error["message"]


def test_what_remains_of_a_memory_is_told(ocm: Ocm) -> None:
    ocm("remember", "Tests need Postgres 16", "--key", "db")
    ran = ocm("forget", "db", "--yes")
    assert "Earlier commits of refs/ocm/memories still have it" in ran.text


def test_without_a_terminal_it_does_nothing(ocm: Ocm, session: str) -> None:
    for options in ((), ("--json",)):
        ran = ocm("forget", session, *options)
        assert ran.status == 2
        assert "no terminal" in ran.err
    assert ids(ocm) == [session]


@pytest.mark.endurance
def test_a_person_is_asked(ocm: Ocm, repository: Path, session: str) -> None:
    said, status = on_a_terminal(repository, ["forget", session], "n\n")
    assert "Forget 1 session, for good?" in said
    assert status == 130
    assert ids(ocm) == [session]


def test_a_dry_run_only_looks(ocm: Ocm, session: str, repository: Path) -> None:
    tip = git(repository, "rev-parse", REF)
    ran = ocm("forget", "--history", "--dry-run", session[:20])
    assert "Nothing was forgotten." in ran.text
    assert git(repository, "rev-parse", REF) == tip


def test_as_json_it_tells_the_same(ocm: Ocm, session: str) -> None:
    told = ocm("forget", CLIENT, "--history", "--yes", "--json").json
    assert told.keys() == {"forgotten", "history", "dry_run", "remains"}
    [forgotten] = told["forgotten"]
    assert forgotten["session_id"] == session
    assert forgotten["words"] > 10
    assert told["history"] is True
    assert any("prunes" in sentence for sentence in told["remains"])
    assert "Earlier" not in " ".join(told["remains"])


@pytest.fixture
def listed(repository: Path) -> str:
    items = ("Tame the walrus", "Feed the walrus", "Go home")
    workspace = workspace_at(repository)
    saved = saved_session(workspace, client_session_id=CLIENT, work_completed=items)
    assert saved.session_id
    return saved.session_id


def test_an_item_goes_and_stays_away(ocm: Ocm, listed: str) -> None:
    assert ocm("search", "walrus").status == 0
    ran = ocm("forget", listed, "--item", "Tame", "--yes")
    said = [listed, "  Tame the walrus", "", "Forgotten: 1 item.", "What remains:"]
    assert ran.out.splitlines()[:5] == said
    done = ("--done", "Tame the walrus", "--done", "Sleep")
    ocm("checkpoint", "--session", listed, *done)
    document = ocm("show", listed).out
    assert "Tame" not in document
    assert "Feed the walrus" in document
    assert "Sleep" in document


def test_only_one_item_that_is_named_goes(ocm: Ocm, listed: str) -> None:
    for text, code in (("walrus", 2), ("penguin", 1)):
        assert ocm("forget", listed, "--item", text, "--yes").status == code
    told = ocm("forget", listed, "--item", "home", "--dry-run", "--json").json
    assert told == {"session_id": listed, "items": ["Go home"], "dry_run": True}
    document = ocm("show", listed).out
    assert "Tame the walrus" in document
    assert "Go home" in document
