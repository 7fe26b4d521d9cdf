"""Memory goes to a remote and comes from it, and nothing else moves."""

import os
from pathlib import Path

import pytest
from harness import git, make_repository

from gitmem.errors import Unreachable
from gitmem.store.libgit2 import open_repository
from gitmem.store.remote import Line, Remote, fetch, push, refs_at, replace

SESSIONS = "refs/ocm/sessions"
CONVERSATIONS = "refs/ocm/conversations"
TRACKING = "refs/ocm/remotes/origin/sessions"
ORIGIN = Remote("origin", "origin", {SESSIONS: SESSIONS, CONVERSATIONS: CONVERSATIONS})


def _quiet(_: str) -> None:
    """Nobody listens."""


def line(patience: float = 20.0, **variables: str) -> Line:
    return Line({**os.environ, **variables}, patience, may_ask=False, told=_quiet)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    return tmp_path / "bare.git"


@pytest.fixture
def clone(tmp_path: Path, bare: Path) -> Path:
    """With three commits, none of which is at its remote."""
    folder = make_repository(tmp_path / "clone", commits=3)
    git(folder, "remote", "add", "origin", str(bare))
    return folder


def commits(folder: Path) -> list[str]:
    """Oldest first."""
    return git(folder, "rev-list", "--reverse", "main").split()


def test_what_one_clone_pushes_another_fetches(
    clone: Path, bare: Path, tmp_path: Path
) -> None:
    first, second, _ = commits(clone)
    assert push(open_repository(clone), ORIGIN, {SESSIONS: first}, line())
    assert git(clone, "rev-parse", TRACKING) == first
    other = make_repository(tmp_path / "other")
    git(other, "remote", "add", "origin", str(bare))
    fetch(open_repository(other), ORIGIN, line())
    assert git(other, "rev-parse", TRACKING) == first
    assert push(open_repository(clone), ORIGIN, {SESSIONS: second}, line())
    at_remote = refs_at(open_repository(other), "origin", [SESSIONS], line())
    assert at_remote == {SESSIONS: second}


def test_whoever_is_slower_is_told_so_and_moves_nothing(
    clone: Path, bare: Path
) -> None:
    first, second, third = commits(clone)
    repository = open_repository(clone)
    push(repository, ORIGIN, {SESSIONS: second}, line())
    assert not push(repository, ORIGIN, {SESSIONS: first}, line())
    assert not replace(repository, ORIGIN, {SESSIONS: (third, first)}, line())
    assert (
        git(bare, "rev-parse", SESSIONS) == git(clone, "rev-parse", TRACKING) == second
    )
    assert replace(repository, ORIGIN, {SESSIONS: (second, first)}, line())
    assert (
        git(bare, "rev-parse", SESSIONS) == git(clone, "rev-parse", TRACKING) == first
    )


def test_a_remote_without_memory_is_no_error(clone: Path) -> None:
    repository = open_repository(clone)
    fetch(repository, ORIGIN, line())
    assert refs_at(repository, "origin", [SESSIONS], line()) == {}


def test_a_remote_that_is_not_there_is_said_so(clone: Path, tmp_path: Path) -> None:
    nowhere = Remote("memory", str(tmp_path / "nowhere"), {SESSIONS: SESSIONS})
    with pytest.raises(Unreachable, match=r"memory is not found: .*nowhere"):
        fetch(open_repository(clone), nowhere, line())
