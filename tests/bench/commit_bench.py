"""Measures what git's hooks add to `git commit`.

    python tests/bench/commit_bench.py [--rounds 100]

The same commit, in turn, in repositories that are alike but for the hooks: without any,
and with ours in the shell of an open conversation, whose commit it is.
"""

import argparse
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import in_turn, median_and_tenth
from hook.calls import install
from support.events import event, note, now
from support.harness import CLIENT, git, make_repository
from support.installing import python_with_gitmem
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.documents.event import Edit, Start

NO_HOOK = "no hook"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        os.environ["CLAUDE_CODE_SESSION_ID"] = CLIENT
        folders = {
            NO_HOOK: make_repository(Path(scratch, "plain")),
            "hook, the commit is a session's": at_work(Path(scratch, "own")),
        }
        commit = ("commit", "--quiet", "--allow-empty", "-mx")
        works = {name: partial(git, at, *commit) for name, at in folders.items()}
        times = in_turn(works, rounds)
    floor, _ = median_and_tenth(times[NO_HOOK])
    for name, taken in times.items():
        median, tenth = median_and_tenth(taken)
        print(f"  {name:32} {median:5.1f} ms {median - floor:+5.1f}, p90 {tenth:5.1f}")


def at_work(folder: Path) -> Path:
    make_repository(folder)
    install(folder, python_with_gitmem(folder / ".git"))
    list(carry_out(planned(workspace_at(folder))))
    at, root = now(), str(folder)
    note(folder, event(Start, at=at, root=root))
    note(folder, event(Edit, at=at, root=root, path="file.txt"))
    return folder


if __name__ == "__main__":
    main()
