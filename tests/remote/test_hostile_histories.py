"""Whoever may push cannot take away what a clone has, and every clone gets it back."""

from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from remote.attacker import Stage
from remote.hostile_histories import HISTORIES, Hostile
from remote.victim import Met, Scene, make_stage
from support.clones import travel

QUICK = {
    "a child commit without `sessions/`",
    "goal and to-do list said anew",
    "documents made executable",
    "tombstones with `history` for all",
    "those of a dozen other people's sessions, twice",
    "the format of a newer version",
    "what was said shortened",
}
"""Each thing that a victim can see, and each way back, by some way of meeting it."""
IN_TURN = sorted(HISTORIES, key=lambda each: each.name not in QUICK)
WAYS = dict(zip(IN_TURN, cycle(Met), strict=False))


def rows() -> Iterator[ParameterSet]:
    """Each history in one way; `QUICK` by default, and in all ways by command."""
    for history, way in product(HISTORIES, Met):
        is_quick = history.name in QUICK
        if way is WAYS[history]:
            yield pytest.param(
                history, way, marks=() if is_quick else pytest.mark.endurance
            )
        elif is_quick:
            yield pytest.param(history, way, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return make_stage(tmp_path_factory.mktemp("stage"))


@pytest.mark.parametrize(("history", "met"), [*rows()], ids=lambda value: value.name)
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


def test_the_quick_ones_are_of_every_kind() -> None:
    quick = [each for each in HISTORIES if each.name in QUICK]
    assert len(quick) == len(QUICK)
    assert {each.saw for each in quick} == {each.saw for each in HISTORIES}
    assert {each.back for each in quick} == {each.back for each in HISTORIES}
    assert {WAYS[each] for each in quick} == {*Met}
