"""A git that is newer than this machine's, and one that is too old.

`.ci/newer-git FOLDER` makes the newer one, for tests of what only that can do; the
variable OCM_TEST_GIT names it.
"""

import os
import shutil
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


def path_with_old_git(folder: Path) -> str:
    """A PATH on which git is this machine's, but for what it lacked before 2.31."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\nunset GIT_CONFIG_COUNT\n"
        '[ "$1" != --version ] || exec echo git version 2.30.2\n'
        f"exec '{shutil.which('git')}' \"$@\"\n"
    )
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
