"""Measures memories: what recalling and remembering take, and whether updates win.

    python tests/bench/memories_bench.py [--size 10000]

A repository has as many memories as sessions. Remembering is measured in turn with a
checkpoint, both as the tools of the server do them, and recalling with a search for
sessions. In made histories a statement is replaced twice, by its key or by name: then
the newest has to come first among others that are like it, and no older one at all.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, made
from bench.measures import table
from bench.store_bench import in_turn
from support.harness import git, make_repository
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.catch_up import build_index
from gitmem.actions.reading.find import search
from gitmem.actions.remembering.recall import Wanted, recall
from gitmem.actions.remembering.remember import remember, remember_in_conversation
from gitmem.actions.remembering.session_statements import recall_all
from gitmem.actions.remembering.statement import parse_statement
from gitmem.actions.saving.conversation import Caller
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.memory import Category, Memory, ids_of
from gitmem.git.odb.object_backup import release
from gitmem.git.values import Signature
from gitmem.redaction.redact import Redacted, redact, seal
from gitmem.resources import collect_rarely
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.workspace import Workspace

_HISTORIES = 100
_MATTERS = ("port", "owner", "region", "timeout", "version", "limit", "format")
_PARTS = ("billing", "search", "upload", "mail", "login", "export", "audit")


def main() -> None:
    collect_rarely()  # as every command and server of ours
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        speed(make_repository(Path(scratch, "speed")), size)
        updates(make_repository(Path(scratch, "updates")))


def speed(folder: Path, size: int) -> None:
    workspace = workspace_at(folder)
    texts = _fill(workspace, size)
    begin = time.perf_counter()
    build_index(workspace)
    print(f"index: {time.perf_counter() - begin:.0f} s")
    release(workspace.repository.common_dir)  # as an hour later
    asked = iter(random.Random(5).sample(texts, 400))

    def searched() -> None:
        search(workspace, _question(next(asked)))

    def recalled() -> None:
        recall(workspace, Wanted(_question(next(asked))))

    def with_sessions() -> None:
        recall_all(workspace, Wanted(_question(next(asked))))

    caller = Caller("claude-code", own_conversation="bench")

    def remembered() -> None:
        at = time.perf_counter_ns()
        said = {"text": f"Case {at} was about {_question(next(asked))}."}
        remember_in_conversation(workspace, said, caller)

    def checkpoint() -> None:
        at = time.perf_counter_ns()
        saved_session(workspace, caller, work_summary=[f"Looked into {at}"])

    reading = (searched, recalled, with_sessions)
    writing = (remembered, checkpoint)
    for work in (*reading, *writing, recalled):
        work()  # to be warm
    taken = [*in_turn([*reading]), *in_turn([*writing])]
    names = ("search", "recall memories", "with sessions", "remember", "checkpoint")
    rows = [
        [name, f"{median(times):.1f}", f"{quantiles(times, n=10)[-1]:.1f}"]
        for name, times in zip(names, taken, strict=True)
    ]
    table(f"{size:,} memories and sessions", ["", "median ms", "p90"], rows)


def updates(folder: Path) -> None:
    workspace, chance = workspace_at(folder), random.Random(7)
    first = past = 0
    for number in range(_HISTORIES):
        what = f"{chance.choice(_MATTERS)} of {chance.choice(_PARTS)} {number}"
        said = [f"The {what} is value{chance.randrange(10**6)}." for _ in range(3)]
        key = f"key.{number}" if number % 2 else None
        known = None
        for text in said:
            given = {"text": text, "key": key, "replaces": None if key else known}
            statement = parse_statement(given, workspace.now())
            known = remember(workspace, statement, "person:Bench").memory.id
        hits = recall(workspace, Wanted(f"what is the {what}")).found
        found = [each.memory.text for each in hits]
        first += found[:1] == said[-1:]
        past += any(text in found for text in said[:-1])
    print(f"newest first: {first} of {_HISTORIES}; an older one told: {past}")


def _question(text: str) -> str:
    return " ".join(text.split()[:8])


def _fill(workspace: Workspace, size: int) -> list[str]:
    """Put so many sessions and memories into a repository; gives the memories' texts.

    A thousand in a commit: git takes long for a pack with all of them.
    """
    sessions = {
        SESSION.path(each.id): seal(each, SESSION.render)
        for each in made.sessions(size)
    }
    said, memories = [*_statements(size)], dict[str, Redacted]()
    for number, text in enumerate(said):
        at = workspace.now() - timedelta(minutes=number)
        memory = Memory(
            id=next(i for i in ids_of(text, "") if MEMORY.path(i) not in memories),
            text=text,
            kind=[*Category][number % len(Category)],
            author="Ada <ada@example.com>",
            created_at=at,
            updated_at=at,
        )
        memories[MEMORY.path(memory.id)] = seal(memory, MEMORY.render)
    _commit(workspace, SESSION.ref, SESSION.format, sessions)
    _commit(workspace, MEMORY.ref, MEMORY.format, memories)
    git(workspace.root, "gc", "--quiet")
    return said


def _commit(
    workspace: Workspace, ref: str, format_: str, texts: dict[str, Redacted]
) -> None:
    git_, by = workspace.repository, Signature("Bench", "bench@example.com", data.NOW)
    tree = git_.write_tree(None, {FORMAT_FILE: redact(f"{format_}\n")})
    rest = iter(texts.items())
    while some := dict(islice(rest, 1000)):
        tree = git_.write_tree(tree, some)
    commit = git_.create_commit(tree, [], redact("fill"), by)
    assert git_.update_ref(ref, None, commit, "fill")


def _statements(count: int) -> Iterator[str]:
    for number, session in enumerate(made.sessions(count)):
        yield f"{session.decisions[0]} ({number})"


if __name__ == "__main__":
    main()
