"""Shows that two installations of gitmem do the same, and how fast each is.

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
from itertools import zip_longest
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.replays import SCENARIOS, Place, january, replayed

SHOWN = 5
"""Differing lines of a scenario that are printed."""
WIDTH = 120
"""Characters of such a line, around where it begins to differ."""
FLOOR = "import pygit2, tantivy, typer"

Steps = Mapping[str, list[str]]


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
    """Whether every scenario comes out equal; prints a row for each."""

    def both(name: str) -> list[Steps]:
        return [replayed(each, folder / name, name) for each in pythons]

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
    for step in dict.fromkeys([*before, *after]):
        pairs = zip_longest(before.get(step, []), after.get(step, []), fillvalue="")
        for number, (was, now) in enumerate(pairs, 1):
            if was != now:
                begin = max(0, len(os.path.commonprefix([was, now])) - WIDTH // 3)
                shown = (line[begin : begin + WIDTH] for line in (was, now))
                yield "  {}, line {}\n  - {}\n  + {}\n".format(step, number, *shown)


def speeds(pythons: tuple[Path, Path], folder: Path, rounds: int) -> None:
    """Time each command of both in turn, beside an interpreter with the libraries."""
    names = ("before", "after")
    ready = [
        prepared(*each)
        for each in zip(pythons, map(folder.joinpath, names), strict=True)
    ]
    print(f"\nmilliseconds, median of {rounds}; in brackets in times of `{FLOOR}`")
    print(f"{'command':22} {'before':>14} {'after':>14} {'after / before':>15}")
    for name, (command, given) in COMMANDS.items():
        taken: list[list[float]] = [[], [], []]
        for _ in range(rounds + 1):
            for times, (python, place, at) in zip(taken, ready, strict=False):
                program = str(python.parent / command[0])
                times.append(timed([program, *command[1:]], at, place, given(at)))
            python, place, at = ready[0]
            taken[2].append(timed([str(python), "-c", FLOOR], at, place, ""))
        before, after, floor = (median(times[1:]) for times in taken)
        shown = [f"{each:6.0f} ({each / floor:.2f})" for each in (before, after)]
        print(f"{name:22} {shown[0]:>14} {shown[1]:>14} {after / before:15.2f}")


def prepared(python: Path, folder: Path) -> tuple[Path, Place, Path]:
    """A week of sessions, shared with a bare repository that has them all."""
    place = Place(python, folder)
    at = january(place)
    remote = str(folder / "remote.git")
    place.run(at, "git", "clone", "--quiet", "--bare", ".", remote)
    place.run(at, "git", "remote", "add", "origin", remote)
    place.ocm(at, "share", "on", "--yes", "--despite-findings")
    place.ocm(at, "search", "warm")
    return python, place, at


def timed(command: list[str], at: Path, place: Place, given: str) -> float:
    """Milliseconds; raises where the command fails."""
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=at,
        env=place.environment(),
        input=given,
        capture_output=True,
        check=True,
        text=True,
    )
    return 1000 * (time.perf_counter() - began)


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
