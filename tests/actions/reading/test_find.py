"""Finding, listing and reading what was saved, here and in other repositories."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from crash.disks import mounted_read_only
from support.harness import git, make_repository, read_only
from support.installing import installed
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.find import Answered, _best, search
from gitmem.documents.kinds import SESSION
from gitmem.errors import Ambiguous, InvalidInput, NotFound
from gitmem.lookup import find, find_id
from gitmem.search.documents import Match
from gitmem.workspace import Workspace


def found(workspace: Workspace, text: str, **options: Any) -> list[str]:
    return [each.hit.public_id for each in search(workspace, text, **options).results]


def test_a_later_checkpoint_is_found_at_once(workspace: Workspace) -> None:
    saved = saved_session(workspace, goal="Stop the double charge")
    assert found(workspace, "idempotency") == []
    saved_session(workspace, session_id=saved.session_id, decisions=["Idempotency key"])
    assert found(workspace, "idempotency") == [saved.session_id]


def test_a_deleted_index_gives_the_same_answers_again(
    workspace: Workspace, repository: Path
) -> None:
    for topic in ("charge", "refund", "invoice"):
        saved_session(workspace, goal=f"Fix the {topic} page", slug=topic)
    before = search(workspace, "refund page")
    shutil.rmtree(repository / ".git" / "ocm-index")
    assert search(workspace, "refund page") == before


@pytest.mark.parametrize("state", ["of before", "none"])
def test_a_read_only_repository_is_indexed_once(
    workspace: Workspace, repository: Path, state: str
) -> None:
    sessions = {}
    for topic in ("charge", "refund"):
        sessions[topic] = saved_session(workspace, goal=f"Fix the {topic}").session_id
        if topic == "charge" and state == "of before":
            assert found(workspace, "charge") == [sessions["charge"]]
    with unwritable(repository):
        opened = workspace_at(repository)
        assert {found(opened, topic)[0] for topic in sessions} == {*sessions.values()}
        cached = opened.index_folder / "meta.json"
        assert workspace.environment.home in cached.parents
        assert opened.open_index().is_on_disk
        before = cached.stat().st_mtime_ns
        assert found(workspace_at(repository), "refund") == [sessions["refund"]]
        assert cached.stat().st_mtime_ns == before
    assert workspace.index_folder.is_relative_to(repository)
    workspace.recreate_index()
    assert not cached.exists()
    assert found(workspace, "refund") == [sessions["refund"]]


unwritable = read_only if os.geteuid() else mounted_read_only
"""Root may write everything but a mount."""


def test_filter_that_leaves_nothing_is_dropped(workspace: Workspace) -> None:
    decisions = ["The provider knows a key"]
    saved_session(workspace, goal="Stop the double charge", decisions=decisions)
    for text, *dropped in (
        ('why "double charged customers" happened', "phrases"),
        ("double charge in march 2019", "after", "before"),
        ("double charge in codex", "tool"),
        ("double charge branch:feat/x", "branch"),
        ("double charge author:eve", "author"),
        ("double charge -provider", "without"),
        ("double charge in codex today", "tool"),
        ('"charge double" in codex author:ada', "phrases", "tool"),
        ("what did we do yesterday", "after", "before"),
    ):
        results = search(workspace, text)
        assert len(results.results) == 1
        assert results.dropped == tuple(dropped)
        assert all(getattr(results.query, field) for field in dropped)


def test_tool_argument_wins_over_the_text(workspace: Workspace) -> None:
    saved = saved_session(workspace, goal="Stop the double charge", tool="cursor")
    text = "double charge in codex"
    assert found(workspace, text, tool="codex") == []
    assert found(workspace, text, tool="cursor") == [saved.session_id]


def test_global_search_reads_registered_repositories(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = workspace_at(make_repository(tmp_path / "other"))
    gone = workspace_at(make_repository(tmp_path / "gone"))
    for each in (workspace, other, gone):
        installed(each)
        saved_session(each, goal="Stop the double charge", slug=each.project)
    shutil.rmtree(tmp_path / "gone")
    before = {*tmp_path.rglob("*")}
    hits = search(workspace, "double charge", scope="global").results
    copies = {hit.hit.project: hit.markdown_path for hit in hits}
    assert copies.keys() == {"repository", "other"}
    assert all(hit.reasons.matched == ("goal",) for hit in hits)
    assert all(path and "double charge" in path.read_text() for path in copies.values())
    assert {*tmp_path.rglob("*.md")} <= before
    assert copies["repository"] in before
    assert workspace.environment.home in (copies["other"] or Path()).parents
    assert len(found(workspace, "double charge")) == 1


@pytest.mark.endurance
def test_a_session_that_two_clones_hold_is_found_once(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    saved_session(workspace, goal="Stop the double charge")
    git(repository, "remote", "add", "origin", str(tmp_path / "repository"))
    git(tmp_path, "clone", "--quiet", str(repository), "clone")
    git(tmp_path / "clone", "fetch", "--quiet", "origin", "refs/ocm/*:refs/ocm/*")
    installed(workspace_at(tmp_path / "clone"))
    assert len(found(workspace, "double charge", scope="global")) == 1


@pytest.mark.endurance
def test_strong_hits_of_all_come_before_weak_ones(workspace: Workspace) -> None:
    for name in ("one", "two"):
        saved_session(workspace, goal="Stop the double charge", client_session_id=name)
    results = search(workspace, "double charge")
    near, strong = (each.hit for each in results.results)
    near = replace(near, match=Match.WEAK, score=2 * strong.score)
    places = [Answered(workspace, results.query, [hit], {}) for hit in (near, strong)]
    assert [hit for hit, _ in _best(places, 5)] == [strong, near]


def test_an_entry_of_a_newer_gitmem_stays_in_the_registry(workspace: Workspace) -> None:
    registry = workspace.environment.home / "registry.json"
    registry.parent.mkdir(parents=True)
    registry.write_text('[{"project": "p", "something": "new"}]')
    installed(workspace)
    assert [item["project"] for item in json.loads(registry.read_text())] == [
        "p",
        "repository",
    ]


ENTRY = '"project": "p", "root": "r", "registered_at": "t"'


def test_a_broken_registry_is_no_obstacle(workspace: Workspace) -> None:
    workspace.environment.home.mkdir(parents=True, exist_ok=True)
    saved_session(workspace, goal="Stop the double charge")
    for content in (
        *("", "{", "[1, {}]", '[{"project": 1}]', "null", "[" * 100_000),
        f'[{{{ENTRY}, "git_dir": 5}}]',
        f'[{{{ENTRY}, "git_dir": "a\\u0000b"}}]',
    ):
        (workspace.environment.home / "registry.json").write_text(content)
        assert len(found(workspace, "double charge", scope="global")) == 1


def test_a_client_id_is_found_without_the_journal(
    workspace: Workspace, repository: Path
) -> None:
    saved = saved_session(workspace, goal="g", client_session_id="c-1")
    shutil.rmtree(repository / ".git" / "ocm")
    assert find(workspace, SESSION, "c-1").session_id == saved.session_id


def test_names_that_mean_nothing_or_too_much(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="no sessions yet"):
        find_id(workspace, SESSION, "last")
    saved_session(workspace, goal="g", slug="one")
    saved_session(workspace, goal="h", slug="two")
    with pytest.raises(NotFound):
        find_id(workspace, SESSION, "nothing-like-it")
    with pytest.raises(Ambiguous) as caught:
        find_id(workspace, SESSION, "2")
    assert len(caught.value.candidates) == 2
    for name in ("", "a/b", "..", "\n", "a\x00"):
        with pytest.raises(InvalidInput):
            find_id(workspace, SESSION, name)


def test_a_shared_slug_names_several(workspace: Workspace) -> None:
    ids = [
        saved_session(workspace, goal="g", slug="one", tool=tool).session_id
        for tool in ("aider", "cursor")
    ]
    with pytest.raises(Ambiguous, match=r"^'one' names several") as caught:
        find_id(workspace, SESSION, "one")
    assert set(caught.value.candidates) == {*ids}
