"""The lock, on file systems that have locks and on those that have none."""

import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest
from support.without_locks import FAILURES, refuse_locks

from gitmem.errors import Busy
from gitmem.store.lock import locked

FORK = multiprocessing.get_context("fork")


@pytest.fixture(
    params=[None, *FAILURES], ids=lambda n: os.strerror(n) if n else "locks"
)
def lock(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """On a mount of each kind; files for a moment are elsewhere."""
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    if request.param:
        refuse_locks(monkeypatch, tmp_path / "mount", request.param)
    return tmp_path / "mount" / "ocm" / "lock"


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


def foreign_file(place: Path) -> None:
    place.touch()


def link_elsewhere(place: Path) -> None:
    place.symlink_to(place.parent / "nowhere")


def not_to_be_written(place: Path) -> None:
    place.parent.rmdir()


@pytest.mark.parametrize("spoil", [foreign_file, link_elsewhere, not_to_be_written])
def test_work_goes_on_where_nothing_can_be_locked_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
) -> None:
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    spoil(elsewhere / f"ocm-{os.getuid()}")
    refuse_locks(monkeypatch, tmp_path, FAILURES[0])
    with locked(tmp_path / "ocm" / "lock"), locked(tmp_path / "ocm" / "lock", 0):
        pass
    assert not (elsewhere / "nowhere").exists()
