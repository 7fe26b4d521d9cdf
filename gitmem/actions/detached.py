"""Processes of ours that nobody waits for."""

import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Thread

from gitmem.resources import running

MOST_AWAITED = 2000
"""Sessions that the index learns while somebody waits: some seconds."""
_A_MOMENT_LATER = ("sh", "-c", 'sleep 0.2 || sleep 1; exec "$@"', "sh")


def start(root: Path, *arguments: str) -> None:
    """Start `ocm-hook ARGUMENTS` at `root`.

    The process has a session of its own: it survives its client, and its terminal.
    """
    _start(root, _command(arguments), "")


def start_in(common_dir: Path, task: str) -> None:
    """Start a task for a repository, of which the process is told where it is."""
    start(common_dir, task, str(common_dir))


def start_late(root: Path, *arguments: str, told: str) -> None:
    """The same a moment later, so as not to be in the way of whoever starts it.

    It is `told` something on stdin: no more than a pipe takes while nobody reads.
    """
    _start(root, [*_A_MOMENT_LATER, *_command(arguments)], told)


def _command(arguments: tuple[str, ...]) -> list[str]:
    return [*running("gitmem.hook"), *arguments]


def _start(root: Path, command: list[str], told: str) -> None:
    process = subprocess.Popen(
        command,
        cwd=root,
        stdin=subprocess.PIPE if told else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if process.stdin:
        with process.stdin, suppress(BrokenPipeError):
            process.stdin.write(told.encode("utf-8", "replace"))
    Thread(target=process.wait, daemon=True).start()  # a server would keep its remains
