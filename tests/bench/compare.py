"""Shows whether two installations of gitmem do the same, and how fast each is.

    python tests/bench/compare.py BEFORE AFTER [SCENARIO ...] [--rounds 15]

BEFORE and AFTER are the Python interpreters of two virtual environments. Each replays
the scenarios of `replays.py` at the same path; what commands, hooks and the MCP server
print, the texts of all documents and the names of all objects have to be the same. Then
commands are timed in turn. The exit status is 1 where something differs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import in_turn
from bench.replays import SCENARIOS, import_january, replay
from bench.sandbox import Sandbox

SHOWN = 5
"""Differing lines of a scenario that are printed."""
WIDTH = 120
"""Characters of such a line, around where it begins to differ."""
FLOOR = "import pygit2, tantivy, typer"

Steps = Mapping[str, list[str]]
Place = tuple[Path, Sandbox, Path]
"""An interpreter, and where it is at work."""


def main() -> None:
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []])
    parser.add_argument("--rounds", type=int, default=15, help="0: nothing is timed")
    given = parser.parse_args()
    pythons = given.before.absolute(), given.after.absolute()
    with tempfile.TemporaryDirectory(prefix="compare-") as scratch:
        folder = Path(scratch).resolve()
        is_equal = compare(pythons, folder, given.scenarios or [*SCENARIOS])
        if given.rounds:
            speeds(pythons, folder, given.rounds)
    sys.exit(0 if is_equal else 1)


def compare(pythons: tuple[Path, Path], folder: Path, names: list[str]) -> bool:
    """Print a row for each scenario; return whether all are equal."""

    def both(name: str) -> list[Steps]:
        return [replay(each, folder / name, name) for each in pythons]

    is_equal = True
    print(f"{'scenario':12} {'steps':>6} {'lines':>8}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (before, after) in zip(names, pool.map(both, names), strict=True):
            found = list(differences(before, after))
            lines = sum(map(len, before.values()))
            said = f"{len(found)} lines differ" if found else "equal"
            print(f"{name:12} {len(before):6} {lines:8} {said}", flush=True)
            print("".join(found[:SHOWN]), end="")
            is_equal = is_equal and not found
    return is_equal


def differences(before: Steps, after: Steps) -> Iterator[str]:
    """Yield a text for each line that differs."""
    for step in dict.fromkeys([*before, *after]):
        pairs = zip_longest(before.get(step, []), after.get(step, []), fillvalue="")
        for number, (was, now) in enumerate(pairs, 1):
            if was != now:
                shown = around_difference(was, now)
                yield "  {}, line {}\n  - {}\n  + {}\n".format(step, number, *shown)


def around_difference(was: str, now: str) -> tuple[str, str]:
    letters = enumerate(zip_longest(was, now))
    first = next(number for number, (old, new) in letters if old != new)
    part = slice(max(0, first - WIDTH // 3), first + WIDTH)
    return was[part], now[part]


def speeds(pythons: tuple[Path, Path], folder: Path, rounds: int) -> None:
    """Time each command of both in turn, beside an interpreter with the libraries."""
    ready = [
        prepare(python, folder / name)
        for python, name in zip(pythons, ("before", "after"), strict=True)
    ]
    print(f"\nmilliseconds, median of {rounds}; in brackets in times of `{FLOOR}`")
    print(f"{'command':22} {'before':>14} {'after':>14} {'after / before':>15}")
    for name, (command, given) in COMMANDS.items():
        works = {
            str(n): partial(run, each, command, given) for n, each in enumerate(ready)
        }
        works["floor"] = partial(run, ready[0], ["python", "-c", FLOOR], nothing)
        taken = in_turn(works, rounds + 1).values()
        before, after, floor = (median(times[1:]) for times in taken)
        shown = [f"{each:6.0f} ({each / floor:.2f})" for each in (before, after)]
        print(f"{name:22} {shown[0]:>14} {shown[1]:>14} {after / before:15.2f}")


def prepare(python: Path, folder: Path) -> Place:
    """Import a week of sessions, and send them to a bare repository."""
    sandbox = Sandbox(python, folder)
    at = import_january(sandbox)
    remote = str(folder / "remote.git")
    sandbox.run(at, "git", "clone", "--quiet", "--bare", ".", remote)
    sandbox.run(at, "git", "remote", "add", "origin", remote)
    sandbox.ocm(at, "share", "on", "--yes", "--despite-findings")
    sandbox.ocm(at, "search", "warm")
    return python, sandbox, at


def run(place: Place, command: list[str], given: Callable[[Path], str]) -> None:
    """Run a command; raise CalledProcessError where it fails."""
    python, sandbox, at = place
    program = str(python.parent / command[0])
    subprocess.run(
        [program, *command[1:]],
        cwd=at,
        env=sandbox.environment(),
        input=given(at),
        capture_output=True,
        check=True,
        text=True,
    )


def nothing(_: Path) -> str:
    return ""


def session_start(at: Path) -> str:
    """The event as Claude Code sends it, of a new conversation."""
    return json.dumps(
        {
            "session_id": f"start-{time.time_ns()}",
            "cwd": str(at),
            "hook_event_name": "SessionStart",
            "source": "startup",
        }
    )


def checkpoint(_: Path) -> str:
    done = [f"Step {time.time_ns()}"]
    return json.dumps({"client_session_id": "timed", "work_completed": done})


COMMANDS: dict[str, tuple[list[str], Callable[[Path], str]]] = {
    "ocm list": (["ocm", "list"], nothing),
    "ocm search": (["ocm", "search", "shadow", "branch", "cleanup"], nothing),
    "ocm sync, nothing new": (["ocm", "sync"], nothing),
    "session start": (["ocm-hook", "claude-code"], session_start),
    "ocm checkpoint": (["ocm", "checkpoint", "--input=-"], checkpoint),
}


if __name__ == "__main__":
    main()
