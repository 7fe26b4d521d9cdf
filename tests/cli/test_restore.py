"""`ocm restore` lists what can be brought back, asks, and brings it back."""

from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from support.harness import CLIENT, git
from support.workspaces import saved_session, workspace_at

from gitmem.documents.kinds import SESSION
from gitmem.lookup import find_id
from gitmem.store.trees.session_tree import REF

OTHER = "0b0b0b0b-4e5f-4000-8000-000000000000"


@pytest.fixture
def ids(repository: Path) -> list[str]:
    """Of two sessions that a commit by hand has removed; the newest comes first."""
    workspace = workspace_at(repository)
    for client, goal in ((CLIENT, "tame\x1b[2J the walrus"), (OTHER, "feed it")):
        saved_session(workspace, client_session_id=client, goal=goal)
    memory = workspace.store.memory()
    removed = {memory.path(each): None for each in memory.ids()}
    tree = workspace.repository.write_tree(memory.tree, removed)
    commit = git(repository, "commit-tree", "-m", "x", "-p", str(memory.commit), tree)
    git(repository, "update-ref", REF, commit)
    return sorted(memory.ids(), reverse=True)


def listed(ocm: Ocm) -> set[str]:
    """Ids of documents, of which the session ids are names."""
    names = [each["session_id"] for each in ocm("list", "--json").json]
    return {find_id(workspace_at(Path.cwd()), SESSION, name) for name in names}


def test_it_lists_what_can_be_brought_back(ocm: Ocm, ids: list[str]) -> None:
    ran = ocm("restore")
    assert ran.status == 0
    assert all(each in ran.text for each in ids)
    assert "the walrus" in ran.text
    assert "from earlier commits" in ran.text
    assert "\x1b" not in ran.text
    assert "ocm restore SESSION" in ran.err
    assert "Nothing was restored" in ran.text
    assert listed(ocm) == set()
    told = ocm("restore", "--json").json["lost"]
    assert sorted((each["session_id"] for each in told), reverse=True) == ids
    for each in told:
        assert each.keys() == {
            *("session_id", "goal", "date", "from", "here", "forgotten")
        }
        assert (each["from"], each["here"], each["forgotten"]) == (
            *("history", False, False),
        )


def test_what_is_named_comes_back(ocm: Ocm, ids: list[str]) -> None:
    ran = ocm("restore", ids[0], "--yes")
    assert ran.status == 0
    assert "Restored: 1 session." in ran.text
    assert listed(ocm) == {ids[0]}
    ran = ocm("restore", ids[0], "--yes", "--json")
    assert ran.status == 1
    assert ran.error["code"] == "not-found"


def test_a_dry_run_only_looks(ocm: Ocm, ids: list[str], repository: Path) -> None:
    tip = git(repository, "rev-parse", REF)
    ran = ocm("restore", ids[0], "--dry-run")
    assert "Nothing was restored." in ran.text
    assert git(repository, "rev-parse", REF) == tip


@pytest.mark.endurance
def test_people_are_asked_programs_agree(
    ocm: Ocm, ids: list[str], repository: Path
) -> None:
    said, status = on_a_terminal(repository, ["restore", *ids], "n\n")
    assert "Restore 2 sessions?" in said
    assert status == 130
    assert ocm("restore", *ids).status == 2
    assert ocm("restore", ids[0], "--forgotten").status == 2
    assert listed(ocm) == set()
    assert ocm("restore", *ids, "--yes", "--json").json["restored"] == sorted(ids)
    assert listed(ocm) == {*ids}


@pytest.mark.usefixtures("ids")
def test_doctor_points_to_it(ocm: Ocm, repository: Path) -> None:
    for journal in (repository / ".git/ocm/journal").iterdir():
        journal.unlink()
    ran = ocm("doctor")
    assert ran.status == 1
    assert "2 sessions that the history has are gone" in ran.text
    assert "ocm restore" in ran.text
