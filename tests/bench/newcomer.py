"""What whoever joins a large memory waits for: all of it, and the first search."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.measures import table
from bench.travelling import OCM, TRACKING, make_remote
from support.harness import git
from support.workspaces import workspace_at

from gitmem.store.trees.session_tree import REF

ROUNDS = 3
FETCH = (
    *("-c", "fetch.fsckObjects=true", "-c", "core.fsync=committed", "fetch"),
    *("--quiet", "--no-tags", "--no-auto-maintenance", "origin", f"+{REF}:{TRACKING}"),
)


def newcomers(place: Path, sizes: list[int]) -> None:
    table(
        f"A fresh clone begins to share (s, median of {ROUNDS})",
        [
            *("sessions", "`git fetch`, checked", "`ocm share on`", "ratio"),
            *("first search", "sessions it knew", "index whole after"),
            *("MB: pack", "MB: index"),
        ],
        (_row(place / str(size), size) for size in sizes),
    )


def _row(place: Path, size: int) -> list[str]:
    remote = make_remote(place, size)
    git(remote, "update-ref", "-d", "refs/heads/beside")
    rounds = [_joined(place, remote, number) for number in range(ROUNDS)]
    fetched, shared, first, whole = (
        median(each[n] for each in rounds) for n in range(4)
    )
    clone = place / "ours-0"
    knew = min(each[4] for each in rounds)
    return [
        *(f"{size:,}", f"{fetched:.1f}", f"{shared:.1f}", f"{shared / fetched:.2f}"),
        *(f"{first:.1f}", f"{knew:,.0f}", f"{whole:.0f}"),
        f"{_megabytes(clone / '.git' / 'objects'):.0f}",
        f"{_megabytes(clone / '.git' / 'ocm-index'):.0f}",
    ]


def _joined(place: Path, remote: Path, number: int) -> tuple[float, ...]:
    """Seconds of git's fetch, ours, the first search, and until all is indexed."""
    gits, ours = (place / f"{name}-{number}" for name in ("git", "ours"))
    git(place, "init", "--quiet", "--bare", str(gits))
    git(gits, "remote", "add", "origin", f"file://{remote}")
    git(place, "clone", "--quiet", f"file://{remote}", str(ours))
    fetched = _seconds(["git", *FETCH], gits)
    shared = _seconds([*OCM, "share", "on", "--yes"], ours)
    began = time.monotonic()
    first = _seconds([*OCM, "search", "wave"], ours)
    extents = _extents(ours)
    knew = next(extents)
    for _ in extents:
        time.sleep(0.5)  # to look takes a part of a core
    return fetched, shared, first, time.monotonic() - began, knew


def _extents(folder: Path) -> Iterator[int]:
    """How many sessions the index has, for as long as it lacks any."""
    while extent := workspace_at(folder).open_index().extent:
        yield extent.sessions
    yield sum(1 for _ in workspace_at(folder).store.memory().ids())


def _seconds(command: list[str], folder: Path) -> float:
    began = time.monotonic()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def _megabytes(folder: Path) -> float:
    found = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return sum(each.stat().st_size for each in found) / 1e6
