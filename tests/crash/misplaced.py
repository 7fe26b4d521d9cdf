"""Something else in the place of a file or folder of ours, and what has to hold then.

A `Spot` is such a place, a `Stranger` what stands there. Nobody waits for it, nothing
is written through a link, nothing acknowledged is lost, whoever has to wait is told
where it is, and `ocm doctor --fix` moves it aside, or says what to do.
"""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from crash.forking import Ended
from crash.killing import require_sound
from crash.scenarios import client_id, memory_of
from crash.warm import HOOK, OCM, Command, Warm
from hook.calls import Call, claude, edit, install, stdin_of
from support.clones import make_clones
from support.doctor import quick_python
from support.harness import git, record
from support.installing import times, tree
from support.transcripts import claude_code_file
from support.workspaces import workspace_at

from gitmem.actions.doctor.finding import FIX
from gitmem.store.path_conflicts import IF_MEANT

LONGEST = 10
"""Seconds for one command, on a machine that does other things as well."""
EDITED, PENDING, ENDED = "edited", "pending", "ended"
"""Conversations: one with hooks, one with a checkpoint that waits, one put away."""
_AS_HOOKS_START_IT = "[ ! -x .git/ocm/run ] || .git/ocm/run git pre-push origin url"
_ENDED_BY_US = (-signal.SIGALRM, 124, 128 + signal.SIGKILL)


def limited() -> None:
    """Run `ENTRY ARGUMENTS`; the system ends it after LONGEST seconds."""
    signal.alarm(LONGEST)
    module, _, function = sys.argv.pop(1).partition(":")
    main: Any = getattr(importlib.import_module(module), function)
    main()


class Stranger(Enum):
    FILE = "a file where a folder should be"
    FOLDER = "a folder where a file should be"
    EMPTY = "an empty file"
    PIPE = "a pipe"
    NOWHERE = "a link to nothing"
    ELSEWHERE = "a link out of the repository"

    def put(self, path: Path, outside: Path) -> None:
        match self:
            case Stranger.FILE:
                path.write_text("theirs")
            case Stranger.FOLDER:
                path.mkdir()
                (path / "file").write_text("theirs")
            case Stranger.EMPTY:
                path.touch()
            case Stranger.PIPE:
                os.mkfifo(path)
            case Stranger.NOWHERE:
                path.symlink_to(outside / "nothing")
            case Stranger.ELSEWHERE:
                path.symlink_to(outside)


@dataclass(frozen=True, slots=True)
class Spot:
    path: str
    """In the common dir, as a pattern where names are not known before."""
    is_folder: bool = False


_FOLDERS = (
    *("ocm", "ocm/journal", "ocm/journal/past", "ocm/kept", "ocm/sessions"),
    "ocm-index",
)
_FILES = (
    *("ocm/lock", "ocm/index.lock", "ocm/sync.lock", "ocm/packing.lock"),
    *("ocm/push.lock", "ocm/push-next.lock", "ocm/log", "ocm/run", "ocm/sync.json"),
    *("ocm/taken.json", "ocm/installed.json", "ocm/forgotten", "ocm/packs"),
    "ocm/unsaid.json",
    *("ocm/packed", "ocm/packing-failed", "ocm/pulled", "ocm/push-failed"),
    *("ocm/share-declined", "ocm/told-.git", "ocm/sessions/*.md"),
    *(f"ocm/journal/{EDITED}.jsonl", f"ocm/journal/{EDITED}.mark"),
    *("ocm/journal/new.jsonl", "ocm/journal/new.mark"),
    *(f"ocm/journal/past/{ENDED}.json", f"ocm/journal/past/{ENDED}.left"),
    *("ocm/kept/[0-9a-f]*", "ocm/kept/*.idx", "ocm/kept/*.pack"),
    *("ocm-index/meta.json", "ocm-index/.managed.json", "ocm-index/*.store"),
    *("ocm-index/.tantivy-writer.lock", "ocm-index/.tantivy-meta.lock"),
)
_ANYWHERE = (Stranger.PIPE, Stranger.NOWHERE, Stranger.ELSEWHERE)
CELLS = [
    *product((Spot(path, is_folder=True) for path in _FOLDERS), [Stranger.FILE]),
    *product(map(Spot, _FILES), (Stranger.FOLDER, Stranger.EMPTY)),
    *product(
        (*(Spot(p, is_folder=True) for p in _FOLDERS), *map(Spot, _FILES)), _ANYWHERE
    ),
]


