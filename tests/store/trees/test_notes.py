"""Notes that git reads, beside those of others, from several processes."""

import multiprocessing
from pathlib import Path

import pytest
from support.commits import imported
from support.harness import NOON, git, make_repository

from gitmem.git.libgit2.repository import open_repository
from gitmem.git.repository import Repository
from gitmem.git.values import Signature
from gitmem.redaction.redact import redact
from gitmem.store.trees.notes import count_notes, write_notes

ADA = Signature("Ada", "ada@example.com", NOON)
OURS = "Ocm-Session: one\nOcm-Tool: cursor\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "r", commits=0)
    stream = (
        f"commit refs/heads/main\ncommitter A <a@b> {n} +0000\ndata 0\n\n"
        for n in range(300)
    )
    imported(root, "".join(stream))
    return root


@pytest.fixture
def repository(root: Path) -> Repository:
    return open_repository(root)


def commits(root: Path, number: int) -> list[str]:
    return git(root, "log", "--format=%H", f"-{number}", "main").splitlines()


def write(repository: Repository, names: list[str], text: str = OURS) -> int:
    return write_notes(repository, {name: redact(text) for name in names}, ADA)


def note(root: Path, commit: str) -> str:
    return git(root, "notes", "--ref=ocm", "show", commit)


def test_git_shows_them_with_its_log(root: Path, repository: Repository) -> None:
    one = commits(root, 1)[0]
    assert write(repository, [one]) == 1
    log = git(root, "log", "-2", "--notes=ocm", "--format=%N")
    assert log == OURS.strip()
    assert "Ocm" not in git(root, "log", "-2")
    assert git(root, "notes", "--ref=ocm", "list").split()[1] == one
    assert git(root, "fsck", "--strict") == ""


def test_they_are_one_commit_or_none(root: Path, repository: Repository) -> None:
    names = commits(root, 120)
    assert write(repository, names) == 120
    assert write(repository, names) == 0
    assert write(repository, names[:1], "Ocm-Session: two\n") == 1
    assert note(root, names[0]) == "Ocm-Session: two"
    assert git(root, "rev-list", "--count", "refs/notes/ocm") == "2"
    assert count_notes(repository) == 120
    assert len(git(root, "notes", "--ref=ocm", "list").splitlines()) == 120


@pytest.mark.endurance
def test_foreign_note_stays_as_it_is(root: Path, repository: Repository) -> None:
    theirs, mixed, large, ours = commits(root, 4)
    assert write(repository, [mixed, ours]) == 2
    git(root, "notes", "--ref=ocm", "add", "--message=by hand", theirs)
    git(root, "notes", "--ref=ocm", "append", "--message=and more", mixed)
    git(root, "notes", "--ref=ocm", "add", "-m", "Ocm-Session: " + "x" * 3000, large)
    before = [note(root, name) for name in (theirs, mixed, large)]
    assert write(repository, [theirs, mixed, large, ours], "Ocm-Session: new\n") == 1
    assert [note(root, name) for name in (theirs, mixed, large)] == before
    assert note(root, ours) == "Ocm-Session: new"
    assert count_notes(repository) == 4


@pytest.mark.endurance
def test_fanned_out_notes_are_added_to(root: Path, repository: Repository) -> None:
    names = commits(root, 300)
    stream = "commit refs/notes/ocm\ncommitter A <a@b> 1 +0000\ndata 0\n\n"
    for name in names[:270]:
        stream += f"N inline {name}\ndata {len(OURS)}\n{OURS}\n"
    imported(root, stream)
    assert "/" in git(root, "ls-tree", "-r", "--name-only", "refs/notes/ocm")
    assert count_notes(repository) == 270
    assert write(repository, names[:270]) == 0
    assert write(repository, names[200:], "Ocm-Session: new\n") == 100
    assert note(root, names[250]) == note(root, names[299]) == "Ocm-Session: new"
    git(root, "notes", "--ref=ocm", "add", "--force", "--message=x", names[3])
    listed = git(root, "notes", "--ref=ocm", "list").splitlines()
    assert len(listed) == count_notes(repository) == 300


def write_each(folder: Path, names: list[str]) -> None:
    for name in names:
        write(open_repository(folder), [name], name)


@pytest.mark.endurance
def test_processes_that_write_at_once_lose_no_note(root: Path) -> None:
    names = commits(root, 24)
    fork = multiprocessing.get_context("fork")
    writers = [
        fork.Process(target=write_each, args=(root, names[first::3]))
        for first in range(3)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [note(root, name) for name in names] == names
