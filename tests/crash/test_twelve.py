"""Twelve processes at one repository, as fast as they can: none waits in silence.

OCM_TEST_ROUNDS=20 pytest -m endurance tests/crash/test_twelve.py -s
"""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import pytest
from crash.forking import Ended
from crash.test_concurrent_writers import require_whole
from crash.warm import Warm, warm
from support.clones import Clone, make_clones
from support.harness import NOON, git, record
from support.rounds import rounds

from gitmem.store.session_store import prepared

pytestmark = pytest.mark.endurance

SESSIONS = 200
LONGEST = 30.0
"""Seconds that nobody waits without a word."""
RARE = "xylotomous"
"""A word of those sessions that are forgotten."""
Commands = list[Callable[[int], tuple[str, ...]]]
"""What each of the twelve runs, by the number of times that all did."""
DONE, PROBLEMS, BUSY = 0, 1, 11
"""Exit statuses; of `ocm doctor`, which looks while others write, the second one."""


def test_nobody_waits_for_long_without_saying_for_whom(tmp_path: Path) -> None:
    (clone,) = make_clones(tmp_path, 1)
    often = rounds(4)
    doomed = imported(clone, 3 * often)
    commands: Commands = [
        *[lambda n: ("forget", "--yes", doomed[n])] * 3,
        *[lambda n: ("checkpoint", "--goal", f"walrus {n}")] * 3,
        *[lambda _: ("sync",)] * 2,
        *[lambda _: ("search", "walrus"), lambda _: ("search", RARE)],
        *[lambda _: ("list",), lambda _: ("doctor",)],
    ]
    ended: dict[str, list[Ended]] = defaultdict(list)

    def run(process: Warm, number: int) -> None:
        for each in range(often):
            arguments = commands[number](often * number + each)
            ended[arguments[0]].append(process.ocm(clone.folder, *arguments))

    with ExitStack() as stack, ThreadPoolExecutor(len(commands)) as pool:
        processes = [stack.enter_context(warm()) for _ in commands]
        done = [pool.submit(run, each, n) for n, each in enumerate(processes)]
    for each in done:
        each.result()
    tell(ended)
    for name, all_of_it in ended.items():
        for one in all_of_it:
            allowed = {DONE, BUSY} | ({PROBLEMS} if name == "doctor" else set())
            assert one.status in allowed, (name, one)
            assert one.seconds < LONGEST or "Waiting for " in one.err, (name, one)
    require_forgotten(clone, doomed)
    require_whole(clone.folder)


def imported(clone: Clone, doomed: int) -> list[str]:
    """Sessions that are there before; gives the ids of those to be forgotten."""
    goals = [f"{RARE} {n}" if n < doomed else f"walrus {n}" for n in range(SESSIONS)]
    made = [record(f"client-{n}", goal=goal) for n, goal in enumerate(goals)]
    store = clone.workspace().store
    told = store.import_conversations([prepared(each, NOON, []) for each in made])
    return [each.id for each in told[:doomed] if each.id]


def tell(ended: dict[str, list[Ended]]) -> None:
    for name, all_of_it in ended.items():
        took = [one.seconds for one in all_of_it]
        busy = sum(one.status == BUSY for one in all_of_it)
        waits = sum("Waiting for " in one.err for one in all_of_it)
        print(
            f"\n{len(took)} of {name}: median {median(took):.1f} s,"
            f" longest {max(took):.1f} s; {waits} said for whom they wait,"
            f" {busy} gave up",
            end="",
        )


def require_forgotten(clone: Clone, doomed: list[str]) -> None:
    """The next command takes away what those that were busy left."""
    workspace = clone.workspace()
    memory = workspace.current_sessions()
    left = [each for each in doomed if memory.text(each)]
    assert len(left) < len(doomed) / 2
    forgotten = [each.encode() for each in {*doomed} - {*left}]
    for path in (clone.git_dir / "ocm-index").rglob("*"):
        held = path.read_bytes()
        assert not any(each in held for each in forgotten), path
    assert git(clone.folder, "fsck", "--no-dangling") == ""
