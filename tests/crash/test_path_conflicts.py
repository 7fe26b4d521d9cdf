"""What else may stand in the place of our files and folders: every cell of a matrix.

pytest -m slow tests/crash/test_misplaced.py
"""

from functools import cache
from pathlib import Path

import pytest
from crash.misplaced import CELLS, Scenario, Spot, Stranger, try_cell
from crash.warm import Warm

SOME = [
    (Spot("ocm/kept", is_folder=True), Stranger.FILE),
    (Spot("ocm/kept/[0-9a-f]*"), Stranger.PIPE),
    (Spot("ocm/journal", is_folder=True), Stranger.ELSEWHERE),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("misplaced")


@pytest.fixture
def scenario(place: Path, processes: Warm) -> Scenario:
    return _made_once(place, processes)


_made_once = cache(Scenario)


@pytest.mark.endurance
@pytest.mark.parametrize(("spot", "stranger"), SOME)
def test_what_stands_in_our_place_is_named_and_moved_aside(
    scenario: Scenario, spot: Spot, stranger: Stranger
) -> None:
    try_cell(scenario, spot, stranger)


@pytest.mark.slow
@pytest.mark.parametrize(("spot", "stranger"), CELLS)
def test_any_obstacle_in_any_place(
    scenario: Scenario, spot: Spot, stranger: Stranger
) -> None:
    try_cell(scenario, spot, stranger)
