"""The lock, on file systems that have locks and on those that have none."""

import multiprocessing
import os
import signal
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest
from support.without_locks import FAILURES, refuse_locks

from gitmem.errors import Busy
from gitmem.store.lock import locked

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "ocm" / "lock"


def hold(lock: Path, held: Event) -> None:
    with locked(lock):
        held.set()
        time.sleep(60)


def test_one_waits_for_the_other_and_for_no_dead_one(lock: Path) -> None:
    held = FORK.Event()
    other = FORK.Process(target=hold, args=(lock, held))
    other.start()
    assert held.wait(20)
    with pytest.raises(Busy), locked(lock, patience=0.05):
        pass
    assert other.pid
    os.kill(other.pid, signal.SIGKILL)
    other.join()
    killed = time.monotonic()
    with locked(lock, patience=2):
        assert time.monotonic() - killed < 2


@pytest.mark.parametrize("failure", FAILURES, ids=os.strerror)
def test_work_goes_on_where_nothing_can_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: int
) -> None:
    refuse_locks(monkeypatch, tmp_path, failure)
    with locked(tmp_path / "ocm" / "lock"), locked(tmp_path / "ocm" / "lock", 0):
        pass
