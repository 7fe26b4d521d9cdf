"""Many clones that share one bare repository, and all sync at the same moment."""

import os
import resource
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench.measures import table
from bench.travelling import (
    BESIDE,
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


INBOX = "refs/ocm/inbox"


def crowds(place: Path, sizes: list[int]) -> None:
    """Each size in turn, as often as it is named."""
    remote = make_remote(place, SESSIONS)
    model = make_clone(remote, place / "model", str(remote))
    first: list[Run] = []
    table(
        f"A new session in each clone, all at once, beside {SESSIONS:,} sessions: s",
        [
            *("clones", "`git push` of a branch each", "of one, by git alone"),
            *("nothing new: `ocm sync`", "a new session each: `ocm sync`"),
            *("a clone", "to the first row", "to nothing new", "its processor: s"),
            *("failed", "waiting", "one more, which merges", "waiting then"),
            *("all once more", "of them equal"),
        ],
        (
            _figures(remote, model, place / str(number), count, first)
            for number, count in enumerate(sizes)
        ),
    )


class Run(NamedTuple):
    """Of one command in many clones at once."""

    seconds: float
    """Until the last of them is done."""
    processor: float
    """Seconds, of all of them together."""
    failed: int
    outputs: list[bytes]


def _figures(
    remote: Path, model: Path, place: Path, count: int, first: list[Run]
) -> list[str]:
    clones = [Path(shutil.copytree(model, place / str(n))) for n in range(count)]
    before = set(_memory(remote).ids())
    for number, clone in enumerate(clones):
        git(clone, "fetch", "--quiet", "origin", f"+{REF}:{REF}")
        git(clone, "update-ref", TRACKING, REF)
        commit_beside(clone, f"{place.name}-{number}")
    branches = _at_once(clones, _push).seconds
    merges = _at_once(clones, lambda _: ["sh", "-ec", MERGE]) if count <= FEW else None
    idle = _at_once(clones, _sync)
    for number, clone in enumerate(clones):
        save_session(clone, f"{place.name}-{number}")
    crowd = _at_once(clones, _sync)
    first.append(crowd)
    each, of_first = crowd.seconds / count, first[0].seconds / len(first[0].outputs)
    waiting = _waiting(remote)
    one = _at_once(clones[:1], _sync)
    assert len(set(_memory(remote).ids()) - before) == count
    waiting_then = _waiting(remote)
    again = _at_once(clones, _sync)
    tips = [git(clone, "rev-parse", REF) for clone in clones]
    is_equal = Counter(tips)[git(remote, "rev-parse", REF)]
    failed = sum(run.failed for run in (idle, crowd, one, again))
    shutil.rmtree(place)
    return [
        *(str(count), f"{branches:.1f}", f"{merges.seconds:.1f}" if merges else "-"),
        *(f"{idle.seconds:.1f}", f"{crowd.seconds:.1f}", f"{each:.2f}"),
        *(f"{each / of_first:.2f}", f"{crowd.seconds / idle.seconds:.2f}"),
        *(f"{crowd.processor / count:.2f}", str(failed), str(waiting)),
        *(f"{one.seconds:.1f}", str(waiting_then)),
        *(f"{again.seconds:.1f}", f"{is_equal} of {count}"),
    ]


def _sync(_: Path) -> list[str]:
    return [*OCM, "sync", "--json"]


def _waiting(remote: Path) -> int:
    return len(git(remote, "for-each-ref", INBOX).splitlines())


def _push(clone: Path) -> list[str]:
    branch = f"refs/heads/{clone.parent.name}/{clone.name}"
    return ["git", "push", "--quiet", "origin", f"{BESIDE}:{branch}"]


def _at_once(clones: list[Path], command: Callable[[Path], list[str]]) -> Run:
    start, shot = os.pipe()
    started = [
        subprocess.Popen(
            [*HELD, *command(clone)],
            cwd=clone,
            stdin=start,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for clone in clones
    ]
    os.close(start)
    time.sleep(1)  # until all of them wait
    began, before = time.perf_counter(), _processor()
    os.close(shot)
    outputs = [process.communicate()[0] for process in started]
    took = time.perf_counter() - began
    failed = sum(process.returncode != 0 for process in started)
    return Run(took, _processor() - before, failed, outputs)


def _processor() -> float:
    """Seconds, of all processes that this one waited for, and theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(folder: Path) -> SessionTree:
    repository = open_repository(folder)
    return sessions_at(repository, repository.resolve_ref(REF))
