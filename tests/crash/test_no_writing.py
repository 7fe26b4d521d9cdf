"""The disk is full, or what is ours may not be written: all, a part, or from then on.

    OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_no_writing.py

Full is a tmpfs of 24 MB that has the repository, and the folder of the user.
"""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from crash.disks import SmallDisk, mounted_read_only, small_disk
from crash.killing import Scenario, require_soon, require_sound
from crash.scenarios import (
    CheckpointScenario,
    ImportScenario,
    SavingScenario,
    SearchScenario,
)
from crash.scenarios_hooks import CommittedScenario, NotingScenario
from crash.scenarios_installed import InitScenario, UninstallScenario
from crash.scenarios_shared import ForgetHistoryScenario, ForgetScenario, SyncScenario
from crash.warm import Command, Warm
from remote.clones import of_the_user
from support.harness import make_repository, read_only
from support.rounds import chance, rounds
from support.transcripts import claude_code_file

from gitmem.errors import NoPermission, Unreachable

pytestmark = pytest.mark.endurance

T = TypeVar("T")
Make = Callable[[Path, Warm], Scenario]
_SAVING = (CheckpointScenario, ImportScenario, SyncScenario, CommittedScenario)
_INSTALLING = (InitScenario, UninstallScenario)
_KILOBYTES = (0, 4, 8, 16, 32, 64, 128, 256)
"""That are left on the disk: pages of 4 KB."""
_OF_GIT = ("ocm", "ocm/journal", "refs", "objects", "ocm-index", "logs", "")
"""Of the common dir; the last is all of it."""
_OF_THE_USER = (".git/hooks", ".git/info", ".git", ".claude", ".")
_REFUSED = (0, 1, NoPermission.exit_status, Unreachable.exit_status)
"""Exit statuses; 1 where some steps of an installation failed."""
_SAYS = (
    *("No space left", "no room left", "safe", "Permission denied", "Read-only"),
    *("annot write", "annot be written"),
)
_LONGEST = 0.3
"""Seconds in which some of thirty checkpoints are saved."""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as made:
        monkeypatch.setenv("OCM_HOME", str(made.folder / "home"))
        yield made


@pytest.mark.parametrize(
    "make", [*_SAVING, SearchScenario, ForgetHistoryScenario, *_INSTALLING]
)
def test_full_disk(make: Make, disk: SmallDisk, processes: Warm) -> None:
    scenario = make(disk.folder / "repository", processes)
    for kilobytes in some_of(_KILOBYTES):
        require_said(scenario, processes, partial(disk.filled, 1000 * kilobytes))


@pytest.mark.parametrize("make", [*_SAVING, ForgetScenario])
def test_one_folder_that_may_not_be_written(
    make: Make, tmp_path: Path, processes: Warm
) -> None:
    scenario = make(tmp_path / "scenario", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    for part in some_of(_OF_GIT):
        (scenario.folder / ".git" / part).mkdir(exist_ok=True)
        closed = partial(read_only, scenario.folder / ".git" / part)
        require_said(scenario, processes, closed)


@pytest.mark.parametrize("make", _INSTALLING)
def test_a_folder_of_the_user_that_may_not_be_written(
    make: Make, tmp_path: Path, processes: Warm
) -> None:
    scenario = make(tmp_path / "scenario", processes)
    for part in _OF_THE_USER:
        require_said(scenario, processes, partial(read_only, scenario.folder / part))


def test_only_hook_events_may_be_lost(disk: SmallDisk, processes: Warm) -> None:
    scenario = NotingScenario(disk.folder / "repository", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    command = scenario.prepare()
    with disk.filled(0):
        require_soon(processes.ran(command))
    scenario.check(require_soon(processes.ran(scenario.prepare())))


def test_an_import_says_how_much_is_in(disk: SmallDisk, processes: Warm) -> None:
    folder = make_repository(disk.folder / "repository")
    for number in range(150):
        name = f"00000000-0000-4000-8000-{number:012}"
        prompt = f"Prompt {number}. {os.urandom(6000).hex()}"
        claude_code_file(folder.parent / "kept", name, prompt, cwd=folder)
    arguments = ("import", "claude-code", str(folder.parent / "kept"))
    with disk.filled(1_500_000):
        ended = processes.ran(Command(folder, arguments))
    assert ended.status == NoPermission.exit_status
    assert "No space left" in ended.err
    assert "100 sessions are in; the same command goes on from here." in ended.err
    again = processes.ran(Command(folder, arguments))
    assert again.status == 0, again
    assert "150 sessions, 50 new, 100 in already" in again.out


def test_a_mount_that_is_read_only(tmp_path: Path, processes: Warm) -> None:
    scenario = CheckpointScenario(tmp_path / "scenario", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    command = scenario.prepare()
    with mounted_read_only(scenario.folder):
        ended = processes.ran(command)
        for reading in (("list", "--json"), ("search", "decision", "--json")):
            told = require_soon(processes.ocm(scenario.folder, *reading))
            assert '"session_id"' in told.out
    assert ended.status == NoPermission.exit_status
    assert "Read-only file system" in ended.err
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


@pytest.mark.skipif(os.geteuid() == 0, reason="root mounts without a namespace")
def test_the_same_in_a_namespace_where_we_are_root(tmp_path: Path) -> None:
    unshare = ["unshare", "--map-root-user", "--mount"]
    able = shutil.which("unshare") and subprocess.run([*unshare, "true"], check=False)
    if not able or able.returncode != 0:
        pytest.skip("neither root nor a namespace of our own")
    pytest_here = [sys.executable, "-m", "pytest", "-m", "endurance", "-n0", __file__]
    place = f"--basetemp={tmp_path / 'root'}"  # that of the other root is not ours
    subprocess.run([*unshare, *pytest_here, place], check=True)


def require_said(
    scenario: Scenario,
    processes: Warm,
    obstacle: Callable[[], AbstractContextManager[object]],
) -> None:
    """The next command succeeds or says what is wrong; the one after it goes on."""
    command = scenario.prepare()
    before = of_the_user(scenario.folder / ".git")
    with obstacle():
        ended = processes.ran(command)
    assert ended.status in _REFUSED, ended
    if ended.status != 0:
        assert any(words in ended.out + ended.err for words in _SAYS), ended
    require_sound(scenario.folder)
    scenario.check(ended)
    if not isinstance(scenario, InitScenario):
        assert of_the_user(scenario.folder / ".git") == before


def some_of(parts: Sequence[T]) -> list[T]:
    return chance().sample(parts, min(rounds(3), len(parts)))


@contextmanager
def lost_after(seconds: float, git_dir: Path) -> Iterator[None]:
    """From then on nothing new can be in the folders that are there now."""
    folders = [git_dir, *(path for path in git_dir.rglob("*") if path.is_dir())]
    modes = {path: path.stat().st_mode for path in folders}

    def lose() -> None:
        for path, mode in modes.items():
            path.chmod(mode & ~0o222)

    timer = threading.Timer(seconds, lose)
    timer.start()
    try:
        yield
    finally:
        timer.join()
        for path, mode in modes.items():
            path.chmod(mode)
