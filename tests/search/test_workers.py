"""What other processes make of sessions is what this one would make of them."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from search.builders import changed, removed, session

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.resources import module_command
from gitmem.search import workers
from gitmem.search.workers import ChangeDocuments, _documents, with_documents

TURNS = (Turn(Speaker.PERSON, "where is the quokka?"),)
MANY: list[Changed] = [
    *(changed(session(f"s{n}", goal=f"quokka {n}"), TURNS) for n in range(60)),
    removed("gone"),
]

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="children are looked up in /proc"
)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_MANY", len(MANY))
    monkeypatch.setattr(os, "cpu_count", lambda: 3)


def expected() -> list[ChangeDocuments]:
    return [*zip(MANY, _documents(MANY), strict=True)]


def children() -> set[int]:
    told = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return {*map(int, told.split())}


def characters(found: list[ChangeDocuments]) -> list[str]:
    """Terms of a field may come in another order."""
    return sorted(repr(found))


@pytest.mark.endurance
def test_they_come_in_the_order_of_the_sessions() -> None:
    before = children()
    found = [*with_documents(Changes(None, "tip", len(MANY), MANY))]
    assert [each for each, _ in found] == MANY
    assert characters(found) == characters(expected())
    assert children() == before


@pytest.mark.endurance
def test_of_a_worker_that_dies_the_rest_is_made_here() -> None:
    changes = Changes(None, "tip", len(MANY), MANY)
    before, found = children(), with_documents(changes)
    first = [next(found)]
    for child in children() - before:
        os.kill(child, signal.SIGKILL)
    assert characters([*first, *found]) == characters(expected())


def test_few_are_made_in_this_process() -> None:
    before, found = children(), with_documents(Changes(None, "tip", 1, MANY))
    next(found)
    assert children() == before


def test_a_worker_ends_with_its_input() -> None:
    with subprocess.Popen(
        module_command("gitmem.search.workers"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as worker:
        out, _ = worker.communicate(b"", timeout=30)
    assert (worker.returncode, out) == (0, b"")
