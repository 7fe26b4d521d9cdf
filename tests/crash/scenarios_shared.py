"""What is killed: the commands that take out of the memory, and that exchange it."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from crash.forking import Ended
from crash.killing import require_soon, require_sound
from crash.scenarios import Scenario, memory_of
from crash.warm import Command, Warm
from remote.clones import of_the_user
from support.clones import make_clones, remote_in
from support.harness import git


@dataclass
class ForgetScenario(Scenario):
    """`ocm forget`, beside sessions that stay."""

    options: tuple[str, ...] = ("--yes", "--json")
    kept: set[str] = field(default_factory=set)

    def prepare(self) -> Command:
        self.number += 1
        self.kept.add(saved(self, f"Kept {self.number:06}."))
        forgotten = saved(self, self._secret)
        return self._forget(forgotten)

    def check(self, ended: Ended) -> None:
        listed = {each["session_id"] for each in self.listed()}
        assert self.kept <= listed
        if ended.status == 0:
            assert not listed - self.kept
        for gone in listed - self.kept:
            require_soon(self.warm.ran(self._forget(gone)))
        assert {each["session_id"] for each in self.listed()} == self.kept
        self.require_gone()

    def require_gone(self) -> None:
        assert self._secret not in git(
            self.folder, "grep", "-h", "", "refs/ocm/sessions"
        )

    def _forget(self, session_id: str) -> Command:
        return Command(self.folder, ("forget", session_id, *self.options))

    @property
    def _secret(self) -> str:
        return f"Forgotten {self.number:06}."


@dataclass
class ForgetHistoryScenario(ForgetScenario):
    """`ocm forget --history`, which rewrites what the memory was."""

    options: tuple[str, ...] = ("--history", "--yes", "--json")
    last: str = ""

    def prepare(self) -> Command:
        command = super().prepare()
        self.last = command.arguments[1]
        return command

    def require_gone(self) -> None:
        """Once it is done again, where a part of it is left to do."""
        again = self.warm.ran(self._forget(self.last))
        assert again.status == 0 or "was forgotten already" in again.err, again
        assert self._secret not in git(self.folder, "log", "-p", "refs/ocm/sessions")


@dataclass
class SyncScenario:
    """`ocm sync`, by turns with and without news of another clone."""

    place: Path
    warm: Warm
    number: int = 0
    saved: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.place.mkdir()
        clones = make_clones(self.place, 2)
        self.folder, self.other = (each.folder for each in clones)
        far = "setsid --wait git-receive-pack"  # the remote does not die with us
        git(self.folder, "config", "remote.origin.receivepack", far)
        self.remote_before = of_the_user(remote_in(self.place))

    def prepare(self) -> Command:
        self.number += 1
        if self.number % 3:
            self._save(self.other)
            require_soon(self.warm.ocm(self.other, "sync"))
        self._save(self.folder)
        return Command(self.folder, ("sync", "--json"))

    def check(self, ended: Ended) -> None:
        del ended
        require_sound(remote_in(self.place))
        for clone in (self.folder, self.other, self.folder):
            require_soon(self.warm.ocm(clone, "sync", "--json"))
        for clone in (self.folder, self.other):
            assert self.saved <= {s.goal for s in memory_of(clone).newest()}
        tips = {
            git(clone, "rev-parse", "refs/ocm/sessions")
            for clone in (self.folder, self.other, remote_in(self.place))
        }
        assert len(tips) == 1
        assert of_the_user(remote_in(self.place)) == self.remote_before

    def _save(self, clone: Path) -> None:
        goal = f"Goal {len(self.saved):06} of {clone.name}."
        require_soon(self.warm.ocm(clone, "checkpoint", "--goal", goal))
        self.saved.add(goal)


def saved(scenario: Scenario, goal: str) -> str:
    """The id of a session that is new."""
    ended = scenario.ocm("checkpoint", "--goal", goal, "--json")
    return str(json.loads(ended.out)["session_id"])
