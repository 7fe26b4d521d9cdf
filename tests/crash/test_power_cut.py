"""The power fails while gitmem writes as fast as it can.

    OCM_TEST_ROUNDS=20 pytest -m slow tests/crash/test_power_cut.py -n0 -s

On an ext4 of its own, of which every write that was not durable by then is dropped: the
file system is told to shut down without flushing its journal, and is mounted again.
What a sync promised is kept; a disk that lies about that is beyond this test. It needs
root, loop devices and mkfs.ext4.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import crash.saving as saver
import pytest
from crash.disks import FailingDisk, failing_disk
from crash.killing import require_soon, require_sound
from crash.scenarios import client_id, memory_of
from crash.warm import Command, Warm
from support.clones import make_clones, remote_in
from support.harness import git, make_repository
from support.rounds import chance, rounds
from support.transcripts import claude_code_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("mkfs.ext4"),
        reason="only root mounts an ext4 of its own",
    ),
]
_LONGEST = 3.0
"""Seconds until the power fails, at most; ext4 syncs by itself after five."""
_MANY = 400


@pytest.fixture(params=range(rounds(20)))
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FailingDisk]:
    del request
    with failing_disk(tmp_path / "machine") as made:
        yield made


def test_checkpoints(disk: FailingDisk, processes: Warm) -> None:
    folder = make_repository(disk.folder / "repository")
    command = Command(folder, ("0", "100000"), entry="crash.saving:main")
    numbers = cut(disk, processes, command)
    require_whole(folder, processes)
    said = {saver.said(number) for number in numbers}
    assert said <= set(decisions(folder))


def test_an_import(disk: FailingDisk, processes: Warm, tmp_path: Path) -> None:
    folder = make_repository(disk.folder / "repository")
    places = [tmp_path / f"{number}" for number in range(_MANY)]
    for number, place in enumerate(places):
        for each in range(30 if number % 2 else 3):
            name = client_id(1000 * number + each)
            prompt = f"Prompt {each} of {number}."
            claude_code_file(place, name, prompt, cwd=folder)
    lines = [["import", "claude-code", str(place)] for place in places]
    numbers = cut(disk, processes, commands(folder, lines))
    require_whole(folder, processes)
    imported = {session.client_session_id for session in memory_of(folder).newest()}
    for number in numbers:
        assert {file.stem for file in places[number].iterdir()} <= imported
    last = places[max(numbers, default=0)]
    require_soon(processes.ocm(folder, "import", "claude-code", str(last)))


def test_a_sync(disk: FailingDisk, processes: Warm, tmp_path: Path) -> None:
    """The remote is another machine, which goes on."""
    made, other = make_clones(tmp_path / "clones", 2)
    folder = Path(shutil.copytree(made.folder, disk.folder / "repository"))
    for number in range(5):
        require_soon(processes.ocm(other.folder, "checkpoint", "--goal", f"O{number}"))
    require_soon(processes.ocm(other.folder, "sync"))
    lines = [
        line
        for number in range(_MANY)
        for line in (["checkpoint", "--goal", f"Goal {number}."], ["sync"])
    ]
    numbers = cut(disk, processes, commands(folder, lines))
    require_whole(folder, processes)
    saved = {f"Goal {number // 2}." for number in numbers if number % 2 == 0}
    assert saved <= {session.goal for session in memory_of(folder).newest()}
    for clone in (folder, other.folder):
        require_soon(processes.ocm(clone, "sync"))
        assert saved <= {session.goal for session in memory_of(clone).newest()}
    require_sound(remote_in(tmp_path / "clones"))


@pytest.mark.parametrize("options", [(), ("--history",)], ids=["", "history"])
def test_forgetting(
    disk: FailingDisk, processes: Warm, tmp_path: Path, options: tuple[str, ...]
) -> None:
    folder = make_repository(disk.folder / "repository")
    lines = []
    for number in range(_MANY):
        forgotten = tmp_path / f"{number}.json"
        said = {"client_session_id": client_id(number), "goal": f"Forgotten {number}."}
        forgotten.write_text(json.dumps(said))
        lines += [
            ["checkpoint", "--goal", f"Kept {number}."],
            ["checkpoint", "--input", str(forgotten)],
            ["forget", client_id(number), "--yes", *options],
        ]
    numbers = cut(disk, processes, commands(folder, lines))
    require_whole(folder, processes)
    goals = {session.goal for session in memory_of(folder).newest()}
    assert {f"Kept {number // 3}." for number in numbers if number % 3 == 0} <= goals
    gone = {f"Forgotten {number // 3}." for number in numbers if number % 3 == 2}
    assert not gone & goals


def commands(folder: Path, lines: list[list[str]]) -> Command:
    stdin = "".join(f"{json.dumps(line)}\n" for line in lines)
    return Command(folder, (), entry="crash.saving:run_commands", stdin=stdin)


def cut(disk: FailingDisk, processes: Warm, command: Command) -> list[int]:
    """Numbers of what was acknowledged before the power failed."""
    os.sync()
    moment = chance().uniform(0.1, _LONGEST)
    timer = disk.cut_after(moment)
    ended = processes.ran(command, kill_after=moment + 0.3)
    timer.join()
    disk.come_back()
    numbers = [int(line) for line in ended.out.splitlines()]
    print(f"{len(numbers)} acknowledged in {moment:.2f} s")
    return numbers


def require_whole(folder: Path, processes: Warm) -> None:
    """The next commands work, and git finds nothing wrong."""
    require_sound(folder)
    assert git(folder, "status", "--porcelain") == ""
    require_soon(processes.ocm(folder, "list"))
    require_soon(processes.ocm(folder, "search", "goal"))
    require_sound(folder)


def decisions(folder: Path) -> Iterator[str]:
    for session in memory_of(folder).newest():
        yield from session.decisions
