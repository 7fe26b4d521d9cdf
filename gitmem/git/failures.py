"""Failures of libgit2 and of the git command as errors that a person can read."""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.errors import (
    Busy,
    Damaged,
    GitmemError,
    NoPermission,
    NotARepository,
    Unavailable,
)

_REFUSALS = (
    *map(os.strerror, (errno.EPERM, errno.EACCES, errno.ENOSPC, errno.EROFS)),
    "insufficient permission",
    "Out of diskspace",  # git's own words where a write to a pack is cut short
)

_REFUSED = (PermissionError, NotADirectoryError, IsADirectoryError)
"""Errors of our own reads: also where something else is in the place of our files."""
_LOCKED = ("failed to lock", "File exists", "cannot lock references")
_NOWHERE = (
    *("could not find repository", "Repository not found"),
    "not a git repository (or any",
)
_UNKNOWN = (
    *("unsupported", "unknown object format"),
    *("unknown repository extension", "expected git repo version"),
    "invalid value for 'extensions.",
)
_SAYS_NOTHING = "it failed and did not say why"
"""So it is where somebody ended it."""


def explained(subject: str, error: Exception) -> GitmemError:
    """Return the error of the seam for one about a subject."""
    reason = str(error) or _SAYS_NOTHING
    if isinstance(error, _REFUSED) or is_refusal(error):
        return NoPermission(
            f"Git cannot write {subject}: {reason}",
            hint="Is the repository read-only, the disk full, or another program"
            " at work? `ocm doctor` says if something stands in our place.",
        )
    if any(words in str(error) for words in _LOCKED):
        return Busy(f"Another program is writing {subject}.")
    return Damaged(
        f"Git cannot read {subject}: {reason}",
        hint="`ocm doctor` says what of the memory is broken, and what mends it;"
        " `git fsck` looks at everything else.",
    )


def is_refusal(error: Exception) -> bool:
    """Return whether it is the file system that does not let us write."""
    return any(words in str(error) for words in _REFUSALS)


def opening_failed(start: Path, reason: str) -> GitmemError:
    reason = " ".join(reason.split()) or _SAYS_NOTHING  # git takes lines for it
    closed = any(
        not os.access(folder, os.X_OK) for folder in _git_folders_around(start)
    )
    if closed or os.strerror(errno.EACCES) in reason:
        return NoPermission(f"The repository at {start} cannot be read.")
    if any(words in reason for words in _NOWHERE):
        return NotARepository(
            f"{start} is not in a git repository.",
            hint="Go to one, or make one with `git init`; memory lives inside it.",
        )
    if "owned by" in reason or "dubious ownership" in reason:
        return NoPermission(
            f"The repository at {start} belongs to another user.",
            hint="`git config --global --add safe.directory PATH` makes git trust it.",
        )
    if any(words in reason for words in _UNKNOWN):
        return Unavailable(
            f"The repository at {start} cannot be opened: {reason}.",
            hint="Does it need a newer git? SHA-256 takes 2.29, reftable 2.45.",
        )
    return NotARepository(f"There is no usable git repository at {start}: {reason}.")


def _git_folders_around(start: Path) -> Iterator[Path]:
    """Yield the `.git` folders from `start` upwards, as far as one may look."""
    with suppress(OSError):
        for folder in (start, *start.parents):
            if (folder / ".git").is_dir():
                yield folder / ".git"
