"""What a large memory costs: its remote, a fresh clone of it, and every day."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, count
from pathlib import Path
from statistics import median

from bench import histories
from bench.measures import in_turn, table
from bench.travelling import OCM, TRACKING, Cost, cost, make_clone, make_remote
from support.harness import git
from support.workspaces import workspace_at

from gitmem.documents.kinds import SESSION
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.remote.held_back import consent_in
from gitmem.store.remote.merge_refs import merge_history
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import REF

DAILY = 100
"""New sessions a day."""
ROUNDS = 5
FETCH = ["git", "fetch", "--quiet", "origin", f"+{REF}:{TRACKING}"]
SYNC, SEARCH = [*OCM, "sync"], [*OCM, "search", "wave"]
MOMENTS = (datetime.now(UTC) + timedelta(seconds=n) for n in count())

Row = list[str]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a memory of so many sessions is looked at."""

    size: int
    remote: Path
    ours: Path
    """A clone, with gitmem."""
    gits: Path
    """A repository for git alone."""


def costs(place: Path, sizes: list[int]) -> None:
    for size in sizes:
        here = place / str(size)
        places = _Places(size, make_remote(here, size), here / "ours", here / "git")
        git(places.remote, "update-ref", "-d", "refs/heads/beside")
        table(
            f"{size:,} sessions, {histories.CHECKPOINTS} checkpoints each",
            ["", "s", "git alone: s", "ratio", "MB in memory at most", "git alone: MB"],
            chain(_begun(places), _every_day(places), _kept(places)),
        )


def merges(place: Path, sizes: list[int]) -> None:
    table(
        f"{DAILY} new sessions on each side put together (ms, median of {ROUNDS})",
        ["sessions", "`git merge-tree`", "ours", "ratio"],
        (_merge(place / str(size), size) for size in sizes),
    )


def _begun(places: _Places) -> Iterator[Row]:
    git(places.remote, "init", "--quiet", "--bare", str(places.gits))
    of_remote = f"file://{places.remote}"
    git(places.gits, "remote", "add", "origin", of_remote)
    git(places.remote, "clone", "--quiet", of_remote, str(places.ours))
    git(places.ours, "config", "ocm.remote", "origin")
    pulled = cost([*OCM, "pull"], places.ours)
    yield _row("the first `ocm pull`", pulled, cost(FETCH, places.gits))
    yield _row("the first search", cost(SEARCH, places.ours))
    began = time.monotonic()
    while workspace_at(places.ours).open_index().extent:
        time.sleep(0.5)  # to look takes a part of a core
    yield [f"the index is whole {time.monotonic() - began:.0f} s after that"]
    yield _row("a search", cost(SEARCH, places.ours))


def _every_day(places: _Places) -> Iterator[Row]:
    histories.extend(places.remote, histories.sessions(places.size, DAILY, "codex"))
    taken = cost(SYNC, places.ours)
    yield _row(f"`ocm sync`, {DAILY} new there", taken, cost(FETCH, places.gits))
    histories.extend(places.ours, histories.sessions(places.size, DAILY, "aider"))
    sent = cost(SYNC, places.ours)
    yield _row(f"`ocm sync`, {DAILY} new here", sent, cost(FETCH, places.gits))
    at_rest = cost(SYNC, places.ours)
    yield _row("`ocm sync`, nothing new", at_rest, cost(FETCH, places.gits))


def _kept(places: _Places) -> Iterator[Row]:
    yield _row("`git gc` at the remote", cost(["git", "gc", "--quiet"], places.remote))
    yield [f"its size: {_megabytes(places.remote):.0f} MB"]


def _row(name: str, ours: Cost, by_git: Cost | None = None) -> Row:
    if by_git is None:
        return [name, f"{ours.seconds:.2f}", "", "", f"{ours.peak}", ""]
    ratio = ours.seconds / by_git.seconds
    return [
        *(name, f"{ours.seconds:.2f}", f"{by_git.seconds:.2f}", f"{ratio:.1f}"),
        *(f"{ours.peak}", f"{by_git.peak}"),
    ]


def _megabytes(folder: Path) -> float:
    counted = git(folder, "count-objects", "-v").splitlines()
    found = dict(line.split(": ") for line in counted)
    return (int(found["size"]) + int(found["size-pack"])) / 1024


def _merge(place: Path, size: int) -> Row:
    remote = make_remote(place, size)
    folder = make_clone(remote, place / "ours", str(remote))
    histories.extend(remote, histories.sessions(size, DAILY, "codex"))
    git(folder, *FETCH[1:])
    histories.extend(folder, histories.sessions(size, DAILY, "aider"))
    by_git = partial(git, folder, "merge-tree", "--write-tree", REF, TRACKING)
    times = in_turn({"git": by_git, "ours": partial(_taken, folder)}, ROUNDS)
    floor, ours = map(median, times.values())
    return [f"{size:,}", f"{floor:.0f}", f"{ours:.0f}", f"{ours / floor:.2f}"]


def _taken(folder: Path) -> object:
    repository = open_repository(folder)
    theirs = repository.resolve_ref(TRACKING)
    consent = consent_in(repository, SESSION)
    here, by = tree_at_tip(SESSION, repository), author(repository, next(MOMENTS))
    return merge_history(repository, here, theirs, by, consent)
