"""The files of a ref: the lock that a writer holds, and the reflog.

Git describes them in gitrepository-layout(5); libgit2 does with them as git does.
"""

import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gitmem.errors import Busy
from gitmem.git.files import replace_file
from gitmem.git.values import Oid
from gitmem.waiting import Wait

_STALE_LOCK_AGE = 10.0
"""Seconds. A ref update holds its lock for milliseconds, on a disk that stalls for some
seconds; to break the lock of a living git loses a line of the reflog."""
_PATIENCE = 2 * _STALE_LOCK_AGE


class RefLockedError(Exception):
    """Somebody else is writing this ref, or died as they did."""


def once_unlocked(name: str, lock: Path, attempt: Callable[[], bool]) -> bool:
    """What `attempt` gives once it raises no RefLockedError.

    A lock that a killed writer left is broken. Raises Busy when the ref stays locked.
    """
    deadline = time.monotonic() + _PATIENCE
    seen = _SeenLock(lock)
    wait = Wait(lambda: f"another program that keeps {name} locked")
    while True:
        try:
            return attempt()
        except RefLockedError as error:
            if time.monotonic() > deadline:
                raise Busy(
                    f"Another program keeps {name} locked.",
                    hint="If none is at work, remove the file that ends in `.lock`.",
                ) from error
            seen.break_if_stale()
            wait.goes_on()
            time.sleep(0.01)


def reflog(common_dir: Path, name: str) -> list[Oid]:
    """Where a ref was, by its reflog; see Repository.reflog."""
    lines = _lines(common_dir / "logs" / name)
    named = [oid for line in lines for oid in line.split(" ", 2)[:2]]
    return [oid for oid in dict.fromkeys(named) if oid.strip("0")]


def forget_moves(common_dir: Path, name: str) -> None:
    """See Repository.forget_moves. The last line stays, as if it were the first."""
    log = common_dir / "logs" / name
    if lines := _lines(log):
        _, new, rest = lines[-1].split(" ", 2)
        line = f"{'0' * len(new)} {new} {rest}\n"
        content = line.encode("utf-8", "surrogateescape")
        mode = stat.S_IMODE(log.stat().st_mode)
        replace_file(log, content, mode, is_synced=True)


def _lines(log: Path) -> list[str]:
    """None of a log that is not there."""
    try:
        text = log.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return [line for line in text.split("\n") if line.count(" ") >= 2]


class _SeenLock:
    """The file of a lock, while somebody waits for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made_at = 0.0
        self._since = 0.0

    def break_if_stale(self) -> None:
        """Remove what a killed writer left; it would block git itself for ever.

        Its time may be one to come, where a clock was set back: then it is the time
        that we have waited for it that counts.
        """
        with suppress(FileNotFoundError):
            made_at, now = self._path.stat().st_mtime, time.monotonic()
            if made_at != self._made_at:
                self._made_at, self._since = made_at, now
            age = max(time.time() - made_at, now - self._since)
            if age > _STALE_LOCK_AGE:
                self._path.unlink()
