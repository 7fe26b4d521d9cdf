"""No `git gc` takes what a writer is about to name, and nothing is kept for ever."""

import os
import time
from pathlib import Path

import pytest
from support.harness import NOON, git, make_repository

from gitmem.git.libgit2.repository import open_repository
from gitmem.git.odb.packs import release, release_old
from gitmem.git.opening import open_through_git as open_by_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature
from gitmem.redaction.redact import redact

HOUR = 3600
ADA = Signature("Ada", "ada@example.com", NOON)


def saved(git: Repository, *, texts: int = 1) -> Oid:
    """A commit with so many texts, saved as a batch; no ref leads to it."""
    with git.batch() as batch:
        changes = {f"{each}.md": redact(f"text {each}\n") for each in range(texts)}
        tree = batch.write_tree(None, changes)
        return batch.create_commit(tree, [], redact("why\n"), ADA)


def prune(folder: Path) -> None:
    git(folder, "gc", "--quiet", "--prune=now")


def keep_files(folder: Path) -> list[Path]:
    return sorted((folder / ".git/objects/pack").glob("*.keep"))


def age(folder: Path, seconds: float) -> None:
    then = time.time() - seconds
    for path in keep_files(folder):
        os.utime(path, (then, then))


def has(folder: Path, commit: Oid) -> bool:
    return commit in git(folder, "cat-file", "--batch-all-objects", "--batch-check")


@pytest.mark.parametrize("texts", [1, 200])
def test_what_no_ref_leads_to_yet_is_not_pruned(repository: Path, texts: int) -> None:
    commit = saved(open_repository(repository), texts=texts)
    age(repository, 2 * HOUR)  # however old it is
    prune(repository)
    git(repository, "update-ref", "refs/heads/found", commit)
    assert git(repository, "fsck", "--strict") == ""
    release(repository / ".git")
    prune(repository)
    assert has(repository, commit)


def test_what_was_saved_before_is_saved_again(repository: Path) -> None:
    """A `git gc` that runs may be about to delete the older pack."""
    commit = saved(open_repository(repository))
    [older] = (repository / ".git/objects/pack").glob("*.pack")
    release(repository / ".git")
    assert saved(open_repository(repository)) == commit
    for path in older.parent.glob(f"{older.stem}.*"):
        path.unlink()
    prune(repository)
    assert has(repository, commit)


def test_what_the_user_keeps_stays(repository: Path) -> None:
    saved(open_repository(repository))
    [ours] = keep_files(repository)
    ours.write_text("mine\n")
    release(repository / ".git")
    assert ours.exists()


def test_after_an_hour_git_may_take_a_pack(repository: Path) -> None:
    commit = saved(open_repository(repository))
    age(repository, HOUR - 100)
    release_old(repository / ".git")
    assert len(keep_files(repository)) == 1
    age(repository, HOUR + 100)
    release_old(repository / ".git")
    assert keep_files(repository) == []
    prune(repository)
    assert not has(repository, commit)


def test_nothing_is_released_during_git_gc(repository: Path) -> None:
    """It began before the ref moved, and takes longer than an hour."""
    saved(open_repository(repository))
    age(repository, 2 * HOUR)
    pid = repository / ".git/gc.pid"
    pid.write_text("1 host")
    began = time.time() - 2 * HOUR
    os.utime(pid, (began, began))
    release_old(repository / ".git")
    assert len(keep_files(repository)) == 1
    os.utime(pid, (0, 0))  # of one that died
    release_old(repository / ".git")
    assert keep_files(repository) == []


def test_git_itself_writes_and_reads_by_names_of_sha256(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    repository = open_by_git(tmp_path, os.environ)
    commit = saved(repository, texts=200)
    prune(tmp_path)
    assert "0.md" in repository.read_tree(repository.tree_of(commit) or "")
    git(tmp_path, "update-ref", "refs/heads/found", commit)
    assert git(tmp_path, "fsck", "--strict") == ""


def test_a_linked_work_tree_saves_in_the_common_dir(tmp_path: Path) -> None:
    bare, linked = tmp_path / "bare.git", tmp_path / "linked"
    here = make_repository(tmp_path / "here")
    git(here, "clone", "--quiet", "--bare", ".", str(bare))
    git(bare, "worktree", "add", "--quiet", "--detach", str(linked))
    commit = saved(open_repository(linked))
    prune(bare)
    assert git(linked, "cat-file", "-t", commit) == "commit"


def test_what_a_repository_borrows_is_saved_here_as_well(tmp_path: Path) -> None:
    """Whoever prunes there knows nothing of our refs."""
    there, here = make_repository(tmp_path / "there"), tmp_path / "here"
    git(there, "clone", "--quiet", "--shared", ".", str(here))
    saved(open_repository(there))
    commit = saved(open_repository(here))
    git(here, "update-ref", "refs/heads/found", commit)
    release(there / ".git")
    prune(there)
    assert git(here, "fsck", "--strict") == ""
