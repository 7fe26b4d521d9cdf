"""A git that is newer than this machine's, for tests of what only that can do.

`.ci/newer-git FOLDER` makes one; the variable OCM_TEST_GIT names it.
"""

import os
from pathlib import Path

import pytest

_NAMED = os.environ.get("OCM_TEST_GIT")  # before a test seals its environment

needs_newer_git = pytest.mark.skipif(
    not _NAMED, reason="OCM_TEST_GIT names no git of 2.45 or newer"
)


def newer_git() -> Path | None:
    """The program; None where there is none."""
    return Path(_NAMED) if _NAMED else None


def use_newer_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts `git` in this test starts the newer one, hooks included."""
    program = newer_git()
    assert program, "the test lacks the mark needs_newer_git"
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
