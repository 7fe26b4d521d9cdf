"""Every error a user can meet.

    GitmemError            code            exit
    ├── InvalidInput       invalid-input      2   what was asked for makes no sense
    ├── NotFound           not-found          1   nothing has that name
    ├── Ambiguous          ambiguous          1   several have that name
    ├── NotARepository     no-repository     10   there is no git repository here
    ├── Busy               busy              11   other writers would not let us in
    ├── FormatTooNew       format-too-new    12   a newer gitmem wrote this memory
    ├── Damaged            damaged           13   an object or ref cannot be read
    ├── Unreachable        unreachable       14   a remote does not answer, or refuses
    ├── Unavailable        unavailable       15   something this needs is not here
    ├── NoPermission       no-permission     16   the file system refuses
    ├── Unverified         unverified        17   ocm.requireSigned asks for signatures
    └── RemoteChanged      remote-changed    18   nobody agreed to share with it

The message is one sentence; the hint says how to go on. Exit statuses and codes are
a promise to scripts (docs/scripting.md).
"""

from collections.abc import Sequence
from typing import ClassVar


class GitmemError(Exception):
    """Something a user can understand and act upon; never shown with a traceback."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidInput(GitmemError):
    code = "invalid-input"
    exit_status = 2


class NotFound(GitmemError):
    code = "not-found"


class Ambiguous(GitmemError):
    """A name that fits several sessions; `candidates` are their full ids."""

    code = "ambiguous"

    def __init__(self, message: str, *, candidates: Sequence[str]) -> None:
        hint = "\n  ".join(["It may be one of these:", *candidates])
        super().__init__(message, hint=hint)
        self.candidates = tuple(candidates)


class NotARepository(GitmemError):
    code = "no-repository"
    exit_status = 10


class Busy(GitmemError):
    code = "busy"
    exit_status = 11


class FormatTooNew(GitmemError):
    code = "format-too-new"
    exit_status = 12


class Damaged(GitmemError):
    code = "damaged"
    exit_status = 13


class Unreachable(GitmemError):
    code = "unreachable"
    exit_status = 14


class Unavailable(GitmemError):
    code = "unavailable"
    exit_status = 15


class NoPermission(GitmemError):
    code = "no-permission"
    exit_status = 16


class Unverified(GitmemError):
    code = "unverified"
    exit_status = 17


class RemoteChanged(GitmemError):
    code = "remote-changed"
    exit_status = 18
