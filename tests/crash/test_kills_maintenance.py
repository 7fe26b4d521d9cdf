"""kill -9 at random moments of what is done in the background.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_kills_housekeeping.py -s
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from crash.killing import Bed, kill_often
from crash.maintenance import PackingBed, PuttingAwayBed
from crash.warm import Warm, warm
from support.rounds import rounds


@pytest.mark.endurance
@pytest.mark.parametrize("bed", [PackingBed, PuttingAwayBed])
def test_nothing_is_lost_or_broken(
    bed: Callable[[Path, Warm], Bed], tmp_path: Path
) -> None:
    with warm() as processes:
        kill_often(bed, tmp_path, processes, rounds(20))
