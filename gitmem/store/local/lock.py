"""One writer at a time, in all work trees of a repository.

The operating system drops the lock when its holder dies, so nobody ever waits for a
process that is gone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from gitmem.errors import Busy, NoPermission

PATIENCE = 30.0  # seconds; a checkpoint holds the lock for milliseconds
_POLL = 0.003


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock at `path`.

    Raises Busy when others do not let go of it for `patience` seconds.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(path, timeout=patience, poll_interval=_POLL)
        lock.acquire()
    except Timeout as error:
        raise Busy(
            f"Another process has held {path} for {patience:.0f} seconds.",
            hint="Try again; `ocm status` says what is waiting.",
        ) from error
    except OSError as error:
        raise NoPermission(
            f"Cannot write to {path.parent}: {error.strerror}."
        ) from error
    try:
        yield
    finally:
        lock.release()
