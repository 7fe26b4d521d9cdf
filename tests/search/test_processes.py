"""Several processes on one index, and processes that are killed."""

import multiprocessing as mp
import sys
import time
from pathlib import Path

import pytest
from search.builders import found, learn, session
from search.writers import write_and_search, write_for_ever
from support.rounds import rounds

from gitmem.search.index import Index

SPAWN = mp.get_context("spawn")
SPAWN.set_executable(sys.executable)  # while no test stands in for it


@pytest.mark.endurance
def test_processes_catch_up_at_the_same_time(tmp_path: Path) -> None:
    reader, failures = SPAWN.Pipe(duplex=False)
    processes = [
        SPAWN.Process(target=write_and_search, args=(tmp_path, failures, 100 * n))
        for n in range(3)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert not reader.poll(), reader.recv()
    index = Index.open(tmp_path / "index", tmp_path / "lock")
    assert len(found(index, "quokka", 100)) == 30


@pytest.mark.endurance
def test_a_killed_writer_leaves_an_index_that_opens(tmp_path: Path) -> None:
    for n in range(rounds(2)):
        process = SPAWN.Process(target=write_for_ever, args=(tmp_path,))
        process.start()
        deadline = time.monotonic() + 20
        while not (tmp_path / "index" / "meta.json").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.3 + 0.037 * n % 0.2)
        assert process.is_alive()
        process.kill()
        process.join()
        index = Index.open(tmp_path / "index", tmp_path / "lock")
        assert len(found(index, "quokka", 100)) == (30 if index.tip else 0)
    index = Index.open(tmp_path / "index", tmp_path / "lock")
    learn(index, "after", [session("s0", goal="zebra")])
    assert found(index, "zebra") == ["s0"]
