"""kill -9 at random moments of what is done in the background.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_kills_housekeeping.py -s
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from crash.killing import Scenario, kill_often
from crash.maintenance import PackingScenario, PuttingAwayScenario
from crash.warm import Warm, warm
from support.rounds import rounds


@pytest.mark.endurance
@pytest.mark.parametrize("scenario", [PackingScenario, PuttingAwayScenario])
def test_nothing_is_lost_or_broken(
    scenario: Callable[[Path, Warm], Scenario], tmp_path: Path
) -> None:
    with warm() as processes:
        kill_often(scenario, tmp_path, processes, rounds(20))
