"""Measures sharing: what a sync costs beside git's own fetch and push.

    python tests/bench/sync_bench.py [SECTION ...] [--sizes 1000 10000 100000]
        [--rounds 20]

Sections are `one` (one new session in a memory of 10,000), `large` (the cost of a large
memory for its remote, a fresh clone and every day) and `merge` (two histories merged,
without a remote). What is compared is taken in turn in one run.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import large
from bench.measures import milliseconds, table
from bench.travelling import (
    BESIDE,
    OCM,
    commit_beside,
    make_clone,
    make_remote,
    save_session,
)
from support.clones import travel
from support.harness import git
from support.http_server import serving
from support.workspaces import workspace_at

SECTIONS = ["one", "large", "merge"]
SIZE = 10_000
"""Sessions of the memory that one is added to."""
NAMES = map("session-{}".format, count())

Work = tuple[Callable[[], None], Callable[[], object]]
"""What is made ready, and what is measured."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sections", nargs="*", choices=[*SECTIONS, []], default=SECTIONS
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=20)

    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        place = Path(scratch)
        if "one" in arguments.sections:
            one_session(place / "one", arguments.rounds)

        if "large" in arguments.sections:
            large.costs(place / "large", arguments.sizes)
        if "merge" in arguments.sections:
            large.merges(place / "merge", arguments.sizes)


def one_session(place: Path, rounds: int) -> None:
    remote = make_remote(place, SIZE)
    nothing = partial(run, [sys.executable, "-I", "-c", "pass"], place)
    started = median(milliseconds(nothing) for _ in range(rounds))
    print(f"An interpreter that does nothing: {started:.0f} ms")
    with serving(place) as service:
        urls = {"a folder": str(remote), "http": service.url(remote.name)}
        for title, others in (("nobody was faster", 0), ("somebody was faster", 1)):
            table(
                f"One new session among {SIZE:,}, {title} (ms, median of {rounds})",
                ["through", "git", "in process", "/ git", "`ocm sync`", "/ git"],
                (
                    [name, *figures(place / f"{name}-{others}", url, rounds, others)]
                    for name, url in urls.items()
                ),
            )


def figures(place: Path, url: str, rounds: int, others: int) -> list[str]:
    """With so many others who each push a commit before."""
    remote = place.with_name("remote.git")
    gits, ours, other = (
        make_clone(remote, place / name, url) for name in ("git", "ours", "other")
    )

    def saved() -> None:
        save_session(ours, next(NAMES))
        if others:
            save_session(other, next(NAMES))
            travel(workspace_at(other))

    def committed() -> None:
        commit_beside(gits, next(NAMES))
        if others:
            go_on_beside(other)

    floor = merged_by_git if others else sent_by_git
    works: list[Work] = [
        (committed, lambda: floor(gits)),
        (saved, lambda: travel(workspace_at(ours))),
        (saved, lambda: run([*OCM, "sync"], ours)),
    ]
    by_git, inside, process = map(median, in_turn(works, rounds))
    return [
        f"{by_git:.0f}",
        *(f"{inside:.0f}", f"{inside / by_git:.2f}"),
        *(f"{process:.0f}", f"{process / by_git:.2f}"),
    ]


def in_turn(works: list[Work], rounds: int) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):
        for (prepare, work), taken in zip(works, times, strict=True):
            prepare()
            took = milliseconds(work)
            if number:  # the first of each is for the caches
                taken.append(took)
    return times


def sent_by_git(folder: Path) -> None:
    git(folder, "fetch", "--quiet", "origin")
    git(folder, "push", "--quiet", "origin", BESIDE)


def merged_by_git(folder: Path) -> None:
    """As few commands as can be, and none that touches a work tree."""
    git(folder, "fetch", "--quiet", "origin")
    theirs = "refs/remotes/origin/beside"
    tree = git(folder, "merge-tree", "--write-tree", BESIDE, theirs)
    parents = ("-p", BESIDE, "-p", theirs)
    merge = git(folder, "commit-tree", "-m", "merge", *parents, tree)
    git(folder, "push", "--quiet", "origin", f"{merge}:{BESIDE}")
    git(folder, "update-ref", BESIDE, merge)


def go_on_beside(folder: Path) -> None:
    git(folder, "fetch", "--quiet", "origin")
    git(folder, "update-ref", BESIDE, "refs/remotes/origin/beside")
    commit_beside(folder, next(NAMES))
    git(folder, "push", "--quiet", "origin", BESIDE)


def run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
