"""Why libgit2 does not open a repository, as a person can be told."""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError, NoPermission, NotARepository, Unavailable


def opening_failed(start: Path, reason: str) -> GitmemError:
    closed = any(not os.access(each, os.X_OK) for each in _git_folders_around(start))
    if closed or os.strerror(errno.EACCES) in reason:
        return NoPermission(f"The repository at {start} cannot be read.")
    if "could not find repository" in reason or "Repository not found" in reason:
        return NotARepository(
            f"{start} is not in a git repository.",
            hint="Go to one, or make one with `git init`; memory lives inside it.",
        )
    if "owned by" in reason:
        return NoPermission(
            f"The repository at {start} belongs to another user.",
            hint="`git config --global --add safe.directory PATH` makes git trust it.",
        )
    if "unsupported" in reason or "unknown object format" in reason:
        return Unavailable(
            f"The repository at {start} cannot be opened: {reason}.",
            hint="SHA-256, reftable and partial-clone repositories need git itself.",
        )
    return NotARepository(f"There is no usable git repository at {start}: {reason}.")


def _git_folders_around(start: Path) -> Iterator[Path]:
    """The `.git` folders from `start` upwards, as far as one may look."""
    with suppress(OSError):
        for folder in (start, *start.parents):
            if (folder / ".git").is_dir():
                yield folder / ".git"
