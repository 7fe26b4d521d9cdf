"""Something else in the place of a file or folder of ours, and what has to hold then.

Nobody waits for it, nothing is written through a link, nothing acknowledged is lost,
and whoever has to wait for it is told where it is.
"""

import importlib
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from crash.killing import require_sound
from crash.scenarios import memory_of
from crash.warm import HOOK, OCM, Command, Warm
from hook.calls import claude, stdin_of
from support.harness import make_repository
from support.rounds import few

LONGEST = 10
"""Seconds for one command, on a machine that does other things as well."""
FOLDERS = ("ocm", "ocm/journal")
FILES = (
    *("ocm/lock", "ocm/index.lock", "ocm/log", "ocm/packs", "ocm/journal/*.jsonl"),
    "ocm/journal/*.mark",
)


def limited() -> None:
    """Run `ENTRY ARGUMENTS`; the system ends it after LONGEST seconds."""
    signal.alarm(LONGEST)
    module, _, function = sys.argv.pop(1).partition(":")
    main: Any = getattr(importlib.import_module(module), function)
    main()


def a_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def a_pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


def the_other_kind(path: Path, _: Path) -> None:
    if path.name in ("ocm", "journal"):
        path.touch()
    else:
        path.mkdir()


@pytest.mark.endurance
@few(6, "name", FOLDERS + FILES)
@pytest.mark.parametrize("put", [a_link, a_pipe, the_other_kind])
def test_nothing_in_our_place_costs_a_checkpoint(
    processes: Warm, tmp_path: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    folder, outside = make_repository(tmp_path / "r"), tmp_path / "outside"
    saved = save(processes, folder, "First goal")
    assert saved == (0, "")
    found = sorted((folder / ".git").glob(name))
    place = found[0] if found else folder / ".git" / name
    if place.exists():
        place.rename(tmp_path / "ours")
    outside.mkdir()
    put(place, outside)

    is_safe = is_told = True
    for goal in ("Second goal", "Third goal"):
        status, said = save(processes, folder, goal)
        is_safe = is_safe and (status == 0 or "safe in the journal" in said)
        is_told = is_told and (status == 0 or str(place) in said)
    assert is_told
    event = claude("UserPromptSubmit", folder, "new")
    heard = bounded(processes, folder, "claude-code", entry=HOOK, stdin=stdin_of(event))
    assert heard[0] == 0
    for command in ("search goal", "brief", "doctor"):
        bounded(processes, folder, *command.split())
    assert list(outside.iterdir()) == []

    if not place.is_symlink() and place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    if (tmp_path / "ours").exists():
        (tmp_path / "ours").rename(place)
    assert save(processes, folder, "Last goal")[0] == 0
    goals = {session.goal for session in memory_of(folder).newest()}
    assert goals >= {"First goal", "Last goal"}
    assert not is_safe or goals >= {"Second goal", "Third goal"}
    require_sound(folder)


def save(processes: Warm, folder: Path, goal: str) -> tuple[int, str]:
    return bounded(processes, folder, "checkpoint", "--goal", goal, "--json")


def bounded(
    processes: Warm,
    folder: Path,
    *arguments: str,
    entry: str = OCM,
    stdin: bytes = b"",
) -> tuple[int, str]:
    """The status and what was said on stderr, by whoever does not wait for ever."""
    limits = "crash.test_path_conflicts:limited"
    command = Command(folder, (entry, *arguments), limits, stdin.decode())
    ended = processes.ran(command)
    assert ended.status != -signal.SIGALRM, f"{arguments} waits"
    assert "Traceback" not in ended.out + ended.err, ended
    return ended.status, ended.err
