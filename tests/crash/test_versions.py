"""Two versions of gitmem beside each other, as after an upgrade under open servers.

OCM_TEST_ROUNDS=100 pytest -m endurance tests/crash/test_versions.py -s
"""

import json
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from crash.saving import goal_of, said
from crash.warm import HOOK, Command, Warm, warm
from support.harness import git
from support.rounds import rounds
from support.workspaces import workspace_at

pytestmark = pytest.mark.endurance

EARLIER = "c38281cf"
"""A commit that wrote the format of today."""
TESTS = Path(__file__).parents[1]
AT_ONCE = 6
FAR = 100_000
"""Numbers of checkpoints of one version, beyond those of the other."""


@pytest.fixture
def now() -> Iterator[Warm]:
    with warm() as started:
        yield started


@pytest.fixture
def earlier(tmp_path: Path) -> Iterator[Warm]:
    with as_of(EARLIER, tmp_path / "earlier") as started:
        yield started


def test_both_work_at_once(repository: Path, now: Warm, earlier: Warm) -> None:
    numbers: dict[Warm, list[int]] = {now: [], earlier: []}
    failures: list[BaseException] = []

    def work(warm: Warm, first: int) -> None:
        try:
            for number in range(rounds(5)):
                start = first + AT_ONCE * number
                numbers[warm] += saved(warm, repository, start)
                hear_edit(warm, repository, f"conversation-of-{start}")
                found = answer(warm, repository, "search", goal_of(start))
                assert goal_of(start) in {hit["goal"] for hit in found}
        except BaseException as error:  # noqa: BLE001 - raised again
            failures.append(error)

    threads = [Thread(target=work, args=pair) for pair in ((now, 0), (earlier, FAR))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    by_now, by_earlier = (listed(each, repository) for each in (now, earlier))
    assert by_now == by_earlier
    memory = workspace_at(repository).current_sessions()
    text = "".join(filter(None, map(memory.readable_text, memory.ids())))
    lost = {n for each in numbers.values() for n in each if said(n) not in text}
    assert not lost
    assert all(len(each) == AT_ONCE * rounds(5) for each in numbers.values())
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""
    assert git(repository, "status", "--porcelain") == ""
    print(f"\n{sum(map(len, numbers.values()))} checkpoints by two versions")


@contextmanager
def as_of(commit: str, place: Path) -> Iterator[Warm]:
    """Its commands, hooks and writers; skips where there is no history."""
    listing = ["git", "-C", str(TESTS.parent), "archive", commit]
    archive = subprocess.run(
        [*listing, "gitmem", "hooks", "rules"], check=False, capture_output=True
    )
    if archive.returncode:
        pytest.skip(f"{commit} is not here: no repository, or a shallow clone")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4
        files.extractall(place)
    path = os.pathsep.join([str(TESTS), str(place)])
    with warm(PYTHONPATH=path) as started:
        yield started


def saved(warm: Warm, folder: Path, first: int, count: int = AT_ONCE) -> list[int]:
    """The numbers of what was acknowledged."""
    command = Command(folder, (str(first), str(count)), entry="crash.saving:main")
    return [int(line) for line in warm.succeeded(command).out.split()]


def hear_edit(warm: Warm, folder: Path, session: str) -> None:
    """What Claude Code says of an edit, given to its hook."""
    event = {
        "session_id": session,
        "cwd": str(folder),
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(folder / "file.txt")},
    }
    command = Command(folder, ("claude-code",), entry=HOOK, stdin=json.dumps(event))
    assert warm.succeeded(command).err == ""


def answer(warm: Warm, folder: Path, *command: str) -> Any:
    return json.loads(warm.succeeded(Command(folder, (*command, "--json"))).out)


def listed(warm: Warm, folder: Path) -> dict[str, str]:
    """The goals of all sessions."""
    sessions = answer(warm, folder, "list", "--limit", "1000")
    return {each["session_id"]: each["goal"] for each in sessions}
