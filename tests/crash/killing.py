"""Commands killed at random moments, again and again, and what has to hold afterwards.

A `Scenario` is a repository with something to do in it. In each round its next command
is killed somewhere before the end that it would have had; then nothing
may be broken, and the commands that follow have to work as if nothing had happened.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from crash.forking import Ended
from crash.warm import Command, Warm
from remote.clones import of_the_user
from support.harness import git
from support.rounds import chance

PATIENCE = 10.0
"""Seconds that a killed process may make others wait."""
_SLACK = 3.0
"""Seconds for the command itself, on a machine that does other things as well."""
_PAST_ITS_END = 1.1
"""Moments are drawn up to this share of how long the command took the last time that
nobody killed it: a machine that was slow when it was measured is not slow for ever."""
_FRESH_AFTER = 20
"""Rounds in one repository: what is looked at grows with each."""
_MOST_LEFT = 4
"""Files that kills may leave in a repository, whatever their number."""
_LITTER = re.compile(r"/\.[^/]*\.\d+(\.ocm)?$|/told-|\.lock$|/tmp_")


class Scenario(Protocol):
    """Where a command is killed."""

    folder: Path

    def prepare(self) -> Command:
        """What is killed next."""

    def check(self, ended: Ended) -> None:
        """The commands that follow work, and nothing acknowledged is lost."""


def kill_often(
    made: Callable[[Path, Warm], Scenario], place: Path, warm: Warm, often: int
) -> None:
    """Kill the next command of a scenario until it was killed so often."""
    moments = chance()
    lasts = _duration(made(place / "measured", warm), warm)
    kills = tries = 0
    while kills < often:
        scenario = made(place / str(tries), warm)
        for _ in range(_FRESH_AFTER):
            ended = _round(scenario, warm, moments.uniform(0, _PAST_ITS_END * lasts))
            kills, tries = kills + ended.is_killed, tries + 1
            if not ended.is_killed:
                lasts = ended.seconds
            if kills == often:
                break
        require_tidy(scenario.folder)
        assert tries < 5 * often + 20, f"it ends before {lasts:.3f} s"
    print(f"{kills} kills in {tries} rounds, within {1000 * lasts:.0f} ms")


def require_sound(folder: Path) -> None:
    """Git finds nothing wrong, with objects, refs and what they lead to."""
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""


def require_soon(ended: Ended) -> Ended:
    """It succeeded, and waited for nobody who is gone."""
    assert ended.status == 0, ended
    assert ended.seconds < PATIENCE + _SLACK, ended
    return ended


def require_tidy(folder: Path) -> None:
    """What killed processes leave does not grow with their number."""
    litter = [path for path in litter_in(folder) if not path.name.startswith("tmp_")]
    assert len(litter) <= _MOST_LEFT, litter


def litter_in(folder: Path) -> list[Path]:
    """Files that only a process that was killed leaves."""
    return [path for path in folder.rglob("*") if _LITTER.search(str(path))]


def _duration(scenario: Scenario, warm: Warm) -> float:
    """Seconds that the command takes when nobody kills it, the second time."""
    return [warm.succeeded(scenario.prepare()).seconds for _ in range(2)][-1]


def _round(scenario: Scenario, warm: Warm, moment: float) -> Ended:
    command = scenario.prepare()
    before = of_the_user(scenario.folder / ".git")
    ended = warm.ran(command, kill_after=moment)
    require_sound(scenario.folder)
    scenario.check(ended)
    assert of_the_user(scenario.folder / ".git") == before
    return ended
