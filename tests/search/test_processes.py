"""Several processes on one index, and processes that are killed."""

import multiprocessing as mp
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from search.builders import found, learn, session
from search.writers import write_and_search, write_for_ever

from gitmem.documents.changes import Changes
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


def test_whoever_comes_second_need_not_do_it_again(tmp_path: Path) -> None:
    first = Index.open(tmp_path / "index", tmp_path / "lock")
    second = Index.open(tmp_path / "index", tmp_path / "lock")
    learn(first, "t1", [session("one", goal="quokka")])

    def refuse(since: str | None) -> Changes:
        raise AssertionError(since)

    second.catch_up("t1", refuse)
    assert (second.tip, found(second, "quokka")) == ("t1", ["one"])


def kill_writers(folder: Path, times: int) -> None:
    for n in range(times):
        process = SPAWN.Process(target=write_for_ever, args=(folder,))
        process.start()
        deadline = time.monotonic() + 20
        while not (folder / "index" / "meta.json").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.3 + 0.037 * n % 0.2)
        assert process.is_alive()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        index = Index.open(folder / "index", folder / "lock")
        assert len(found(index, "quokka", 100)) == (30 if index.tip else 0)


@pytest.mark.endurance
def test_a_killed_writer_leaves_an_index_that_opens(tmp_path: Path) -> None:
    kill_writers(tmp_path, 2)
    index = Index.open(tmp_path / "index", tmp_path / "lock")
    learn(index, "after", [session("s0", goal="zebra")])
    assert found(index, "zebra") == ["s0"]


@pytest.mark.slow
def test_many_killed_writers_leave_an_index_that_opens(tmp_path: Path) -> None:
    kill_writers(tmp_path, 60)
