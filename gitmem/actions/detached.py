"""Processes of ours that nobody waits for."""

import subprocess
import sys
from pathlib import Path
from threading import Thread


def start(root: Path, *arguments: str) -> None:
    """Start `ocm-hook ARGUMENTS` at `root`.

    The process has a session of its own: it survives its client, and its terminal.
    """
    flags = "-EP" if sys.flags.ignore_environment else "-P"
    process = subprocess.Popen(
        [sys.executable, flags, "-m", "gitmem.hook", *arguments],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    Thread(target=process.wait, daemon=True).start()  # a server would keep its remains
