"""The `git gc` that may be at work in a repository."""

import time
from contextlib import suppress
from pathlib import Path

_DEAD = 12 * 3600.0
"""Seconds; it never takes so long, and a `gc.pid` that is older is of one that died."""


def gc_began(common_dir: Path) -> float | None:
    """When the `git gc` began that is at work, in seconds since 1970, if one is.

    What says so is left behind where it died; git as well takes no notice in the end.
    """
    with suppress(OSError):
        began = (common_dir / "gc.pid").stat().st_mtime
        if time.time() - began < _DEAD:
            return began
    return None
