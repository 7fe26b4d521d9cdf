"""Measures saving: what a checkpoint costs, and real sessions saved and found again.

    python tests/bench/store_bench.py [DATA_FOLDER] [--sizes 100 1000 10000]

Without a data folder (`bench.data` says what it holds) the second part is left out.
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
from support.workspaces import workspace_at

from gitmem.actions.reading.find import search
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import FORMAT, render
from gitmem.documents.session.session import GoalSource, Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Signature
from gitmem.redaction.redact import Redacted, redact, seal
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.session_tree import REF

ROUNDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        for size in arguments.sizes:
            checkpoints(make_repository(Path(scratch, str(size))), size)
        if arguments.folder:
            real_sessions(make_repository(Path(scratch, "real")), arguments.folder)


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


def real_sessions(folder: Path, source: Path) -> None:
    """Save the real sessions as checkpoints, and search by commit subjects."""
    workspace = workspace_at(folder)
    names = {}
    begin = time.perf_counter()
    corpus = data.commits(source)
    for session in (kept.session for kept in corpus.kept):
        receipt = workspace.store.append(saved(session))
        workspace.store.replay()
        stored = workspace.store.session_of(receipt)
        assert stored is not None
        names[stored.id] = session.id
    saving = time.perf_counter() - begin
    print(f"{len(names)} real sessions saved in {saving:.1f} s")
    asked = corpus.asked
    begin = time.perf_counter()
    search(workspace, asked[0].text)
    print(f"first search, index built: {(time.perf_counter() - begin) * 1000:.0f} ms")
    begin = time.perf_counter()
    shares = []
    for each in asked:
        ids = [names[hit.hit.id] for hit in search(workspace, each.text).found]
        found = [len(each.gold & set(ids[:most])) / len(each.gold) for most in (1, 5)]
        shares.append(found)
    taken = (time.perf_counter() - begin) / len(asked) * 1000
    first, fifth = (
        100 * statistics.mean(column) for column in zip(*shares, strict=True)
    )
    print(f"{len(asked)} searches, {taken:.1f} ms each with opening and copies")
    print(f"R@1 {first:.1f}, R@5 {fifth:.1f}")


def saved(session: Session) -> Record:
    return Record(
        tool=session.tool,
        project=session.project,
        client_session_id=session.id,
        session_id=None,
        checkpoint=Checkpoint(
            at=session.started_at,
            goal=session.goal,
            goal_source=GoalSource.DERIVED,
            prompts=session.prompts,
            files=session.files,
        ),
    )


if __name__ == "__main__":
    main()
