"""kill -9 at random moments of everything that writes.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_kills.py -s
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from crash.killing import Scenario, kill_often
from crash.maintenance import PackingScenario, PuttingAwayScenario
from crash.scenarios import (
    CheckpointScenario,
    ImportScenario,
    SavingScenario,
    SearchScenario,
)
from crash.scenarios_hooks import CommittedScenario, LaterScenario, NotingScenario
from crash.scenarios_installed import InitScenario, UninstallScenario
from crash.scenarios_shared import ForgetHistoryScenario, ForgetScenario, SyncScenario
from crash.warm import Warm
from support.rounds import rounds

pytestmark = pytest.mark.endurance


SCENARIOS = [
    *(CheckpointScenario, SavingScenario, ImportScenario, SearchScenario),
    *(ForgetScenario, ForgetHistoryScenario, SyncScenario),
    *(InitScenario, UninstallScenario),
    *(NotingScenario, LaterScenario, CommittedScenario),
    *(PackingScenario, PuttingAwayScenario),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_is_lost_or_broken(
    scenario: Callable[[Path, Warm], Scenario], tmp_path: Path, processes: Warm
) -> None:
    kill_often(scenario, tmp_path, processes, rounds(3))
