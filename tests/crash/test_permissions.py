"""What is ours may not be written: all of it, a part of it, or from some moment on.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_permissions.py
"""

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from crash.forking import Ended
from crash.killing import Scenario, require_soon, require_sound
from crash.scenarios import CheckpointScenario, ImportScenario, SavingScenario
from crash.scenarios_hooks import CommittedScenario
from crash.scenarios_installed import InitScenario, UninstallScenario
from crash.scenarios_shared import ForgetScenario, SyncScenario
from crash.warm import Warm
from remote.clones import of_the_user
from support.harness import read_only
from support.rounds import chance, rounds

from gitmem.errors import NoPermission, Unreachable

pytestmark = pytest.mark.endurance

_PARTS = ["ocm", "ocm/journal", "refs", "objects", "ocm-index", "logs", ""]
"""Of the common dir; the last is all of it."""
_SCENARIOS = [
    CheckpointScenario,
    ImportScenario,
    ForgetScenario,
    SyncScenario,
    CommittedScenario,
]
_REFUSED = (0, 1, NoPermission.exit_status, Unreachable.exit_status)
_SAYS = (
    "Permission denied",
    "Read-only",
    "safe in the journal",
    "annot write",
    "annot be written",
)
_LONGEST = 0.3
"""Seconds in which some of thirty checkpoints are saved."""


@pytest.mark.parametrize("make", _SCENARIOS)
def test_one_folder_that_may_not_be_written(
    make: Callable[[Path, Warm], Scenario], tmp_path: Path, processes: Warm
) -> None:
    scenario = make(tmp_path / "scenario", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    for part in chance().sample(_PARTS, min(rounds(3), len(_PARTS))):
        command = scenario.prepare()
        before = of_the_user(scenario.folder / ".git")
        (scenario.folder / ".git" / part).mkdir(exist_ok=True)
        with read_only(scenario.folder / ".git" / part):
            ended = processes.ran(command)
        require_said(ended)
        require_sound(scenario.folder)
        scenario.check(ended)
        assert of_the_user(scenario.folder / ".git") == before


@pytest.mark.parametrize("make", [InitScenario, UninstallScenario])
def test_a_folder_of_the_user_that_may_not_be_written(
    make: Callable[[Path, Warm], Scenario], tmp_path: Path, processes: Warm
) -> None:
    scenario = make(tmp_path / "scenario", processes)
    for part in (".git/hooks", ".git/info", ".git", ".claude", "."):
        command = scenario.prepare()
        with read_only(scenario.folder / part):
            ended = processes.ran(command)
        require_said(ended)
        scenario.check(ended)


def test_a_mount_that_is_read_only(tmp_path: Path, processes: Warm) -> None:
    scenario = CheckpointScenario(tmp_path / "scenario", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    command = scenario.prepare()
    with mounted_read_only(scenario.folder):
        ended = processes.ran(command)
        listed = require_soon(processes.ocm(scenario.folder, "list", "--json"))
        found = require_soon(
            processes.ocm(scenario.folder, "search", "decision", "--json")
        )
    assert ended.status == NoPermission.exit_status
    assert "Read-only file system" in ended.err
    assert '"session_id"' in listed.out
    assert '"session_id"' in found.out
    scenario.check(ended)


def test_permission_that_is_lost_midway(tmp_path: Path, processes: Warm) -> None:
    scenario = SavingScenario(tmp_path / "scenario", processes)
    scenario.check(processes.succeeded(scenario.prepare()))
    moments = chance()
    for _ in range(rounds(3)):
        command = scenario.prepare()
        with lost_after(moments.uniform(0, _LONGEST), scenario.folder / ".git"):
            ended = processes.ran(command)
        require_sound(scenario.folder)
        scenario.check(ended)


@contextmanager
def lost_after(seconds: float, git_dir: Path) -> Iterator[None]:
    """From then on nothing new can be in the folders that are there now."""
    folders = [git_dir, *(path for path in git_dir.rglob("*") if path.is_dir())]
    modes = [path.stat().st_mode for path in folders]

    def lose() -> None:
        for path, mode in zip(folders, modes, strict=True):
            path.chmod(mode & ~0o222)

    timer = threading.Timer(seconds, lose)
    timer.start()
    try:
        yield
    finally:
        timer.join()
        for path, mode in zip(folders, modes, strict=True):
            path.chmod(mode)


@contextmanager
def mounted_read_only(folder: Path) -> Iterator[None]:
    bind = ["mount", "--bind", str(folder), str(folder)]
    done = subprocess.run(bind, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        again = ["mount", "-o", "remount,bind,ro", str(folder)]
        subprocess.run(again, check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def require_said(ended: Ended) -> None:
    """It succeeded, or says what is wrong."""
    assert ended.status in _REFUSED, ended
    if ended.status != 0:
        assert any(words in ended.out + ended.err for words in _SAYS), ended
