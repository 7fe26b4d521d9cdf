"""kill -9 at random moments of everything that writes.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_kills.py -s
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from crash.killing import Bed, kill_often
from crash.scenarios import CheckpointBed, ImportBed, SavingBed, SearchBed
from crash.scenarios_hooks import CommittedBed, LaterBed, NotingBed
from crash.scenarios_installed import InitBed, UninstallBed
from crash.scenarios_shared import ForgetBed, ForgetHistoryBed, SyncBed
from crash.warm import Warm
from support.rounds import rounds

pytestmark = pytest.mark.endurance


BEDS = [
    *(CheckpointBed, SavingBed, ImportBed, SearchBed),
    *(ForgetBed, ForgetHistoryBed, SyncBed),
    *(InitBed, UninstallBed),
    *(NotingBed, LaterBed, CommittedBed),
]


@pytest.mark.parametrize("bed", BEDS)
def test_nothing_is_lost_or_broken(
    bed: Callable[[Path, Warm], Bed], tmp_path: Path, processes: Warm
) -> None:
    kill_often(bed, tmp_path, processes, rounds(3))
