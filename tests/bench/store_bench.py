"""Measures saving: what a checkpoint costs.

    python tests/bench/store_bench.py [--sizes 100 1000 10000]

Floors are taken in the same run, in turn with what they are compared to: an append to a
file that is synced to disk, and a commit that git itself makes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, made
from support.harness import git, make_repository, record

from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import FORMAT, render
from gitmem.documents.session.session import Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Signature
from gitmem.redaction.redact import Redacted, redact, seal
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.session_tree import REF

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
    repository = open_repository(folder)
    store = SessionStore(repository)
    fill(store, folder, made.sessions(size))
    beside = (folder / "beside").open("ab")

    def append() -> None:
        beside.write(b"x" * 1000)
        beside.flush()
        os.fsync(beside.fileno())

    def commit() -> None:
        run = ["git", "-C", str(folder), "commit", "--quiet", "--allow-empty", "-mx"]
        subprocess.run(run, check=True)

    def checkpoint() -> None:
        at = time.perf_counter_ns()
        store.append(record("bench", work_summary=(f"Looked into case {at}",)))
        store.replay()

    times = in_turn([append, commit, checkpoint])
    floor, by_git, ours = map(statistics.median, times)
    ninth = statistics.quantiles(times[2], n=10)[-1]
    print(
        f"{size:>6} sessions: checkpoint {ours:.1f} ms (p90 {ninth:.1f}),"
        f" synced append {floor:.1f}, git commit {by_git:.1f};"
        f" {ours / by_git:.2f} of git commit"
    )


def fill(store: SessionStore, folder: Path, sessions: Iterable[Session]) -> None:
    """Put many sessions into the memory with one commit."""
    repository = open_repository(folder)
    texts: dict[str, Redacted | None] = {FORMAT_FILE: redact(f"{FORMAT}\n")}
    for number, one in enumerate(sessions):
        name = f"{one.started_at:%Y-%m-%d_%H-%M}_claude-code_case-{number}"
        texts[document_path(name)] = seal(replace(one, id=name), render)
    tree = repository.write_tree(None, texts)
    by = Signature("Bench", "bench@example.com", data.NOW)
    commit = repository.create_commit(tree, [], redact("fill"), by)
    assert repository.update_ref(REF, None, commit, "fill")
    git(folder, "gc", "--quiet")
    assert store.memory().commit == commit


def in_turn(works: list[Callable[[], None]]) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, taken in zip(works, times, strict=True):
            begin = time.perf_counter()
            work()
            taken.append((time.perf_counter() - begin) * 1000)
    return times


if __name__ == "__main__":
    main()
