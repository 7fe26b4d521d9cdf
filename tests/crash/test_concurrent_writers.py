"""Eight writers, and everything that git and its user do beside them.

OCM_TEST_ROUNDS=200 pytest -m endurance tests/crash/test_concurrent_writers.py -s
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from statistics import quantiles

import pytest
from crash.concurrent_writers import (
    HOUSEKEEPING,
    PRUNING,
    Assistant,
    Housekeeping,
    User,
    going_on,
)
from crash.warm import Warm, warm
from support.harness import git, make_repository
from support.rounds import rounds
from support.workspaces import workspace_at

import gitmem
from gitmem.store.trees.session_tree import REF, SessionTree

pytestmark = pytest.mark.endurance

WRITERS = 8
READS = (("search", "decision"), ("list",))


@pytest.fixture
def assistant() -> Iterator[Warm]:
    with warm() as started:
        yield started


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a remote that memory is shared with, and a second work tree."""
    monkeypatch.setenv("GIT_EDITOR", "true")  # a rebase that goes on asks for a message
    folder = make_repository(tmp_path / "shared")
    remote = tmp_path / "remote.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(folder), str(remote))
    git(folder, "remote", "add", "origin", str(remote))
    git(folder, "fetch", "--quiet")
    git(folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    for key, value in {
        "ocm.remote": "origin",
        "gc.auto": "200",
        "gc.autoDetach": "false",
        "maintenance.autoDetach": "false",
    }.items():
        git(folder, "config", key, value)
    return folder


def test_nothing_is_lost_beside_git_and_users(shared: Path, assistant: Warm) -> None:
    user = User(shared)
    commands = Assistant(shared, assistant, (*READS, ("sync",)))
    require_nothing_lost(commands, HOUSEKEEPING, rounds(15), user)
    user.require_untouched()


def test_nothing_is_lost_beside_pruning(shared: Path, assistant: Warm) -> None:
    """Without the user's own commits: git does not keep them from its pruning."""
    commands = Assistant(shared, assistant, READS)
    require_nothing_lost(commands, PRUNING, rounds(15))
    git(shared, "gc", "--quiet", "--prune=now")


def test_nothing_is_lost_where_git_writes(tmp_path: Path, assistant: Warm) -> None:
    """As with names by SHA-256, which libgit2 does not know."""
    folder = tmp_path / "sha256"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", str(folder))
    git(folder, "commit", "--quiet", "--allow-empty", "--message=first")
    git(folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    require_nothing_lost(Assistant(folder, assistant, READS), PRUNING, rounds(4))


def require_nothing_lost(
    commands: Assistant, beside: tuple[tuple[str, ...], ...], count: int, *users: User
) -> None:
    """Eight writers save so many each, while all of these go on."""
    folder, housekeeping = commands.folder, Housekeeping(commands.folder, beside)
    with going_on(*users, commands, housekeeping):
        said = written(folder, count)
    cuts = quantiles(said.values(), n=100)
    print(f"\n{len(said)} checkpoints, p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms")
    print(dict(housekeeping.done), *housekeeping.said, sep="\n")
    require_all_there(folder, [*said, *commands.said])
    require_whole(folder)


def written(folder: Path, count: int) -> dict[str, float]:
    """What eight writers had acknowledged, and how many milliseconds each took."""
    tests, source = Path(__file__).parents[1], Path(gitmem.__file__).parents[1]
    path = os.pathsep.join([str(tests), str(source)])
    places = [str(folder), str(folder.parent / "linked")] * (WRITERS // 2)
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "crash.writing", str(count), *places],
        env={**os.environ, "PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    lines = [line.split("\t") for line in ended.stdout.splitlines()]
    assert len(lines) == WRITERS * count
    return {said: float(took) for said, took in lines}


def require_all_there(folder: Path, said: list[str]) -> None:
    workspace = workspace_at(folder)
    memory = workspace.current_sessions()
    lost = set(said) - set(texts(memory))
    assert not lost, f"{len(lost)} of {len(said)}: {sorted(lost)[:5]}"
    assert not list(workspace.store.journal.unreplayed())


def texts(memory: SessionTree) -> Iterator[str]:
    for session in memory.newest():
        yield from (session.goal, *session.decisions)


def require_whole(folder: Path) -> None:
    """Git finds nothing wrong, nobody's lock is left, and the reflog goes on."""
    for how in ("--strict", "--connectivity-only"):
        assert git(folder, "fsck", how, "--no-dangling", "--no-progress") == ""
    common = folder / ".git"
    locks = {path.relative_to(common) for path in common.rglob("*.lock")}
    ours = {path for path in locks if path.parts[0] in ("ocm", "ocm-index")}
    assert not locks - ours
    lines = (common / "logs" / REF).read_text().splitlines()
    # libgit2 notes a move before it makes it, and once more where it tries again.
    moves = [move for move, _ in groupby(line.split(" ")[:2] for line in lines)]
    olds, news = zip(*moves, strict=True)
    assert olds == ("0" * len(news[0]), *news[:-1])
    assert news[-1] == git(folder, "rev-parse", REF)
