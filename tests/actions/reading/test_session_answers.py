"""What programs and clients are told of a search."""

from pathlib import Path

import pytest
from support.harness import git, make_repository
from support.installing import installed
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.find import Results, search
from gitmem.actions.reading.session_answers import hit_answers
from gitmem.answers import Answer
from gitmem.workspace import Workspace


@pytest.fixture
def results(workspace: Workspace) -> Results:
    for name in ("one", "two"):
        saved_session(workspace, goal="Print the banner", client_session_id=name)
    return search(workspace, "banner")


def hits(results: Results) -> list[Answer]:
    told = hit_answers(results)
    assert isinstance(told, list)
    return told


def test_hits_of_several_repositories_say_which_one(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "shelf.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    git(bare, "remote", "remove", "origin")
    other = make_repository(tmp_path / "other")
    git(other, "remote", "add", "a", "git@example.com:team/a.git")
    git(other, "remote", "add", "origin", "https://ada:hunter2@example.com/team/x.git")
    for place in (workspace, workspace_at(bare), workspace_at(other)):
        installed(place)
        saved_session(place, goal="Print the banner", slug=place.project)
    told = {
        hit["project"]: hit for hit in hits(search(workspace, "banner", scope="global"))
    }
    assert {name: (hit["root"], hit["remote"]) for name, hit in told.items()} == {
        "repository": (str(repository), ""),
        "shelf": (str(bare), ""),
        "x": (str(other), "https://example.com/team/x.git"),
    }
    assert "root" not in hits(search(workspace, "banner"))[0]


def test_a_key_in_a_query_does_not_come_back(workspace: Workspace) -> None:
    saved_session(workspace, goal="Rotate the token of the mirror")
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    keyed = search(workspace, f"mirror {key} '{key}'", also=[f"rotate {key}"])
    assert len(keyed.results) == 1
    assert key not in f"{hits(keyed)} {keyed}"
