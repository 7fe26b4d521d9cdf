"""The process of a client: found from within its hook, and whether it is still there.

A client that is killed tells nobody. So its hook notes which process it is as a
conversation begins, and whoever begins the next one looks whether that is still there.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from gitmem.frozen import frozen

_BETWEEN = {
    *("sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "zsh"),
    *("env", "timeout", "run", "ocm-hook"),
}
"""Names of programs that a client runs its hooks with; our launcher is `run`."""
_MOST_BETWEEN = 10
_PROC = Path("/proc/self/stat")


@frozen
class ProcessInfo:
    name: str
    parent: int
    started: str
    is_dead: bool = False


def client_process() -> tuple[int, str]:
    """The id of the process that runs this hook, and when it started.

    (0, "") where nobody can tell.
    """
    for pid, found in _above(os.getppid()):
        if pid > 1 and found.name not in _BETWEEN:
            return pid, found.started
    return 0, ""


def own_process() -> tuple[int, str]:
    own = running(os.getpid())
    return (os.getpid(), own.started) if own else (0, "")


def is_above(pid: int, started: str) -> bool:
    """Whether that process is this one, or one that led to it."""
    above = _above(os.getpid())
    return any((each, found.started) == (pid, started) for each, found in above)


def is_gone(pid: int, started: str) -> bool:
    """Whether that process has ended; not where it is of another container."""
    if pid <= 1 or started.partition(" ")[0] != _container():
        return False
    found = running(pid)
    return found is None or found.is_dead or found.started != started


def running(pid: int) -> ProcessInfo | None:
    return _by_proc(pid) if _PROC.exists() else _by_ps(pid)


def _above(pid: int) -> Iterator[tuple[int, ProcessInfo]]:
    """The process and those that led to it, as far as they can be looked at."""
    for _ in range(_MOST_BETWEEN):
        found = running(pid)
        if found is None:
            return
        yield pid, found
        pid = found.parent


def _by_proc(pid: int) -> ProcessInfo | None:
    """See proc(5): the name stands in brackets and may have any in it."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    head, _, tail = text.rpartition(")")
    values = tail.split()
    started = f"{_container()} {values[19]}"
    return ProcessInfo(
        head.partition("(")[2], int(values[1]), started, values[0] == "Z"
    )


def _by_ps(pid: int) -> ProcessInfo | None:
    import subprocess

    command = ["ps", "-o", "ppid=,state=,lstart=,ucomm=", "-p", str(pid)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = done.stdout.decode("utf-8", "replace").split(None, 7)
    if len(parts) < 8 or not parts[0].isdigit():
        return None
    parent, state, *started, name = parts
    told = " ".join([_container(), *started])
    return ProcessInfo(name.strip(), int(parent), told, state.startswith("Z"))


def _container() -> str:
    """What tells apart process ids of one machine; none of them has a blank."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return sys.platform
