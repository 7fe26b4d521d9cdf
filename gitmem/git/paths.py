"""Paths as people and sessions name them, before git is asked about them."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_AT_ONCE = 500
"""So many are in one command: the system bounds how long those are."""
_LONGEST = 4096
"""Bytes of a path; no system takes more."""


def is_inside(path: str) -> bool:
    """Whether it can name a file of a work tree, and none outside of it."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and parts[0] != "/"
        and not {"..", ".git"} & set(parts)
        and "\0" not in path
    )


def askable(paths: Iterable[str]) -> Iterator[list[str]]:
    """Those that a command can be asked about, as many at a time as it takes."""
    wanted = [path for path in paths if is_inside(path) and _can_be_said(path)]
    for start in range(0, len(wanted), _AT_ONCE):
        yield wanted[start : start + _AT_ONCE]


def _can_be_said(path: str) -> bool:
    try:
        return len(path.encode(errors="surrogateescape")) <= _LONGEST
    except UnicodeEncodeError:
        return False
