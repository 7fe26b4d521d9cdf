"""A Repository over git's own low-level commands, for what libgit2 does not open."""

from collections.abc import Mapping
from pathlib import Path

from gitmem.store.git.repository import Repository


def open_repository(
    start: Path, variables: Mapping[str, str], git_dir: Path | None = None
) -> Repository:
    """See `gitmem.store.git.opening`. Raises Unavailable where git does not open it."""
    raise NotImplementedError
