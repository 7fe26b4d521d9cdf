"""What gitmem does in the background, as processes that can be killed."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from crash.forking import Ended
from crash.killing import require_sound
from crash.scenarios import Scenario
from crash.warm import Command
from support.harness import git, record

from gitmem.actions.maintenance import tidy
from gitmem.git.opening import open_repository
from gitmem.git.packing import pack_own
from gitmem.store.session_store import SessionStore

_MONTH = 31 * 86_400.0


def pack() -> int:
    """In the working directory; the exit status is 0."""
    pack_own(open_repository(Path(), os.environ))
    return 0


def archive() -> int:
    """The same, a month from now."""
    store = _store(Path())
    tidy(Path(".git"), store.lock, store.journal, time.time() + _MONTH)
    return 0


@dataclass
class PackingScenario(Scenario):
    """Packs of sessions to combine."""

    goals: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        git(self.folder, "config", "gc.autoPackLimit", "9")

    def prepare(self) -> Command:
        store = _store(self.folder)
        for _ in range(8):
            self.goals.append(f"goal {len(self.goals)}")
            store.append(record(self.goals[-1], goal=self.goals[-1]))
        store.replay()
        return Command(self.folder, (), entry="crash.maintenance:pack")

    def check(self, ended: Ended) -> None:
        assert ended.is_killed or ended.status == 0, ended
        require_sound(self.folder)
        sessions = _store(self.folder).memory().newest()
        assert sorted(each.goal for each in sessions) == sorted(self.goals)


@dataclass
class PuttingAwayScenario(Scenario):
    """Journals of conversations that are over, and one that is resumed each time."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    def prepare(self) -> Command:
        store = _store(self.folder)
        for number in range(8):
            client, said = f"client-{number}", self.lines.setdefault(str(number), [])
            said.append(f"line {len(said)}")
            store.append(record(client, goal=str(number), decisions=(said[-1],)))
        store.replay()
        return Command(self.folder, (), entry="crash.maintenance:archive")

    def check(self, ended: Ended) -> None:
        assert ended.is_killed or ended.status == 0, ended
        store = _store(self.folder)
        store.replay()
        sessions = store.memory().newest()
        assert {each.goal: list(each.decisions) for each in sessions} == self.lines
        assert len(store.journal.names()) == len(self.lines)


def _store(folder: Path) -> SessionStore:
    return SessionStore(open_repository(folder, os.environ))