@dataclass
class Scenario:
    """A repository in which everything of ours is there, made anew for each cell."""

    place: Path
    warm: Warm
    acknowledged: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._make()
        self._clones.rename(self.place / "as made")

    @property
    def folder(self) -> Path:
        return self._clones / "0"

    @property
    def git_dir(self) -> Path:
        return self.folder / ".git"

    @property
    def _clones(self) -> Path:
        return self.place / "clones"

    def renew(self) -> None:
        if self._clones.exists():
            shutil.rmtree(self._clones)
        subprocess.run(
            ["cp", "-a", self.place / "as made", self._clones], check=True
        )  # with hard links
        self.acknowledged = {"First goal", "Waiting goal"}

    def path_of(self, spot: Spot) -> Path:
        found = sorted(self.git_dir.glob(spot.path))
        assert found or "*" not in spot.path, spot
        return found[0] if found else self.git_dir / spot.path

    def ocm(self, *arguments: str, entry: str = OCM) -> Ended:
        return self._ended(Command(self.folder, arguments, entry))

    def program(self, *arguments: str) -> Ended:
        limits = ("--kill-after=1", str(LONGEST))
        ended = self.warm.ran(Command(self.folder, (*limits, *arguments), "timeout"))
        assert ended.status not in _ENDED_BY_US, ended
        return ended

    def hear(self, call: Call) -> None:
        stdin, variables = stdin_of(call).decode(), call.variables
        ended = self._ended(
            Command(self.folder, ("claude-code",), HOOK, stdin, variables)
        )
        assert (ended.status, ended.err) == (0, "")

    def save(self, goal: str) -> Ended:
        ended = self.ocm("checkpoint", "--goal", goal, "--json")
        if ended.status == 0 or "safe in the journal" in ended.err:
            self.acknowledged.add(goal)
        return ended

    def doctor(self, *options: str) -> Any:
        return json.loads(self.ocm("doctor", "--json", *options).out)

    def end_what_is_left(self) -> None:
        """Processes that nobody waits for, also those that wait for a pipe."""
        self.warm.ran(Command(self.folder, (), "true"), kill_after=0.0)

    def _ended(self, command: Command) -> Ended:
        entry = "crash.misplaced:limited"
        arguments = (command.entry, *command.arguments)
        stdin, variables = command.stdin, command.variables
        ended = self.warm.ran(Command(self.folder, arguments, entry, stdin, variables))
        said = ended.out + ended.err
        assert ended.status not in _ENDED_BY_US, f"{command} waits"
        assert "Traceback" not in said, ended
        assert "defect" not in said, ended
        return ended

    def _make(self) -> None:
        make_clones(self._clones, 1)
        done = [
            self.ocm("init", "--assistant", "claude", "--yes"),
            self.save("First goal"),
            self.ocm("import", "claude-code", str(self._transcripts())),
            self.ocm("search", "goal"),
            self.ocm("sync"),
        ]
        assert [ended.status for ended in done] == [0] * len(done), done
        install(self.folder, str(quick_python(self.place)))
        for conversation in (EDITED, ENDED):
            self.hear(claude("SessionStart-startup", self.folder, conversation))
        store = workspace_at(self.folder).store
        store.replay()
        store.journal.archive(ENDED)
        assert store.journal.past.get(ENDED)
        store.append(record(PENDING, goal="Waiting goal"))
        copies = self.git_dir / "ocm" / "sessions"
        copies.mkdir()
        (copies / f"{next(memory_of(self.folder).ids())}.md").touch()

    def _transcripts(self) -> Path:
        """So many that there is a pack of ours."""
        folder = self.place / "transcripts"
        for number in range(40):
            prompt = f"Imported {number}"
            claude_code_file(folder, client_id(number), prompt, cwd=self.folder)
        return folder


