"""File systems on which nothing can be locked, as some network mounts are."""

import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

FAILURES = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What such a file system answers."""


def refuse_locks(monkeypatch: pytest.MonkeyPatch, below: Path, number: int) -> None:
    """No file below this folder can be locked in this process: flock(2) fails so."""
    flock = fcntl.flock

    def refusing(file: Any, operation: int) -> None:
        path = Path(f"/dev/fd/{file}").resolve()
        if path.is_relative_to(below.resolve()):
            raise OSError(number, os.strerror(number))
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", refusing)
