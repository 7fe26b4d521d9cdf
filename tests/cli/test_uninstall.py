"""`ocm uninstall`: what goes, what stays, and the question before a purge."""

from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from support.harness import git
from support.installing import tree
from support.rounds import few

BOTH = ("--assistant", "claude", "--assistant", "cursor")


def sessions(repository: Path) -> str:
    return git(repository, "for-each-ref", "refs/ocm/")


def test_it_says_step_by_step_what_it_did(ocm: Ocm, repository: Path) -> None:
    before = tree(repository)
    ocm("init", *BOTH)
    ran = ocm("uninstall")
    assert ran.status == 0
    assert "  remove  .mcp.json\n" in ran.out
    assert "done     .mcp.json is as it was before `ocm init`\n" in ran.out
    assert tree(repository) == before
    again = ocm("uninstall")
    assert "\nNothing is left to do.\n" in again.out
    assert "done" not in again.out


def test_what_cannot_be_undone_is_named_and_fails(ocm: Ocm, repository: Path) -> None:
    ocm("init", *BOTH)
    (repository / ".mcp.json").write_text('{"ocm/run": ')
    ran = ocm("uninstall")
    assert ran.status == 1
    assert "\n         .mcp.json: line 1" in ran.out
    again = ocm("uninstall")
    assert again.status == 1
    assert "Nothing is left" not in again.out


def test_memory_stays_unless_it_is_purged(ocm: Ocm, repository: Path) -> None:
    ocm("init", *BOTH)
    ocm("checkpoint", "--goal", "g")
    git(repository, "update-ref", "-d", "refs/ocm/sessions")
    for mark in (repository / ".git" / "ocm" / "journal").glob("*.mark"):
        mark.unlink()  # a checkpoint that is pending is committed first
    assert "The memory stays" in ocm("uninstall").out
    assert len(ocm("list", "--json").json) == 1
    assert "memory stays" not in ocm("uninstall", "--purge", "--dry-run").out
    dry = ocm("uninstall", "--dry-run", "--purge", "--json").json
    done = ocm("uninstall", "--purge", "--yes", "--json").json
    assert list(dry) == list(done) == ["project", "root", "steps"]
    removals = [path for step in done["steps"] for path in step["removals"]]
    assert "refs/ocm/sessions" in removals
    assert sessions(repository) == ""


def test_a_purge_without_a_terminal_is_refused(ocm: Ocm, repository: Path) -> None:
    ocm("checkpoint", "--goal", "g")
    before = tree(repository)
    refused = ocm("uninstall", "--purge")
    assert refused.status == 2
    assert "no terminal" in refused.err
    assert "--yes" not in refused.err
    assert tree(repository) == before


@pytest.mark.endurance
@few(1, ("answer", "status"), [("n", 130), ("", 130), ("y", 0)])
def test_a_purge_asks_and_says_how_much_there_is(
    ocm: Ocm, repository: Path, answer: str, status: int
) -> None:
    for goal in ("one", "two"):
        ocm("checkpoint", "--goal", goal, "--slug", goal)
    said, left = on_a_terminal(repository, ["uninstall", "--purge"], f"{answer}\n")
    assert "with 2 sessions" in said
    assert left == status
    assert bool(sessions(repository)) == (status != 0)
    assert (repository / ".git" / "ocm").exists() == (status != 0)


@pytest.mark.endurance
def test_memory_is_shared_no_more(ocm: Ocm, repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "origin.git"))
    ocm("checkpoint", "--goal", "one", "--slug", "one")
    before = git(repository, "config", "--list", "--local")
    hooks = tree(repository / ".git" / "hooks")
    assert ocm("init").status == 0
    assert ocm("share", "on", "--auto-push", "--yes").status == 0
    assert "sharing memory" in ocm("uninstall", "--dry-run").out
    assert ocm("uninstall").status == 0
    assert git(repository, "config", "--list", "--local") == before
    assert tree(repository / ".git" / "hooks") == hooks
    assert git(repository, "for-each-ref", "refs/ocm").split()[2:] == [
        "refs/ocm/sessions"
    ]
    assert git(tmp_path / "origin.git", "for-each-ref", "refs/ocm")
