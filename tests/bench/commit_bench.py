"""Measures what git's hooks add to `git commit`.

    python tests/bench/commit_bench.py [--rounds 100]

The same commit, in turn, in repositories that are alike but for the hooks: without any;
with ours, before any conversation was seen; with one that is open, whose commit it is
not; and in the shell of one, whose commit it is. First one after the other, with what
the hooks start still at work on the same cores; then each when all is quiet, as people
commit. Last 200 commits that are picked at once.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.events import event, note, now
from support.harness import CLIENT, git, make_repository
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.documents.event import Edit, Start
from gitmem.resources import resource

CHECKOUT = Path(__file__).parents[2]
QUIET = 1.0  # seconds after a commit; its processes take half of that
PICKED = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        works = {
            "no hook": plain(Path(scratch, "plain")),
            "hook, no conversation yet": hooked(Path(scratch, "unused")),
            "hook, the commit is nobody's": at_work(Path(scratch, "nobody")),
            "hook, the commit is a session's": at_work(
                Path(scratch, "own"), CLAUDE_CODE_SESSION_ID=CLIENT
            ),
        }
        print("one after the other")
        measure(works, rounds, pause=0)
        time.sleep(QUIET * 10)
        print(f"with {QUIET} s between them")
        measure(works, rounds, pause=QUIET)
        for name in ("plain", "own"):
            pick(Path(scratch, name))
            time.sleep(QUIET)


def measure(works: dict[str, Callable[[], None]], rounds: int, pause: float) -> None:
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            times[name].append((time.perf_counter() - begin) * 1000)
            time.sleep(pause)
    floor = statistics.median(times["no hook"])
    for name, taken in times.items():
        median, ninth = statistics.median(taken), statistics.quantiles(taken, n=10)[-1]
        print(f"  {name:32} {median:5.1f} ms {median - floor:+5.1f}, p90 {ninth:5.1f}")


def plain(folder: Path, **variables: str) -> Callable[[], None]:
    make_repository(folder)
    command = ["git", "-C", str(folder), "commit", "--quiet", "--allow-empty", "-mx"]
    environment = {**os.environ, **variables}

    def commit() -> None:
        subprocess.run(command, env=environment, check=True)

    return commit


def hooked(folder: Path, **variables: str) -> Callable[[], None]:
    work = plain(folder, **variables)
    run = folder / ".git" / "ocm" / "run"
    run.parent.mkdir()
    text = resource("hooks/run").read_text()
    run.write_text(text.replace("@PYTHON@", str(interpreter(folder))))
    run.chmod(0o755)
    list(carry_out(planned(workspace_at(folder))))
    return work


def at_work(folder: Path, **variables: str) -> Callable[[], None]:
    work = hooked(folder, **variables)
    here: dict[str, Any] = {"at": now(), "root": str(folder)}
    note(folder, event(Start, **here), event(Edit, path="file.txt", **here))
    return work


def pick(folder: Path) -> None:
    """Time how long it takes to pick commits that are on another branch."""
    unheard = ("-c", "core.hooksPath=/dev/null")
    git(folder, *unheard, "switch", "--quiet", "--create", "side")
    for number in range(PICKED):
        (folder / "picked").write_text(f"{number}\n")
        git(folder, "add", "picked")
        git(folder, *unheard, "commit", "--quiet", "--message=x")
    git(folder, *unheard, "switch", "--quiet", "main")
    git(folder, *unheard, "commit", "--quiet", "--allow-empty", "--message=y")
    begin = time.perf_counter()
    git(folder, "cherry-pick", "main..side")
    taken = time.perf_counter() - begin
    print(f"  {folder.name:32} {taken:5.2f} s for {PICKED} picked commits")


def interpreter(folder: Path) -> Path:
    """What can import gitmem without the environment that this one may need for it."""
    script = folder / ".git" / "python"
    script.write_text(
        f'#!/bin/sh\nshift\nPYTHONPATH={CHECKOUT} exec {sys.executable} "$@"\n'
    )
    script.chmod(0o755)
    return script


if __name__ == "__main__":
    main()
