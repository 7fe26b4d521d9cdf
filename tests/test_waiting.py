"""Who waits for another process says so, and for whom, once that takes seconds."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import Timeout
from support.rounds import few

from gitmem import waiting
from gitmem.errors import Busy, Unavailable
from gitmem.git import command
from gitmem.git.plumbing.refs import RefLockedError, once_unlocked
from gitmem.store.lock import locked
from gitmem.store.remote.watched_git import run

HOLDING = """
import sys, time
from filelock import FileLock
with FileLock(sys.argv[-1]):
    print("held", flush=True)
    time.sleep(60)
"""
NAMED = pytest.mark.skipif(
    not Path("/proc/locks").exists(), reason="the system does not tell who holds a lock"
)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was said, by waits that are told of at once and again and again."""
    said: list[str] = []
    monkeypatch.setattr(waiting, "_listeners", [said.append])
    monkeypatch.setattr(waiting, "_QUIET", 0.02)
    monkeypatch.setattr(waiting, "_AGAIN", 0.04)
    return said


@contextmanager
def holder(lock: Path, *arguments: str) -> Iterator[int]:
    """A process that holds a lock, called with these arguments."""
    holding = [sys.executable, "-c", HOLDING, *arguments, str(lock)]
    with subprocess.Popen(holding, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        try:
            yield process.pid
        finally:
            process.kill()


@NAMED
def test_it_names_the_lock_holder(tmp_path: Path, told: list[str]) -> None:
    lock = tmp_path / "lock"
    with holder(lock, "/usr/bin/ocm", "forget", "secret") as pid:
        whom = f"`ocm forget` (process {pid})"
        with pytest.raises(Timeout), waiting.hold_lock(lock, 0.2):
            pass
        with (
            pytest.raises(Busy, match=f"is locked by {re.escape(whom)}"),
            locked(lock, 0),
        ):
            pass
    assert set(told) == {f"Waiting for {whom}."}
    assert len(told) > 1


@NAMED
@few(
    2,
    ("arguments", "name"),
    [
        (["-m", "gitmem.hook", "index"], "`ocm-hook index`"),
        (["ocm", "--version"], "`ocm`"),
        (["vim"], "another program"),
    ],
)
def test_whoever_it_is(tmp_path: Path, arguments: list[str], name: str) -> None:
    with holder(tmp_path / "lock", *arguments) as pid:
        assert waiting.holder_of(tmp_path / "lock") == f"{name} (process {pid})"


def test_free_lock_is_not_waited_for(tmp_path: Path, told: list[str]) -> None:
    lock = tmp_path / "lock"
    for patience in (0, 5):
        with waiting.hold_lock(lock, patience):
            assert lock.exists()
    assert waiting.holder_of(lock) == "another process"
    assert told == []


def test_where_nobody_listens_it_waits_all_the_same(tmp_path: Path) -> None:
    began = time.monotonic()
    with (
        holder(tmp_path / "lock"),
        pytest.raises(Timeout),
        waiting.hold_lock(tmp_path / "lock", 0.1),
    ):
        pass
    assert time.monotonic() - began < 5


@pytest.fixture
def slow_git(tmp_path: Path) -> dict[str, str]:
    """An environment in which git takes a while, and says nothing."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nsleep 0.2\n")
    program.chmod(0o755)
    return {"PATH": f"{program.parent}:{os.environ['PATH']}"}


def test_git_is_waited_for(
    tmp_path: Path,
    slow_git: dict[str, str],
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "_PULSE", 0.02)
    with command.output_in(tmp_path, ["log"], slow_git, b"given", 5.0) as output:
        assert output.read() == b""
    assert set(told) == {"Waiting for git."}
    with (
        pytest.raises(Unavailable, match="longer than 0 seconds"),
        command.output_in(tmp_path, ["log"], slow_git, patience=0.05),
    ):
        pass


def test_a_remote_is_waited_for(
    tmp_path: Path, slow_git: dict[str, str], told: list[str]
) -> None:
    assert run(["fetch"], tmp_path, slow_git, patience=5.0).status == 0
    assert set(told) == {"Waiting for the remote, which git talks to."}


def test_locked_ref_is_waited_for(tmp_path: Path, told: list[str]) -> None:
    tries = iter(range(10))

    def attempt() -> bool:
        if next(tries) < 5:
            raise RefLockedError
        return True

    assert once_unlocked("refs/ocm/sessions", tmp_path / "lock", attempt)
    whom = "another program that keeps refs/ocm/sessions locked"
    assert set(told) == {f"Waiting for {whom}."}
