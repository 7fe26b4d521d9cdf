"""Processes of ours that nobody waits for."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread


def start(root: Path, *arguments: str, told: str = "") -> None:
    """Start `ocm-hook ARGUMENTS` at `root`, with `told` on stdin.

    That is no more than a pipe takes while nobody reads. The process has a session of
    its own: it survives its client, and its terminal.
    """
    flags = "-EP" if sys.flags.ignore_environment else "-P"
    process = subprocess.Popen(
        [sys.executable, flags, "-m", "gitmem.hook", *arguments],
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
