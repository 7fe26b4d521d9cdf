"""Two versions of gitmem beside each other, as after an upgrade under open servers.

OCM_TEST_ROUNDS=100 pytest -m endurance tests/crash/test_versions.py -s
"""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from crash.saving import goal_of, said
from crash.versions import as_of
from crash.warm import HOOK, Command, Warm, warm
from support.harness import CLIENT, git, record
from support.rounds import rounds
from support.workspaces import workspace_at

from gitmem.documents.session.record import to_json
from gitmem.git.values import Signature
from gitmem.redaction.redact import redact
from gitmem.store.trees.committing import Move, commit_on
from gitmem.store.trees.session_tree import REF

pytestmark = pytest.mark.endurance

EARLIER = "3babf72"
OF_ANOTHER_INDEX = "8e6e8fb"
"""It indexes something else of sessions than is indexed now."""
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


def test_both_find_all_by_their_index(
    repository: Path, now: Warm, tmp_path: Path
) -> None:
    """Each builds the index anew after the other, and only when it searches."""
    saved(now, repository, 0, count=30)
    with as_of(OF_ANOTHER_INDEX, tmp_path / "another") as another:
        took: dict[Warm, list[float]] = {now: [], another: []}
        for _ in range(4):
            for warm, times in took.items():
                found, seconds = timed(warm, repository, "search", goal_of(20))
                assert found[0]["goal"] == goal_of(20)
                times.append(seconds)
    for times in took.values():
        print([f"{1000 * each:.0f} ms" for each in times])


def test_older_version_refuses_a_newer_format(repository: Path, earlier: Warm) -> None:
    saved(earlier, repository, 0)
    write_newer_format(repository)
    tip = git(repository, "rev-parse", REF)
    for command in (("list",), ("checkpoint", "--goal", "x"), ("search", "goal")):
        ended = earlier.ocm(repository, *command)
        assert ended.status != 0
        assert "pgrade" in ended.err
    assert git(repository, "rev-parse", REF) == tip


def test_newer_record_waits(repository: Path, now: Warm, earlier: Warm) -> None:
    store = workspace_at(repository).store
    line = json.loads(to_json(record(goal="From the future")))
    store.journal.append(CLIENT, redact(json.dumps({**line, "v": 99})))
    assert listed(earlier, repository) == listed(now, repository) == {}
    saved(earlier, repository, 0, count=1)
    saved(now, repository, FAR, count=1)
    assert len(listed(now, repository)) == 2
    assert list(store.journal.unreplayed()) == [CLIENT]


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
    return timed(warm, folder, *command)[0]


def timed(warm: Warm, folder: Path, *command: str) -> tuple[Any, float]:
    ended = warm.succeeded(Command(folder, (*command, "--json")))
    return json.loads(ended.out), ended.seconds


def listed(warm: Warm, folder: Path) -> dict[str, str]:
    """The goals of all sessions."""
    sessions = answer(warm, folder, "list", "--limit", "1000")
    return {each["session_id"]: each["goal"] for each in sessions}


def write_newer_format(folder: Path) -> None:
    workspace = workspace_at(folder)
    git_, memory = workspace.repository, workspace.store.memory()
    by = Signature("Ada", "ada@example.com", workspace.now())
    commit = commit_on(git_, memory, {"format": redact("2\n")}, redact("new\n"), by)
    assert Move(REF, memory.commit, commit, "new").is_made(git_)
