"""Many clones that share one bare repository, and all sync at the same moment."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.measures import table
from bench.travelling import (
    BESIDE,
    OCM,
    commit_beside,
    make_clone,
    make_remote,
    save_session,
)
from harness import git

from gitmem.store.git.libgit2.repository import open_repository
from gitmem.store.trees.memory import REF, Memory

SESSIONS = 1000
HELD = ["sh", "-c", 'read -r _; exec "$@"', "sh"]
"""Waits until its input ends, and then becomes what follows."""
MERGE = """
mine=$(git rev-parse refs/heads/beside)
tip=$mine
until git push --quiet origin "$tip:refs/heads/beside" 2>/dev/null; do
    git fetch --quiet origin
    theirs=refs/remotes/origin/beside
    tree=$(git merge-tree --write-tree "$mine" $theirs)
    tip=$(git commit-tree -m merge -p "$mine" -p $theirs "$tree")
done
"""
"""What a sync does, with as few commands as can be, and without a pause."""


def crowds(place: Path, sizes: list[int]) -> None:
    remote = make_remote(place, SESSIONS)
    model = make_clone(remote, place / "model", str(remote))
    table(
        f"A new session in each clone, all at once, beside {SESSIONS:,} sessions",
        [
            *("clones", "`git push` of a branch each: s", "of one, by git alone: s"),
            *("`ocm sync`: s", "a second", "tries: median", "most"),
            *("a clone waits: median, s", "most"),
        ],
        (
            [count, *_figures(remote, model, place / str(count), count)]
            for count in sizes
        ),
    )


def _figures(remote: Path, model: Path, place: Path, count: int) -> list[str]:
    clones = [Path(shutil.copytree(model, place / str(n))) for n in range(count)]
    before = set(_memory(remote).ids())
    for number, clone in enumerate(clones):
        git(clone, "fetch", "--quiet", "origin", f"+{REF}:{REF}")
        commit_beside(clone, f"crowd-{count}-{number}")
        save_session(clone, f"crowd-{count}-{number}")
    branches, _ = _at_once(clones, _push)
    merges, _ = _at_once(clones, lambda _: ["sh", "-ec", MERGE])
    took, outputs = _at_once(clones, lambda _: [*OCM, "sync", "--json"])
    assert len(set(_memory(remote).ids()) - before) == count
    reports = [json.loads(output) for output in outputs]
    tries = [report["tries"] for report in reports]
    waits = [report["seconds"] for report in reports]
    return [
        *(f"{branches:.1f}", f"{merges:.1f}", f"{took:.1f}"),
        *(f"{count / took:.1f}", f"{median(tries):.0f}", f"{max(tries)}"),
        *(f"{median(waits):.1f}", f"{max(waits):.1f}"),
    ]


def _push(clone: Path) -> list[str]:
    branch = f"refs/heads/{clone.parent.name}/{clone.name}"
    return ["git", "push", "--quiet", "origin", f"{BESIDE}:{branch}"]


def _at_once(
    clones: list[Path], command: Callable[[Path], list[str]]
) -> tuple[float, list[bytes]]:
    """Seconds until the last of them is done, and what each printed."""
    start, shot = os.pipe()
    started = [
        subprocess.Popen(
            [*HELD, *command(clone)], cwd=clone, stdin=start, stdout=subprocess.PIPE
        )
        for clone in clones
    ]
    os.close(start)
    time.sleep(1)  # until all of them wait
    began = time.perf_counter()
    os.close(shot)
    outputs = [process.communicate()[0] for process in started]
    took = time.perf_counter() - began
    assert [process.returncode for process in started] == [0] * len(clones)
    return took, outputs


def _memory(folder: Path) -> Memory:
    repository = open_repository(folder)
    return Memory(repository, repository.resolve_ref(REF))
