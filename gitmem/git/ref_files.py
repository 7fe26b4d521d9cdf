"""The lock file and the reflog of a ref, as in gitrepository-layout(5)."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from gitmem.errors import Busy
from gitmem.git.files import end_of
from gitmem.git.values import Move
from gitmem.waiting import Wait

_BYTES = 400
"""Of a line of a reflog; where lines are longer, fewer of them are read."""
_MOVE = re.compile(
    rb"(?P<old>[0-9a-f]{40,64}) (?P<new>[0-9a-f]{40,64}) [^\t\n]*\t?(?P<reason>.*)"
)
_STALE_LOCK_AGE = 10.0
"""Seconds. A ref update holds its lock for milliseconds, on a disk that stalls for some
seconds; to break the lock of a living git loses a line of the reflog."""
_PATIENCE = 2 * _STALE_LOCK_AGE


T = TypeVar("T")


class RefLockedError(Exception):
    """Somebody else is writing this ref, or died as they did."""


def once_unlocked(name: str, lock: Path, attempt: Callable[[], T]) -> T:
    """Repeat `attempt` until it raises no RefLockedError.

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


def moves_in_file(log: Path, most: int) -> list[Move] | None:
    """Read the last moves in a reflog, a line each; None without that file.

    `OLD NEW NAME <EMAIL> TIME ZONE`, a tab, and the reason.
    """
    try:
        lines = end_of(log, most * _BYTES).splitlines()[-most:]
    except OSError:  # a user may do without
        return None
    found = filter(None, map(_MOVE.fullmatch, lines))
    return [_move(*each.group("old", "new", "reason")) for each in found]


def _move(old: bytes, new: bytes, reason: bytes) -> Move:
    return Move(old.decode(), new.decode(), reason.decode("utf-8", "replace"))


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
