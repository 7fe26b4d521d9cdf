"""What is killed: the commands that write, each with what it is about."""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import crash.saving as saver
from crash.forking import Ended
from crash.killing import require_soon
from crash.warm import Command, Warm
from support.harness import NOON, make_repository
from support.transcripts import claude_code_file
from support.workspaces import workspace_at

from gitmem.store.trees.session_tree import SessionTree


def memory_of(folder: Path) -> SessionTree:
    return workspace_at(folder).store.memory()


def client_id(number: int) -> str:
    return str(UUID(int=number))


@dataclass
class Scenario:
    folder: Path
    warm: Warm
    number: int = 0

    def __post_init__(self) -> None:
        make_repository(self.folder)

    def ocm(self, *arguments: str, stdin: str = "") -> Ended:
        """The next command, which nothing holds up."""
        return require_soon(self.warm.ran(Command(self.folder, arguments, stdin=stdin)))

    def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(
            self.ocm("list", "--json", "--limit", "1000").out
        )
        return found


@dataclass
class CheckpointScenario(Scenario):
    """`ocm checkpoint`, by turns of a new session and of one that is there."""

    acknowledged: set[str] = field(default_factory=set)

    def prepare(self) -> Command:
        self.number += 1
        text = saver.said(self.number)
        named = ("--session", "last") if self.number % 2 and self.acknowledged else ()
        said = ("--goal", text, "--decision", text, "--json")
        return Command(self.folder, ("checkpoint", *named, *said))

    def check(self, ended: Ended) -> None:
        if ended.out.endswith("}\n"):
            self.acknowledged.add(saver.said(self.number))
        self.ocm("list", "--json")
        require_all(self.folder, self.acknowledged)


@dataclass
class SavingScenario(Scenario):
    """Many checkpoints in one process, each acknowledged by itself."""

    acknowledged: set[str] = field(default_factory=set)

    def prepare(self) -> Command:
        self.number += 30
        arguments = (str(self.number), "30")
        return Command(self.folder, arguments, entry="crash.saving:main")

    def check(self, ended: Ended) -> None:
        numbers = ended.out.split("\n")[:-1]
        self.acknowledged |= {saver.said(int(number)) for number in numbers}
        self.ocm("list", "--json")
        require_all(self.folder, self.acknowledged)


@dataclass
class ImportScenario(Scenario):
    """`ocm import`, by turns of what becomes loose objects and what becomes a pack."""

    def prepare(self) -> Command:
        self.number += 1
        transcripts = self._transcripts()
        for each in range(40 if self.number % 2 else 6):
            began_at = NOON - timedelta(days=self.number, minutes=each)
            claude_code_file(
                transcripts,
                client_id(1000 * self.number + each),
                f"Prompt {each} of {self.number}.",
                cwd=self.folder,
                began_at=began_at,
            )
        arguments = ("import", "claude-code", str(transcripts), "--json")
        return Command(self.folder, arguments)

    def check(self, ended: Ended) -> None:
        before = sum(1 for _ in memory_of(self.folder).ids())
        again = self.ocm("import", "claude-code", str(self._transcripts()), "--json")
        told = json.loads(again.out)["sessions"]
        new = sum(each["outcome"] == "new" for each in told)
        sessions = [*memory_of(self.folder).newest()]
        assert len(sessions) == before + new
        names = {session.session_id for session in sessions}
        assert {each["session_id"] for each in told} <= names
        if ended.out:
            assert new == 0

    def _transcripts(self) -> Path:
        return self.folder.parent / f"{self.folder.name}-{self.number}"


@dataclass
class SearchScenario(Scenario):
    """`ocm search`, by turns after a few checkpoints, and without an index at all."""

    def prepare(self) -> Command:
        self.number += 1
        if self.number % 3:
            arguments = (str(9 * self.number), "9")
            self.warm.succeeded(
                Command(self.folder, arguments, entry="crash.saving:main")
            )
        else:
            index = self.folder / ".git" / "ocm-index"
            index.rename(self.folder.parent / f"index-{self.folder.name}-{self.number}")
        return self._search()

    def check(self, ended: Ended) -> None:
        del ended
        found = json.loads(require_soon(self.warm.ran(self._search())).out)
        assert [hit["goal"] for hit in found] == [self._goal]
        files = list((self.folder / ".git" / "ocm-index").iterdir())
        assert len(files) < 250, files

    def _search(self) -> Command:
        return Command(self.folder, ("search", self._goal, "--limit", "1", "--json"))

    @property
    def _goal(self) -> str:
        return saver.goal_of(9 * (self.number - (self.number % 3 == 0)))


def require_all(folder: Path, said: set[str]) -> None:
    """Each of these decisions is in the memory."""
    memory = memory_of(folder)
    text = "".join(filter(None, map(memory.readable_text, memory.ids())))
    lost = {each for each in said if each not in text}
    assert not lost, sorted(lost)
