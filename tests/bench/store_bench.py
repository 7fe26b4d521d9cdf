"""Measures saving: what a checkpoint costs.

    python tests/bench/store_bench.py [--sizes 100 1000 10000]

Floors are taken in the same run, in turn with what they are compared to: an append to a
file that is synced to disk, and a commit that git itself makes.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import histories
from bench.measures import in_turn, median_and_tenth
from support.harness import git, make_repository, record

from gitmem.git.libgit2.repository import open_repository
from gitmem.store.session_store import SessionStore

ROUNDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        for size in arguments.sizes:
            checkpoints(make_repository(Path(scratch, str(size))), size)


def checkpoints(folder: Path, size: int) -> None:
    """A checkpoint into a memory of `size` sessions, beside its floors."""
    histories.extend(folder, histories.sessions(0, size))
    git(folder, "gc", "--quiet")
    store = SessionStore(open_repository(folder))
    beside = (folder / "beside").open("ab")

    def append() -> None:
        beside.write(b"x" * 1000)
        beside.flush()
        os.fsync(beside.fileno())

    def commit() -> None:
        git(folder, "commit", "--quiet", "--allow-empty", "-mx")

    def checkpoint() -> None:
        at = time.perf_counter_ns()
        store.append(record("bench", work_summary=(f"Looked into case {at}",)))
        store.replay()

    works = {"append": append, "commit": commit, "checkpoint": checkpoint}
    times = in_turn(works, ROUNDS)
    (floor, _), (by_git, _), (ours, tenth) = map(median_and_tenth, times.values())
    print(
        f"{size:>6} sessions: checkpoint {ours:.1f} ms (p90 {tenth:.1f}),"
        f" synced append {floor:.1f}, git commit {by_git:.1f};"
        f" {ours / by_git:.2f} of git commit"
    )


if __name__ == "__main__":
    main()
