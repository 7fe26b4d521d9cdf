"""File systems on which nothing can be locked, as some network mounts are."""

import ctypes
import errno
import fcntl
import os
import platform
import struct
from pathlib import Path
from typing import Any

import pytest

FAILURES = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What such a file system answers."""

_FLOCK_AND_FCNTL = {"x86_64": (73, 72), "aarch64": (32, 25)}
"""The numbers of these calls on Linux."""
_LOCKING = (6, 7, 37, 38)
"""F_SETLK and F_SETLKW, by process and by open file."""
_NO_NEW_PRIVILEGES, _SECCOMP, _BY_FILTER = 38, 22, 2
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06

can_refuse_all = pytest.mark.skipif(
    platform.machine() not in _FLOCK_AND_FCNTL or platform.system() != "Linux",
    reason="no filter of system calls is known here",
)


def refuse_locks(monkeypatch: pytest.MonkeyPatch, below: Path, number: int) -> None:
    """No file below this folder can be locked in this process: flock(2) fails so."""
    flock = fcntl.flock

    def refusing(file: Any, operation: int) -> None:
        path = Path(f"/dev/fd/{file}").resolve()
        if path.is_relative_to(below.resolve()):
            raise OSError(number, os.strerror(number))
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", refusing)


def refuse_all_locks() -> None:
    """From now on no file can be locked by this process, nor by those it starts.

    The kernel refuses, whichever program or library asks; see seccomp(2).
    """
    flock, control = _FLOCK_AND_FCNTL[platform.machine()]
    refuse = (_RETURN, 0, 0, _FAIL | errno.ENOLCK)
    steps = [
        (_LOAD, 0, 0, 0),  # the number of the call
        (_EQUAL, len(_LOCKING) + 3, 0, flock),
        (_EQUAL, 0, len(_LOCKING) + 1, control),
        (_LOAD, 0, 0, 24),  # its second argument
        *((_EQUAL, len(_LOCKING) - at, 0, each) for at, each in enumerate(_LOCKING)),
        (_RETURN, 0, 0, _ALLOW),
        refuse,
    ]
    filters = b"".join(struct.pack("HBBI", *step) for step in steps)
    text = ctypes.create_string_buffer(filters, len(filters))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(text))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in (
        (_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SECCOMP, _BY_FILTER, ctypes.c_char_p(program), 0, 0),
    ):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), "prctl")
