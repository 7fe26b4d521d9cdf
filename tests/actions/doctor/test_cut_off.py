"""`ocm doctor --fix` killed at any moment, and run again."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.broken import Thaw, check_git
from support.rounds import chance, rounds

import gitmem

NAMES = ("object-gone", "ref-nowhere-without-reflog", "object-at-remote")
LONGEST = 2.0
"""Seconds that all of it takes, or a little more."""


@pytest.mark.endurance
def test_killed_it_is_done_by_the_next(thaw: Thaw, tmp_path: Path) -> None:
    moments = chance()
    for number in range(rounds(6)):
        broken = thaw(NAMES[number % len(NAMES)])
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "gitmem", "doctor", "--fix"],
            cwd=broken.repository,
            env=dict(broken.environment.variables)
            | {"PYTHONPATH": str(Path(gitmem.__file__).parents[1])},
            stdout=subprocess.DEVNULL,
        )
        time.sleep(moments.uniform(0, LONGEST))
        process.kill()
        process.wait()
        assert [each.error for each in broken.repair().repairs if each.error] == []
        assert broken.acknowledged <= broken.goals()
        check_git(broken.repository)
        broken.folder.rename(tmp_path / f"done-{number}")
