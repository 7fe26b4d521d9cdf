"""Measures memories: what recalling and remembering take.

    python tests/bench/memories_bench.py [--size 10000]

A repository has as many memories as sessions. Remembering is measured in turn with a
checkpoint, both as the tools of the server do them, and recalling with a search for
sessions.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import histories
from bench.measures import in_turn, median_and_tenth, table
from bench.store_bench import ROUNDS
from support.harness import git, make_repository
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.find import search
from gitmem.actions.remembering.recall import RecallQuery, recall
from gitmem.actions.remembering.remember import remember_in_conversation
from gitmem.actions.remembering.session_statements import recall_all
from gitmem.actions.saving.conversation import Caller
from gitmem.indexing import build_index
from gitmem.resources import collect_rarely


def main() -> None:
    collect_rarely()  # as every command and server of ours
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        speed(make_repository(Path(scratch, "speed")), size)


def speed(folder: Path, size: int) -> None:
    workspace = workspace_at(folder)
    memories = [*histories.memories(size)]
    histories.extend(folder, histories.sessions(0, size))
    histories.extend_with_memories(folder, memories)
    git(folder, "gc", "--quiet")
    build_index(workspace)
    texts = (each.text for each in random.Random(5).choices(memories, k=400))

    def searched() -> None:
        search(workspace, _question(next(texts)))

    def recalled() -> None:
        recall(workspace, RecallQuery(_question(next(texts))))

    caller = Caller("claude-code", own_conversation="bench")

    def with_sessions() -> None:
        recall_all(workspace, RecallQuery(_question(next(texts))), caller)

    def remembered() -> None:
        at = time.perf_counter_ns()
        said = {"text": f"Case {at} was about {_question(next(texts))}."}
        remember_in_conversation(workspace, said, caller)

    def checkpoint() -> None:
        at = time.perf_counter_ns()
        saved_session(workspace, caller, work_summary=[f"Looked into {at}"])

    reading = {
        "search": searched,
        "recall memories": recalled,
        "with sessions": with_sessions,
    }
    writing = {"remember": remembered, "checkpoint": checkpoint}
    for works in (reading, writing, reading):
        in_turn(works, 1)  # to be warm
    taken = {**in_turn(reading, ROUNDS), **in_turn(writing, ROUNDS)}
    rows = [
        [name, *(f"{figure:.1f}" for figure in median_and_tenth(times))]
        for name, times in taken.items()
    ]
    table(f"{size:,} memories and sessions", ["", "median ms", "p90"], rows)


def _question(text: str) -> str:
    return " ".join(text.split()[:8])


if __name__ == "__main__":
    main()