@dataclass(frozen=True, slots=True)
class Outside:
    """What no link of the repository is to lead us to."""

    place: Path

    def __post_init__(self) -> None:
        folder = self.place / "folder"
        shutil.rmtree(self.place, ignore_errors=True)
        folder.mkdir(parents=True)
        names = ("told-x", ".a.1.2", "x.mark", "x.jsonl", "y.json", "z.left", "1" * 40)
        for file in (self.place / "file", *(folder / name for name in names)):
            file.write_text("theirs")
            os.utime(file, (1, 1))  # old enough for whoever sweeps

    def what_a_link_leads_to(self, spot: Spot) -> Path:
        return self.place / ("folder" if spot.is_folder else "file")

    def state(self) -> set[object]:
        return {*tree(self.place).items(), *times(self.place).items()}


def try_cell(scenario: Scenario, spot: Spot, stranger: Stranger) -> None:
    """Put the stranger there, and look at everything that has to hold."""
    scenario.renew()
    outside = Outside(scenario.place / "outside")
    path, before = scenario.path_of(spot), outside.state()
    _put(scenario, spot, stranger, path, outside)
    try:
        _work_goes_on(scenario, path)
        _doctor_names_it(scenario, spot, path)
        left = scenario.doctor("--fix")["left"]
        is_left = _is_misplaced(spot, path)
        if is_left:
            assert [each["mend"] for each in _about(path, left)] == [IF_MEANT]
        else:
            _all_is_well(scenario)
    finally:
        scenario.end_what_is_left()
    changed = outside.state() ^ before
    assert not changed, changed
    require_sound(scenario.folder)
    if stranger in (Stranger.FILE, Stranger.FOLDER) and "ocm-index" not in spot.path:
        assert any(f.read_bytes() == b"theirs" for f in _files(path.parent))


def _put(
    scenario: Scenario, spot: Spot, stranger: Stranger, path: Path, outside: Outside
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    is_lost = f"ocm/journal/{PENDING}.jsonl".startswith(f"{spot.path}/")
    scenario.acknowledged -= {"Waiting goal"} if is_lost else set()
    stranger.put(path, outside.what_a_link_leads_to(spot))


def _work_goes_on(scenario: Scenario, path: Path) -> None:
    """But for checkpoints, which may have to wait, and say what for."""
    scenario.hear(edit(scenario.folder, str(scenario.folder / "file.txt"), EDITED))
    scenario.hear(claude("UserPromptSubmit", scenario.folder, "new"))
    scenario.program("sh", "-c", _AS_HOOKS_START_IT)
    scenario.program("git", "commit", "--quiet", "--allow-empty", "--message=any")
    saved = scenario.save("Second goal")
    assert saved.status == 0 or str(path) in saved.err, saved
    for command in ("search goal", "log", "brief", "sync"):
        scenario.ocm(*command.split())
    later = (str(scenario.folder), EDITED, "session-end", "claude-code", "")
    scenario.ocm("later", *later, entry=HOOK)
    commit = git(scenario.folder, "rev-parse", "HEAD")
    scenario.ocm("git", "post-commit", commit, "told-.git", entry=HOOK)


def _doctor_names_it(scenario: Scenario, spot: Spot, path: Path) -> None:
    if _is_misplaced(spot, path):
        found = _about(path, scenario.doctor())
        assert {each["mend"] for each in found} & {FIX, IF_MEANT}, path


def _all_is_well(scenario: Scenario) -> None:
    assert scenario.save("Third goal").status == 0
    found = scenario.ocm("search", "Third goal", "--json")
    assert "Third goal" in found.out
    goals = {session.goal for session in memory_of(scenario.folder).newest()}
    assert scenario.acknowledged <= goals


def _about(path: Path, findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is said of it, by the check of places or where nothing can be opened."""
    mine = [each for each in findings if each["code"] in ("place", "repository")]
    grave = [each for each in mine if each["grade"] == "problem"]
    return [e for e in grave if str(path) in (e["where"], e["what"].split(" ")[0])]


def _is_misplaced(spot: Spot, path: Path) -> bool:
    if path.is_symlink():
        return True
    return path.exists() and not (path.is_dir() if spot.is_folder else path.is_file())


def _files(folder: Path) -> Iterator[Path]:
    return filter(partial(Path.is_file), folder.rglob("*"))
