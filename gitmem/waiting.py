"""Waiting for other processes, and what else is told to whoever sits there.

The command line says whom it tells; hooks tell nobody. The operating system
knows who holds a lock, so a holder need not write anything.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

_QUIET = 3.0
"""Seconds that nobody is told of."""
_AGAIN = 15.0
"""Seconds until it is told once more."""
_LOCKS = Path("/proc/locks")
_PROGRAMS = {
    **dict.fromkeys(("ocm", "git-ocm", "gitmem"), "ocm"),
    **dict.fromkeys(("ocm-hook", "gitmem.hook"), "ocm-hook"),
}
"""Our names in messages, by names of files and modules."""
_VERB = re.compile(r"[a-z][a-z-]{0,19}")

Tell = Callable[[str], None]
_listeners: list[Tell] = []


def tell_waits(listener: Tell) -> None:
    """From now on `listener` is given a sentence of each wait that takes seconds."""
    _listeners[:] = [listener]


def tell(sentence: str) -> None:
    """Tell whoever sits there something that no result says."""
    for listener in _listeners:
        listener(sentence)


class Wait:
    """For somebody else, from now on."""

    def __init__(self, whom: Callable[[], str]) -> None:
        self._whom = whom
        self._due = time.monotonic() + _QUIET

    def goes_on(self) -> None:
        """To be called every now and then."""
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _AGAIN
            tell(f"Waiting for {self._whom()}.")


@contextmanager
def hold_lock(lock: Path, patience: float, poll: float = 0.05) -> Iterator[None]:
    """Hold the lock of the operating system on a file.

    Raises filelock's Timeout where others do not let go of it for `patience` seconds,
    and OSError, also where the file system has no locks.
    """
    from filelock import FileLock, Timeout  # 10 ms that most searches do not need

    file = FileLock(lock, fallback_to_soft=False)
    until, wait = time.monotonic() + patience, Wait(lambda: holder_of(lock))
    while not file.is_locked:
        remaining = max(0.0, until - time.monotonic())
        try:
            file.acquire(min(remaining, _QUIET), poll_interval=poll)
        except Timeout:
            if remaining <= _QUIET:
                raise
            wait.goes_on()
    try:
        yield
    finally:
        file.release()


def holder_of(lock: Path) -> str:
    """Who holds a lock, as far as the operating system tells."""
    with suppress(OSError, ValueError):
        inode = str(lock.stat().st_ino)
        for line in _LOCKS.read_text("ascii").splitlines():
            _, kind, _, _, pid, place, *_ = line.replace("-> ", "").split()
            is_it = kind == "FLOCK" and place.rpartition(":")[2] == inode
            if is_it and "->" not in line and int(pid) > 0:
                return f"{_command(int(pid))} (process {pid})"
    return "another process"


def _command(pid: int) -> str:
    """The command of ours that a process runs, without what it was given."""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        arguments = [*words.split("\0"), ""]
        for name, verb in pairwise(arguments):
            if program := _PROGRAMS.get(name.rpartition("/")[2]):
                is_named = _VERB.fullmatch(verb)
                return f"`{program} {verb}`" if is_named else f"`{program}`"
    return "another program"
