"""Who was killed with a lock in hand keeps nobody waiting.

Locks of the operating system go with their holder. A lock that is a file stays, so it
is broken once it is older than any holder needs it.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from crash.killing import PATIENCE
from support.clones import Clone, documents, make_clones, travel
from support.harness import CLIENT, git, record

import gitmem
from gitmem.actions.reading.find import search
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

pytestmark = pytest.mark.endurance

AT_ONCE = 2.0
"""Seconds."""
A_LITTLE = 0.7
"""Seconds for the work itself, on a machine that does other things as well."""
HOLDING = """
import sys, time
from filelock import FileLock
from pathlib import Path
common = Path(sys.argv[1])
held = [FileLock(common / "ocm" / name) for name in ("lock", "index.lock", "sync.lock")]
for lock in held:
    lock.acquire()
if (common / "ocm-index" / "meta.json").exists():
    from gitmem.search.folder import open_index
    writer = open_index(common / "ocm-index").writer(50_000_000, num_threads=1)
print("held", flush=True)
time.sleep(60)
"""


def checkpoint(workspace: Workspace) -> None:
    workspace.store.append(record("beside", decisions=("Wait for nobody",)))
    workspace.store.replay()


def found(workspace: Workspace) -> None:
    assert len(search(workspace, "nobody").results) == 1


def synced(workspace: Workspace) -> None:
    travel(workspace)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """With a session that is in the index, and one that is not yet."""
    (clone,) = make_clones(tmp_path, 1)
    clone.save(CLIENT, "Somebody")
    assert search(clone.workspace(), "somebody").results
    clone.save("beside", "Wait for nobody")
    return clone


@pytest.mark.parametrize("waiting", [checkpoint, found, synced])
def test_who_waits_for_a_process_that_is_killed_goes_on_at_once(
    clone: Clone, waiting: Callable[[Workspace], None]
) -> None:
    """It held the locks of the store, of the index and of syncs, and Tantivy's."""
    work = partial(waiting, clone.workspace())
    with holder(clone) as process, waited(work) as wait:
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        assert wait() < AT_ONCE


@pytest.mark.parametrize("age", [0, 3600, -3600])
def test_stale_lock_of_our_ref_is_broken(clone: Clone, age: float) -> None:
    """At once where it is old; one from the future is of before a clock went back."""
    clone.workspace().store.replay()
    leave(clone.git_dir / f"{REF}.lock", age)
    with waited(partial(checkpoint, clone.workspace())) as wait:
        took = wait()
    assert took < (0 if age > 0 else PATIENCE) + A_LITTLE
    assert git(clone.folder, "fsck", "--strict", "--no-dangling") == ""
    assert not (clone.git_dir / f"{REF}.lock").exists()


def test_lock_held_by_a_slow_git_is_waited_for(clone: Clone) -> None:
    """Git may be writing the reflog anew: a line that we add meanwhile is lost."""
    lock = clone.git_dir / f"{REF}.lock"
    leave(lock, 0)
    with waited(partial(checkpoint, clone.workspace())) as wait:
        time.sleep(3)
        lock.unlink()  # it is there still
        assert wait() < A_LITTLE


def test_lock_files_of_other_programs_hold_up_nothing(clone: Clone) -> None:
    """Of git, that was killed as it wrote packed refs, reflogs, settings, an index."""
    for name in (
        *("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock"),
        *(f"logs/{REF}.lock", "objects/maintenance.lock", "gc.pid"),
    ):
        leave(clone.git_dir / name, 0)
    for work in (checkpoint, found, synced):
        with waited(partial(work, clone.workspace())) as wait:
            assert wait() < AT_ONCE


def test_a_reflog_that_was_cut_off_goes_on(clone: Clone) -> None:
    clone.workspace().store.replay()
    log = clone.git_dir / "logs" / REF
    log.write_bytes(log.read_bytes()[:-20])
    checkpoint(clone.workspace())
    assert len(documents(clone.memory())) == 2
    assert clone.workspace().repository.reflog(REF)
    git(clone.folder, "reflog", REF)


def leave(path: Path, age: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    then = time.time() - age
    os.utime(path, (then, then))


@contextmanager
def holder(clone: Clone) -> Iterator["subprocess.Popen[str]"]:
    source = Path(gitmem.__file__).parents[1]
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HOLDING, str(clone.git_dir)],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process


@contextmanager
def waited(work: Callable[[], object]) -> Iterator[Callable[[], float]]:
    """Begins the work; what is given waits for its end, and says for how long."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again
            failures.append(error)

    def wait() -> float:
        began = time.monotonic()
        thread.join()
        if failures:
            raise failures[0]
        return time.monotonic() - began

    thread = Thread(target=run)
    thread.start()
    yield wait
    thread.join()
