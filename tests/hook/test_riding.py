"""Memory that rides along with real pushes and real starts of conversations."""

import os
import shutil
import subprocess
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from hook.calls import claude, install, log_of, run_command
from support.auto_push import Pair, make_pair, sent_from, soon
from support.harness import bound_by_permissions, git, read_only
from support.installing import python_with_gitmem
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.installing.git_hooks import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.actions.sharing.sync_status import last_sync
from gitmem.store.lock import locked

NO_ANSWER = 20
"""Seconds in which the remote of a test says nothing."""


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Both along: what is saved here, and what is saved there."""
    made = make_pair(tmp_path)
    made.set(autoPush="true", autoPull="true")
    install(made.here, python_with_gitmem(tmp_path))
    assert list(carry_out(planned(made.workspace)))
    return made


def push(pair: Pair) -> subprocess.CompletedProcess[str]:
    """Git's push of one more commit, which has to be let in."""
    git(pair.here, "commit", "--quiet", "--allow-empty", "--message=x")
    return subprocess.run(
        bound_by_permissions(["git", "push", "--quiet", "origin", "main"]),
        cwd=pair.here,
        capture_output=True,
        text=True,
        check=True,
    )


def test_memory_goes_with_the_push(pair: Pair) -> None:
    saved_session(pair.workspace, goal="Stop the leak")
    done = push(pair)
    assert (done.stdout, done.stderr) == ("", "")
    assert soon(lambda: last_sync(pair.workspace))
    assert pair.at_remote() == pair.tip()
    assert log_of(pair.here) == ""


@pytest.mark.endurance
def test_failure_is_told_once_by_the_next_push(pair: Pair, tmp_path: Path) -> None:
    saved_session(pair.workspace, goal="Stop the leak")
    pair.set(remoteUrl=str(tmp_path / "nowhere"))
    push(pair)
    assert soon((pair.ours / "push-failed").exists)
    pair.set(autoPush="false")  # the next one is told, and fails not again
    done = push(pair)
    assert done.stderr.startswith("ocm: the memory was not pushed to origin at ")
    assert done.stderr.count("\n") == 1
    assert push(pair).stderr == ""


@few(1, "trouble", ["ocm is gone", "read-only", "locked", "no python"])
def test_no_push_fails_for_it(pair: Pair, trouble: str) -> None:
    saved_session(pair.workspace, goal="Stop the leak")
    meanwhile: AbstractContextManager[object] = nullcontext()
    if trouble == "ocm is gone":
        shutil.rmtree(pair.ours)
    elif trouble == "read-only":
        meanwhile = read_only(pair.ours)
    elif trouble == "locked":
        meanwhile = locked(pair.workspace.store.lock)
    else:
        (pair.here.parent / "python with gitmem").unlink()
    with meanwhile:
        assert push(pair).stderr == ""
    assert git(pair.remote, "rev-parse", "main") == git(pair.here, "rev-parse", "main")


def silent_remote(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Memory goes where nobody answers; gives the file in which it is noted."""
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$$" >>"$0.begun"\nexec sleep {NO_ANSWER}\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    pair.set(remoteUrl="ssh://nobody.invalid/memory")
    return tmp_path / "ssh.begun"


def ended(begun: Path) -> None:
    """Nothing that the test began goes on after it."""
    for number in begun.read_text().split():
        os.kill(int(number), 15)


@pytest.mark.slow
def test_no_push_waits_for_a_remote_that_does_not_answer(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = silent_remote(pair, tmp_path, monkeypatch)
    saved_session(pair.workspace, goal="Stop the leak")
    started = time.monotonic()
    push(pair)
    assert time.monotonic() - started < NO_ANSWER / 2
    assert soon(begun.exists)
    ended(begun)


def test_as_a_conversation_begins_memory_is_pulled(pair: Pair) -> None:
    theirs = sent_from(pair.there)
    call = claude("SessionStart-startup", pair.here)
    run = f"'{pair.ours}/run' hook claude-code"
    done = run_command(run, call, pair.here)
    assert theirs.encode() not in done.stdout
    assert soon(lambda: last_sync(pair.workspace))
    assert list(workspace_at(pair.here).store.memory().ids()) == [theirs]
    assert log_of(pair.here) == ""


@pytest.mark.endurance
def test_the_brief_does_not_wait_for_that(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = silent_remote(pair, tmp_path, monkeypatch)
    saved_session(pair.workspace, goal="Stop the leak")
    run = f"'{pair.ours}/run' hook claude-code"
    started = time.monotonic()
    done = [
        run_command(run, claude("SessionStart-startup", pair.here, each), pair.here)
        for each in ("one", "two")
    ]
    assert time.monotonic() - started < NO_ANSWER / 2
    assert all(b"Stop the leak" in each.stdout for each in done)
    assert soon(begun.exists)
    assert len(begun.read_text().split()) == 1
    ended(begun)
