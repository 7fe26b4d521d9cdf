"""Processes: ours that nobody waits for, and that of a client.

A client that is killed tells nobody. So its hook notes its process as a conversation
begins, and whoever begins the next conversation checks that process.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

from gitmem.frozen import frozen
from gitmem.resources import module_command

_A_MOMENT_LATER = ("sh", "-c", 'sleep 0.2 || sleep 1; exec "$@"', "sh")
_BETWEEN = {
    *("sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "zsh"),
    *("env", "timeout", "run", "ocm-hook"),
}
"""Names of programs that a client runs its hooks with; our launcher is `run`."""
_MOST_BETWEEN = 10
_PROC = Path("/proc/self/stat")


def start(root: Path, *arguments: str) -> None:
    """Start `ocm-hook ARGUMENTS` at `root`.

    The process has a session of its own: it survives its client, and its terminal.
    """
    _start(root, _command(arguments), "")


def start_task(common_dir: Path, task: str) -> None:
    """Start a task of `ocm-hook` for a repository."""
    start(common_dir, task, str(common_dir))


def start_late(root: Path, *arguments: str, stdin: str) -> None:
    """Start `ocm-hook ARGUMENTS` a moment later, out of the way of the caller.

    `stdin` is at most what a pipe takes while nobody reads it.
    """
    _start(root, [*_A_MOMENT_LATER, *_command(arguments)], stdin)


def _command(arguments: tuple[str, ...]) -> list[str]:
    return [*module_command("gitmem.hook"), *arguments]


def _start(root: Path, command: list[str], stdin: str) -> None:
    process = subprocess.Popen(
        command,
        cwd=root,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if process.stdin:
        with process.stdin, suppress(BrokenPipeError):
            process.stdin.write(stdin.encode("utf-8", "replace"))
    # Without a wait, a server would keep a zombie for each process it started.
    Thread(target=process.wait, daemon=True).start()


@frozen
class ProcessInfo:
    name: str
    parent: int
    started: str
    is_dead: bool = False


def client_process() -> tuple[int, str]:
    """Return the id and the start of the process that runs this hook.

    (0, "") if unknown.
    """
    for pid, info in _ancestors(os.getppid()):
        if pid > 1 and info.name not in _BETWEEN:
            return pid, info.started
    return 0, ""


def own_process() -> tuple[int, str]:
    info = process_info(os.getpid())
    return (os.getpid(), info.started) if info else (0, "")


def is_above(pid: int, started: str) -> bool:
    """Return whether that process is this one, or an ancestor of it."""
    ancestors = _ancestors(os.getpid())
    return (pid, started) in [(above, info.started) for above, info in ancestors]


def is_gone(pid: int, started: str) -> bool:
    """Return whether that process has ended; False for one of another container."""
    if pid <= 1 or started.partition(" ")[0] != _container():
        return False
    info = process_info(pid)
    return info is None or info.is_dead or info.started != started


def process_info(pid: int) -> ProcessInfo | None:
    return _by_proc(pid) if _PROC.exists() else _by_ps(pid)


def _ancestors(pid: int) -> Iterator[tuple[int, ProcessInfo]]:
    """Yield the process and those above it, as far as they can be read."""
    for _ in range(_MOST_BETWEEN):
        info = process_info(pid)
        if info is None:
            return
        yield pid, info
        pid = info.parent


def _by_proc(pid: int) -> ProcessInfo | None:
    """See proc(5): the name stands in brackets, and may contain brackets."""
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
    command = ["ps", "-o", "ppid=,state=,lstart=,ucomm=", "-p", str(pid)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = done.stdout.decode("utf-8", "replace").split(None, 7)
    if len(parts) < 8 or not parts[0].isdigit():
        return None
    parent, state, *started, name = parts
    started_at = " ".join([_container(), *started])
    return ProcessInfo(name.strip(), int(parent), started_at, state.startswith("Z"))


def _container() -> str:
    """Return the namespace of process ids on this machine, a word without blanks."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return sys.platform
