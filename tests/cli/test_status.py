"""`ocm status` where memory is shared."""

import shutil
from pathlib import Path

import pytest
from cli.running import Ocm
from support.auto_push import sent_from
from support.harness import git
from support.workspaces import saved_session, workspace_at


@pytest.fixture
def remote(repository: Path, tmp_path: Path) -> Path:
    """That of a repository which shares its memory."""
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "origin.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(repository, "config", "ocm.remote", "origin")
    return tmp_path / "origin.git"


def lines(ocm: Ocm) -> dict[str, str]:
    """What it says, by the word in front."""
    out = ocm("status").out.splitlines()
    return {line[:10].strip(): line[10:] for line in out}


def test_where_nothing_is_shared(ocm: Ocm) -> None:
    assert lines(ocm)["shared"] == "with nobody"
    assert ocm("status", "--json").json["shared"] is None


@pytest.mark.usefixtures("remote")
def test_what_is_to_be_sent_is_counted(ocm: Ocm, repository: Path) -> None:
    saved_session(workspace_at(repository), goal="One")
    before = lines(ocm)
    assert before["shared"] == "with origin, 1 session to be sent"
    assert before["last sync"] == "none yet"
    sent_from(repository, "Another")
    after = lines(ocm)
    assert after["shared"] == "with origin, all is sent"
    assert after["last sync"].startswith("today ")


def test_a_sync_that_failed_is_told(ocm: Ocm, repository: Path, remote: Path) -> None:
    shutil.rmtree(remote)
    assert ocm("sync").status == 14
    saved_session(workspace_at(repository), goal="One")
    shared = ocm("status", "--json").json["shared"]
    assert shared.keys() == {"remote", "unsent", "last", "why_not"}
    assert (shared["remote"], shared["unsent"]) == ("origin", 1)
    assert shared["last"].keys() == {"at", "remote", "words", "error", "hint"}
    assert shared["last"]["error"] == "unreachable"
    assert shared["last"]["words"] in lines(ocm)["last sync"]


def test_secret_in_the_remote_url_is_not_shown(ocm: Ocm, repository: Path) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    url = f"https://me:{secret}@example.invalid/x.git?access_token={secret}"
    git(repository, "remote", "add", "origin", url)
    git(repository, "config", "ocm.notes", f"perhaps {secret}")
    for command in (["status"], ["doctor"], ["doctor", "--json"]):
        assert secret not in ocm(*command).out


def test_memories_of_all_scopes_are_counted(ocm: Ocm) -> None:
    ocm("remember", "Tabs and never spaces")
    ocm("remember", "I like short answers", "--scope", "user")
    assert lines(ocm)["memories"] == "1 project, 1 user"
    assert ocm("status", "--json").json["memories"] == {"project": 1, "user": 1}
