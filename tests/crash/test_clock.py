"""The clock jumps: back, before 1970, far ahead, and as it was again.

Commands run with a clock that a library put before them (`clock.c`) shows to gitmem,
libgit2 and git alike. The times of files stay those of the system.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crash.killing import require_soon, require_sound
from crash.scenarios import memory_of
from crash.warm import Command, Warm, warm
from support.clones import make_clones
from support.harness import git

pytestmark = [
    pytest.mark.endurance,
    pytest.mark.skipif(
        not shutil.which("cc") or os.uname().sysname != "Linux",
        reason="no C compiler to make a wrong clock with",
    ),
]
HOUR = 3600
YEAR = 365 * 24 * HOUR
JUMPS = [0, -HOUR, -2 * HOUR, HOUR, -YEAR, -60 * YEAR, 40 * YEAR, -30 * YEAR, 0]
"""By how many seconds it is wrong, one checkpoint after the other."""


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    library = tmp_path / "clock.so"
    source = Path(__file__).with_name("clock.c")
    command = ["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return library


@pytest.fixture
def processes(clock: Path) -> Iterator[Warm]:
    with warm(LD_PRELOAD=str(clock)) as started:
        yield started


@pytest.fixture
def at(clock: Path, processes: Warm) -> "At":
    return At(clock, processes)


class At:
    """Commands at a time that is wrong by so many seconds."""

    def __init__(self, clock: Path, processes: Warm) -> None:
        self._clock, self._processes = clock, processes

    def __call__(self, seconds: int, folder: Path, *arguments: str) -> str:
        variables = {"LD_PRELOAD": str(self._clock), "OCM_TEST_CLOCK": str(seconds)}
        command = Command(folder, arguments, variables=variables)
        return require_soon(self._processes.ran(command)).out


def test_the_clock_is_wrong_indeed(at: At, repository: Path) -> None:
    at(-YEAR, repository, "checkpoint", "--goal", "A goal.")
    (session,) = memory_of(repository).newest()
    assert abs(session.started_at.timestamp() - time.time() + YEAR) < 100


def test_no_checkpoint_is_lost(at: At, repository: Path) -> None:
    first = saved(at(0, repository, "checkpoint", "--goal", "First.", "--json"))
    for number, seconds in enumerate(JUMPS):
        at(seconds, repository, "checkpoint", "--goal", f"Goal {number}.")
        said = ("--session", first, "--decision", f"Decision {number}.")
        at(seconds, repository, "checkpoint", *said)
        at(seconds, repository, "search", "decision")
        require_sound(repository)
        require_order(repository)
    sessions = {
        session.session_id: session for session in memory_of(repository).newest()
    }
    numbers = range(len(JUMPS))
    assert sessions.pop(first).decisions == tuple(f"Decision {n}." for n in numbers)
    assert {s.goal for s in sessions.values()} == {f"Goal {n}." for n in numbers}


def test_clones_of_other_times_exchange_all(at: At, tmp_path: Path) -> None:
    clones = [each.folder for each in make_clones(tmp_path / "clones", 3)]
    for number, seconds in enumerate(JUMPS):
        clone = clones[number % 3]
        at(seconds, clone, "checkpoint", "--goal", f"Goal {number}.")
        at(seconds, clone, "sync")
    for clone in clones * 2:
        at(0, clone, "sync")
    for clone in clones:
        require_sound(clone)
        require_order(clone)
        goals = {session.goal for session in memory_of(clone).newest()}
        assert goals == {f"Goal {number}." for number in range(9)}


def saved(told: str) -> str:
    return str(json.loads(told)["session_id"])


def require_order(folder: Path) -> None:
    """No commit of ours is older than its parents, and git can show them all."""
    times = {}
    shown = git(
        folder,
        "log",
        "--reverse",
        "--topo-order",
        "--format=%H %ct %P",
        "refs/ocm/sessions",
    )
    for line in shown.splitlines():
        commit, at, *parents = line.split()
        times[commit] = int(at)
        assert all(times[commit] >= times[parent] for parent in parents)
