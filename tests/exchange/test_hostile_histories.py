"""Whoever may push cannot take away what a clone has, and every clone gets it back."""

from itertools import cycle
from pathlib import Path

import pytest
from exchange.attacker import Stage
from exchange.hostile_histories import HISTORIES, Hostile
from exchange.victim import Met, Scene, make_stage
from syncing import travel

WAYS = [*zip(HISTORIES, cycle(Met), strict=False)]
OTHER_WAYS = [(each, way) for each, met in WAYS for way in Met if way is not met]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return make_stage(tmp_path_factory.mktemp("stage"))


@pytest.mark.parametrize(
    ("history", "met"),
    [
        *(pytest.param(*each) for each in WAYS),
        *(pytest.param(*each, marks=pytest.mark.endurance) for each in OTHER_WAYS),
    ],
    ids=lambda value: value.name,
)
def test_nothing_is_gone_and_everything_comes_back(
    stage: Stage, tmp_path: Path, history: Hostile, met: Met
) -> None:
    scene = Scene(stage, tmp_path, history)
    for number in range(history.rounds - 1):
        scene.is_played(number, met)
        travel(scene.victim.workspace())
    assert scene.is_played(history.rounds - 1, met) == scene.expected(met)
    scene.comes_back()
    scene.is_at_rest()
