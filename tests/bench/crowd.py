"""Many clones that share one bare repository, and all sync at the same moment."""

import os
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from bench.measures import table
from bench.travelling import (
    OCM,
    TRACKING,
    commit_beside,
    make_clone,
    make_remote,
    save_session,
)
from support.harness import git

from gitmem.git.libgit2.repository import open_repository
from gitmem.store.trees.session_tree import REF, SessionTree, sessions_at

SESSIONS = 1000
FEW = 25
"""Clones by which git alone is not held up for minutes."""
SYNC = [*OCM, "sync", "--json"]
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
    """Each size in turn, as often as it is named."""
    remote = make_remote(place, SESSIONS)
    model = make_clone(remote, place / "model", str(remote))
    table(
        f"A new session in each clone, all at once, beside {SESSIONS:,} sessions: s",
        [
            *("clones", "one branch, by git alone", "nothing new: `ocm sync`"),
            *("a new session each: `ocm sync`", "failed", "of them equal"),
        ],
        (
            _figures(remote, model, place / str(number), count)
            for number, count in enumerate(sizes)
        ),
    )


class Run(NamedTuple):
    """Of one command in many clones at once."""

    seconds: float
    """Until the last of them is done."""
    failed: int


def _figures(remote: Path, model: Path, place: Path, count: int) -> list[str]:
    clones = [Path(shutil.copytree(model, place / str(n))) for n in range(count)]
    before = set(_memory(remote).ids())
    for number, clone in enumerate(clones):
        git(clone, "fetch", "--quiet", "origin", f"+{REF}:{REF}")
        git(clone, "update-ref", TRACKING, REF)
        commit_beside(clone, f"{place.name}-{number}")
    merges = _at_once(clones, ["sh", "-ec", MERGE]) if count <= FEW else None
    idle = _at_once(clones, SYNC)
    for number, clone in enumerate(clones):
        save_session(clone, f"{place.name}-{number}")
    crowd = _at_once(clones, SYNC)
    one = _at_once(clones[:1], SYNC)
    assert len(set(_memory(remote).ids()) - before) == count
    again = _at_once(clones, SYNC)
    tips = [git(clone, "rev-parse", REF) for clone in clones]
    is_equal = Counter(tips)[git(remote, "rev-parse", REF)]
    failed = sum(run.failed for run in (idle, crowd, one, again))
    shutil.rmtree(place)
    return [
        *(str(count), f"{merges.seconds:.1f}" if merges else "-"),
        *(f"{idle.seconds:.1f}", f"{crowd.seconds:.1f}"),
        *(str(failed), f"{is_equal} of {count}"),
    ]


def _at_once(clones: list[Path], command: list[str]) -> Run:
    start, shot = os.pipe()
    started = [
        subprocess.Popen(
            [*HELD, *command],
            cwd=clone,
            stdin=start,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for clone in clones
    ]
    os.close(start)
    time.sleep(1)  # until all of them wait
    began = time.perf_counter()
    os.close(shot)
    failed = sum(process.wait() != 0 for process in started)
    return Run(time.perf_counter() - began, failed)


def _memory(folder: Path) -> SessionTree:
    repository = open_repository(folder)
    return sessions_at(repository, repository.resolve_ref(REF))
