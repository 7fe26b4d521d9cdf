"""What matters is told before the first edit: one of the planted histories."""

import subprocess
import sys
from pathlib import Path


def test_it_is_told_before_the_first_edit() -> None:
    ways = ("--way", "remembered", "decision", "imported", "--corrected", "0")
    bench = Path(__file__).with_name("planted.py")
    ran = subprocess.run(
        [sys.executable, bench, "--only", "bulk-insert-copy", *ways],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
