"""What `ocm doctor` finds where memory is shared, or would be by accident."""

import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cli.running import commit_by_hand
from support.auto_push import sent_from
from support.doctor import NOTE, OK, PROBLEM, WARNING, Place
from support.harness import copied, git, make_repository, record
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.doctor import sharing
from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.sharing.share_settings import (
    ShareRequest,
    proposal,
    turn_off,
    turn_on,
)
from gitmem.store.trees.session_tree import REF

TRACKING = "refs/ocm/remotes/origin/sessions"


@pytest.fixture
def shared(tmp_path: Path, sealed_environment: Path) -> Place:
    """A repository that shares its memory, which has one session."""
    return Place(copied(tmp_path, _shared) / "repository", sealed_environment)


def _shared(folder: Path) -> None:
    repository = make_repository(folder / "repository")
    git(folder, "clone", "--quiet", "--bare", str(repository), "origin.git")
    git(repository, "remote", "add", "origin", str(folder / "origin.git"))
    workspace = workspace_at(repository)
    turn_on(workspace, proposal(workspace, ShareRequest()))
    sent_from(repository)


def found(place: Place, code: Code) -> list[Finding]:
    workspace = workspace_at(place.repository)
    every = [*sharing.shared(workspace), *sharing.refspecs(workspace)]
    return [each for each in every if each.code is code]


def config(place: Place, *arguments: str) -> None:
    git(place.repository, "config", *arguments)


def test_where_all_is_well_it_says_with_whom_and_since_when(shared: Place) -> None:
    codes = (Code.SHARING, Code.SYNC, Code.UNSENT, Code.FETCH, Code.PUSH, Code.STRANGER)
    findings = [each for each in shared.findings() if each.code in codes]
    assert {each.grade for each in findings} == {OK}
    said = {each.code: each.message for each in findings}
    assert said[Code.SHARING] == "memory is shared with origin"
    assert said[Code.SYNC].startswith("the last sync, 20")
    assert said[Code.UNSENT] == "all sessions are sent"


def test_conversations_that_are_shared_are_named(shared: Place) -> None:
    config(shared, "ocm.shareConversations", "true")
    [one] = found(shared, Code.SHARING)
    assert one.grade is NOTE
    assert "conversations" in one.message


@pytest.mark.endurance
def test_a_remote_that_has_another_name_now(shared: Place) -> None:
    git(shared.repository, "remote", "rename", "origin", "upstream")
    [one] = found(shared, Code.SHARING)
    assert one.grade is PROBLEM
    assert "'origin'" in one.message
    assert "upstream" in one.remedy
    workspace = workspace_at(shared.repository)
    assert turn_off(workspace) == "origin"
    turn_on(workspace, proposal(workspace, ShareRequest()))
    assert found(shared, Code.SHARING)[0].message == "memory is shared with upstream"
    fetched = workspace.repository.config_values("remote.upstream.fetch")
    assert [each for each in fetched if "remotes/origin/sessions" in each] == []


@pytest.mark.endurance
def test_a_fetch_that_brings_no_memory(shared: Place) -> None:
    config(shared, "--unset-all", "remote.origin.fetch")
    config(shared, "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    [one] = found(shared, Code.FETCH)
    assert one.grade is WARNING
    assert "ocm share on origin" in one.remedy


@pytest.mark.endurance
def test_a_clone_that_leaves_out_blobs_fetches_no_memory(shared: Place) -> None:
    config(shared, "remote.origin.promisor", "true")
    [one] = found(shared, Code.FETCH)
    assert one.grade is WARNING
    assert "`ocm pull`" in one.remedy


@every_row("refspec", ["+refs/*:refs/*", "refs/ocm/*:refs/ocm/*"])
def test_a_fetch_that_writes_into_our_ref(place: Place, refspec: str) -> None:
    config(place, "remote.other.url", "/elsewhere")
    config(place, "--replace-all", "remote.other.fetch", refspec)
    findings = found(place, Code.FETCH)
    assert {(each.grade, each.about) for each in findings} == {(PROBLEM, "other")}
    [command] = re.findall(r"`(git .*)`", findings[0].remedy)
    subprocess.run(command, shell=True, check=True, cwd=place.repository)
    assert found(place, Code.FETCH) == []


def test_a_push_that_sends_memory_without_being_asked(place: Place) -> None:
    git(place.repository, "remote", "add", "other", "/elsewhere")
    for key, value, is_sent in (
        ("mirror", "true", True),
        ("mirror", "false", False),
        ("push", "refs/*:refs/*", True),
        ("push", "+refs/ocm/conversations:refs/heads/x", True),
        ("push", "refs/heads/main", False),
    ):
        config(place, f"remote.other.{key}", value)
        assert [each.grade for each in found(place, Code.PUSH)] == [PROBLEM] * is_sent


def test_failed_sync_shows_what_git_said(shared: Place, tmp_path: Path) -> None:
    workspace = workspace_at(shared.repository)
    shutil.rmtree(tmp_path / "origin.git")
    with pytest.raises(Exception, match="origin"):
        sent_from(shared.repository)
    [one] = found(shared, Code.SYNC)
    assert one.grade is WARNING
    assert "origin" in one.message
    assert one.remedy
    (workspace.repository.common_dir / "ocm" / "sync.json").write_text("{}")
    assert found(shared, Code.SYNC)[0].message == "memory was not synced yet"


def test_sessions_that_wait_to_be_sent(shared: Place) -> None:
    workspace = workspace_at(shared.repository)
    store, now = workspace.store, workspace.now()
    for days, grade, what in (
        (1, NOTE, "1 session to be sent"),
        (9, WARNING, "2 sessions to be sent, for 9 days"),
    ):
        at = now - timedelta(days=days)
        store.append(record(str(days), at=at, goal="g"))
        store.replay()
        [one] = found(shared, Code.UNSENT)
        assert (one.grade, one.message) == (grade, what)


def test_what_was_not_taken_is_named(shared: Place) -> None:
    was = git(shared.repository, "rev-parse", REF)
    theirs = commit_by_hand(shared.repository, "sessions/notes.sh", "echo x\n")
    git(shared.repository, "update-ref", TRACKING, theirs)
    git(shared.repository, "update-ref", REF, was)
    [one] = found(shared, Code.STRANGER)
    assert one.grade is WARNING
    assert "not taken from origin, such as sessions/notes.sh" in one.message
