"""kill -9 of clones that push to one remote at the same time, and merge what waits.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_crowd.py -s
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import pytest
from crash.forking import Ended
from crash.killing import require_soon, require_sound
from crash.warm import Command, Warm, warm
from support.clones import make_clones, remote_in
from support.harness import git
from support.rounds import chance, rounds

pytestmark = pytest.mark.endurance

CLONES = 8
FRESH_AFTER = 20
"""Rounds with one remote: what is looked at grows with each."""
REF, INBOX = "refs/ocm/sessions", "refs/ocm/inbox"


@pytest.fixture
def crew() -> Iterator[list[Warm]]:
    """A process for each clone, so that all of them sync at once."""
    with ExitStack() as stack:
        yield [stack.enter_context(warm()) for _ in range(CLONES)]


@dataclass
class Crowd:
    place: Path
    crew: list[Warm]
    moments: Random
    counts: Counter[str]
    saved: set[str] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    """What a sync that ended with 0 has sent."""

    def __post_init__(self) -> None:
        self.place.mkdir()
        self.folders = [each.folder for each in make_clones(self.place, CLONES)]
        git(remote_in(self.place), "config", "gc.autoDetach", "false")
        for folder in self.folders:  # the remote does not die with its client
            far = "setsid --wait git-receive-pack"
            git(folder, "config", "remote.origin.receivepack", far)

    def round(self, number: int) -> None:
        goals = [f"Goal {number:06} of {each}." for each in range(CLONES)]
        saving = [("checkpoint", "--goal", goal) for goal in goals]
        for ended in self._all(saving, [None] * CLONES):
            require_soon(ended)
        self.saved.update(goals)
        for _ in range(2):  # who sends, and then who merges as well
            self._kill_some(goals)
            require_sound(remote_in(self.place))
            assert self.acknowledged <= self._at_remote()
        self._require_all()

    def _kill_some(self, goals: list[str]) -> None:
        kills = [
            self.moments.choice([None, self.moments.uniform(0, 1.5)])
            for _ in self.folders
        ]
        for goal, ended in zip(
            goals, self._all([("sync",)] * CLONES, kills), strict=True
        ):
            self.counts["killed" if ended.is_killed else "not killed"] += 1
            self.counts["waited"] += "waits there" in ended.out
            assert ended.status == 0 or ended.is_killed, ended
            if ended.status == 0:
                self.acknowledged.add(goal)

    def _all(
        self, commands: Sequence[tuple[str, ...]], kills: Sequence[float | None]
    ) -> list[Ended]:
        def ran(number: int) -> Ended:
            command = Command(self.folders[number], commands[number])
            return self.crew[number].ran(command, kills[number])

        with ThreadPoolExecutor(CLONES) as pool:
            return [*pool.map(ran, range(CLONES))]

    def _at_remote(self) -> set[str]:
        """Goals that the ref has, or what waits for it."""
        at = partial(git, remote_in(self.place))
        refs = at("for-each-ref", "--format=%(refname)", REF, INBOX).split()
        found = (at("grep", "-h", "^Goal ", ref) for ref in refs)
        return {line for text in found for line in text.splitlines()}

    def _require_all(self) -> None:
        """After a last sync nothing waits, and all have all of it.

        A git that was killed leaves the lock of all refs; a user is told to remove it.
        """
        for folder in self.folders:
            (folder / ".git" / "packed-refs.lock").unlink(missing_ok=True)
            require_soon(self.crew[0].ocm(folder, "sync"))
        for ended in self._all([("sync",)] * CLONES, [None] * CLONES):
            require_soon(ended)
        remote = remote_in(self.place)
        assert git(remote, "for-each-ref", INBOX) == ""
        tips = {git(each, "rev-parse", REF) for each in (*self.folders, remote)}
        assert len(tips) == 1
        assert self.saved <= self._at_remote()
        for folder in self.folders:
            assert git(folder, "for-each-ref", "refs/ocm/remotes/origin/inbox") == ""


def test_killed_crowd_loses_nothing_sent(tmp_path: Path, crew: list[Warm]) -> None:
    counts, moments = Counter[str](), chance()
    for first in range(0, often := rounds(5), FRESH_AFTER):
        crowd = Crowd(tmp_path / str(first), crew, moments, counts)
        for number in range(first, min(first + FRESH_AFTER, often)):
            crowd.round(number)
    print(dict(counts))
    assert counts["killed"]
