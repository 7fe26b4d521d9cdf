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
from support.harness import git, record
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.sharing.share_settings import Wanted, proposal, turn_off, turn_on
from gitmem.store.trees.session_tree import REF

TRACKING = "refs/ocm/remotes/origin/sessions"


@pytest.fixture
def shared(place: Place, tmp_path: Path) -> Place:
    """A repository that shares its memory, which has one session."""
    git(tmp_path, "clone", "--quiet", "--bare", str(place.repository), "origin.git")
    git(place.repository, "remote", "add", "origin", str(tmp_path / "origin.git"))
    workspace = workspace_at(place.repository)
    turn_on(workspace, proposal(workspace, Wanted()))
    sent_from(place.repository)
    return place


def found(place: Place, code: Code) -> list[Finding]:
    return [each for each in place.findings() if each.code is code]


def config(place: Place, *arguments: str) -> None:
    git(place.repository, "config", *arguments)


def test_where_all_is_well_it_says_with_whom_and_since_when(shared: Place) -> None:
    codes = (Code.SHARING, Code.SYNC, Code.UNSENT, Code.FETCH, Code.PUSH, Code.STRANGER)
    findings = [each for each in shared.findings() if each.code in codes]
    assert {each.grade for each in findings} == {OK}
    said = {each.code: each.what for each in findings}
    assert said[Code.SHARING] == "memory is shared with origin"
    assert said[Code.SYNC].startswith("the last sync, 20")
    assert said[Code.UNSENT] == "all sessions are sent"


def test_conversations_that_are_shared_are_named(shared: Place) -> None:
    config(shared, "ocm.shareConversations", "true")
    one = shared.found(Code.SHARING)
    assert one.grade is NOTE
    assert "conversations" in one.what


@pytest.mark.endurance
def test_a_remote_that_has_another_name_now(shared: Place) -> None:
    git(shared.repository, "remote", "rename", "origin", "upstream")
    one = shared.found(Code.SHARING)
    assert one.grade is PROBLEM
    assert "'origin'" in one.what
    assert "upstream" in one.mend
    workspace = workspace_at(shared.repository)
    assert turn_off(workspace) == "origin"
    turn_on(workspace, proposal(workspace, Wanted()))
    assert shared.found(Code.SHARING).what == "memory is shared with upstream"
    fetched = workspace.repository.config_values("remote.upstream.fetch")
    assert [each for each in fetched if "remotes/origin/sessions" in each] == []


@pytest.mark.endurance
def test_a_fetch_that_brings_no_memory(shared: Place) -> None:
    config(shared, "--unset-all", "remote.origin.fetch")
    config(shared, "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    one = shared.found(Code.FETCH, "origin")
    assert one.grade is WARNING
    assert "ocm share on origin" in one.mend


@pytest.mark.endurance
def test_a_clone_that_leaves_out_blobs_fetches_no_memory(shared: Place) -> None:
    config(shared, "remote.origin.promisor", "true")
    one = shared.found(Code.FETCH, "origin")
    assert one.grade is WARNING
    assert "`ocm pull`" in one.mend


@pytest.mark.parametrize("refspec", ["+refs/*:refs/*", "refs/ocm/*:refs/ocm/*"])
def test_a_fetch_that_writes_into_our_ref(place: Place, refspec: str) -> None:
    git(place.repository, "remote", "add", "other", "/elsewhere")
    config(place, "--add", "remote.other.fetch", refspec)
    findings = found(place, Code.FETCH)
    assert {(each.grade, each.about) for each in findings} == {(PROBLEM, "other")}
    [command] = re.findall(r"`(git .*)`", findings[0].mend)
    subprocess.run(command, shell=True, check=True, cwd=place.repository)
    assert found(place, Code.FETCH) == []


@pytest.mark.parametrize(
    ("key", "value", "is_sent"),
    [
        ("mirror", "true", True),
        ("push", "refs/*:refs/*", True),
        ("push", "+refs/ocm/conversations:refs/heads/x", True),
        ("push", "refs/heads/main", False),
        ("mirror", "false", False),
    ],
)
def test_a_push_that_sends_memory_without_being_asked(
    place: Place, key: str, value: str, is_sent: bool
) -> None:
    git(place.repository, "remote", "add", "other", "/elsewhere")
    config(place, f"remote.other.{key}", value)
    assert [each.grade for each in found(place, Code.PUSH)] == [PROBLEM] * is_sent


def test_failed_sync_shows_what_git_said(shared: Place, tmp_path: Path) -> None:
    workspace = workspace_at(shared.repository)
    shutil.rmtree(tmp_path / "origin.git")
    with pytest.raises(Exception, match="origin"):
        sent_from(shared.repository)
    one = shared.found(Code.SYNC)
    assert one.grade is WARNING
    assert "origin" in one.what
    assert one.mend
    (workspace.repository.common_dir / "ocm" / "sync.json").write_text("{}")
    assert shared.found(Code.SYNC).what == "memory was not synced yet"


@few(1, ("days", "grade"), [(1, NOTE), (9, WARNING)])
def test_sessions_that_wait_to_be_sent(shared: Place, days: int, grade: str) -> None:
    workspace = workspace_at(shared.repository)
    workspace.store.append(record(at=workspace.now() - timedelta(days=days), goal="g"))
    workspace.store.replay()
    one = shared.found(Code.UNSENT)
    assert one.grade is grade
    assert one.what == "1 session to be sent" + (", for 9 days" if days == 9 else "")


def test_what_was_not_taken_is_named(shared: Place) -> None:
    was = git(shared.repository, "rev-parse", REF)
    theirs = commit_by_hand(shared.repository, "sessions/notes.sh", "echo x\n")
    git(shared.repository, "update-ref", TRACKING, theirs)
    git(shared.repository, "update-ref", REF, was)
    one = shared.found(Code.STRANGER)
    assert one.grade is WARNING
    assert "not taken from origin, such as sessions/notes.sh" in one.what
