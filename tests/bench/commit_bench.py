"""Measures what git's hooks add to `git commit`.

    python tests/bench/commit_bench.py [--rounds 100]

The same commit, in turn, in repositories that are alike but for the hooks: without any,
and with ours in the shell of an open conversation, whose commit it is.
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
from support.harness import CLIENT, make_repository
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.documents.event import Edit, Start
from gitmem.resources import resource

CHECKOUT = Path(__file__).parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        works = {
            "no hook": plain(Path(scratch, "plain")),
            "hook, the commit is a session's": at_work(
                Path(scratch, "own"), CLAUDE_CODE_SESSION_ID=CLIENT
            ),
        }
        measure(works, rounds)


def measure(works: dict[str, Callable[[], None]], rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            times[name].append((time.perf_counter() - begin) * 1000)
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
