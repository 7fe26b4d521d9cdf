"""The disk is full: at each stage of a command, and again when there is room.

    OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_full_disk.py

The disk is a tmpfs of 24 MB that has the repository, and the folder of the user.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crash.disks import SmallDisk, small_disk
from crash.forking import Ended
from crash.killing import Scenario, require_soon, require_sound
from crash.scenarios import CheckpointScenario, ImportScenario, SearchScenario
from crash.scenarios_hooks import CommittedScenario, NotingScenario
from crash.scenarios_installed import InitScenario, UninstallScenario
from crash.scenarios_shared import ForgetHistoryScenario, SyncScenario
from crash.warm import Command, Warm
from remote.clones import of_the_user
from support.harness import make_repository
from support.rounds import chance, rounds
from support.transcripts import claude_code_file

from gitmem.errors import NoPermission, Unreachable

pytestmark = pytest.mark.endurance

_STAGES = [0, 4, 8, 16, 32, 64, 128, 256]
"""Kilobytes that are left: pages of 4 KB."""
_REFUSED = {
    NoPermission.exit_status,
    Unreachable.exit_status,  # of a remote on the same disk
    1,  # some steps of an installation failed
}
_SCENARIOS = [
    *(
        CheckpointScenario,
        ImportScenario,
        SearchScenario,
        ForgetHistoryScenario,
        SyncScenario,
    ),
    *(InitScenario, UninstallScenario, CommittedScenario),
]


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as made:
        monkeypatch.setenv("OCM_HOME", str(made.folder / "home"))
        yield made


@pytest.mark.parametrize("make", _SCENARIOS)
def test_a_command_says_so_and_breaks_nothing(
    make: Callable[[Path, Warm], Scenario], disk: SmallDisk, processes: Warm
) -> None:
    scenario = make(disk.folder / "repository", processes)
    for kilobytes in _stages():
        command = scenario.prepare()
        disk.fill(1000 * kilobytes)
        before = of_the_user(scenario.folder / ".git")
        ended = processes.ran(command)
        disk.clear()
        require_said(ended)
        require_sound(scenario.folder)
        scenario.check(ended)
        assert of_the_user(scenario.folder / ".git") == before


def test_only_hook_events_may_be_lost(disk: SmallDisk, processes: Warm) -> None:
    scenario = NotingScenario(disk.folder / "repository", processes)
    scenario.check(require_soon(processes.ran(scenario.prepare())))
    command = scenario.prepare()
    disk.fill(0)
    require_soon(processes.ran(command))
    disk.clear()
    scenario.check(require_soon(processes.ran(scenario.prepare())))


def test_an_import_says_how_much_is_in(disk: SmallDisk, processes: Warm) -> None:
    folder = make_repository(disk.folder / "repository")
    for number in range(150):
        name = f"00000000-0000-4000-8000-{number:012}"
        prompt = f"Prompt {number}. {os.urandom(6000).hex()}"
        claude_code_file(folder.parent / "kept", name, prompt, cwd=folder)
    disk.fill(1_500_000)
    arguments = ("import", "claude-code", str(folder.parent / "kept"))
    ended = processes.ran(Command(folder, arguments))
    assert ended.status == NoPermission.exit_status
    assert "No space left" in ended.err
    assert "100 sessions are in; the same command goes on from here." in ended.err
    disk.clear()
    again = processes.ran(Command(folder, arguments))
    assert again.status == 0, again
    assert "150 sessions, 50 new, 100 in already" in again.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root mounts without a namespace")
def test_the_same_in_a_namespace_where_we_are_root(tmp_path: Path) -> None:
    unshare = ["unshare", "--map-root-user", "--mount"]
    able = shutil.which("unshare") and subprocess.run([*unshare, "true"], check=False)
    if not able or able.returncode != 0:
        pytest.skip("neither root nor a namespace of our own")
    pytest_here = [sys.executable, "-m", "pytest", "-m", "endurance", "-n0", __file__]
    place = f"--basetemp={tmp_path / 'root'}"  # that of the other root is not ours
    subprocess.run([*unshare, *pytest_here, place], check=True)


def require_said(ended: Ended) -> None:
    """It succeeded, or its error says what is wrong."""
    if ended.status != 0:
        assert ended.status in _REFUSED, ended
        said = ended.out + ended.err
        assert "No space left" in said or "no room left" in said or "safe" in said


def _stages() -> list[int]:
    """Some of them, and for the long form all and many between them."""
    moments, often = chance(), rounds(3)
    between = [moments.randrange(300) for _ in range(often - len(_STAGES))]
    return moments.sample(_STAGES, min(often, len(_STAGES))) + between
