"""What matters is told before the first edit: one of the planted histories."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.endurance
@pytest.mark.parametrize("way", ["remembered", "decision", "imported"])
def test_it_is_told_before_the_first_edit(way: str) -> None:
    bench = Path(__file__).with_name("planted.py")
    history = ("--only", "bulk-insert-copy", "--corrected", "0")
    ran = subprocess.run(
        [sys.executable, bench, *history, "--way", way],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
