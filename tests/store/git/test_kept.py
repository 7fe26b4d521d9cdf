"""What git removes beside a writer is put back, and nothing is kept for ever."""

import errno
import os
import time
from pathlib import Path

import pytest
from harness import NOON, git

from gitmem.model.redaction import redact
from gitmem.store.git.kept import keep, keep_pack, let_go, put_back
from gitmem.store.git.libgit2.repository import open_repository
from gitmem.store.git.objects import GitObject, Kind, ObjectFormat
from gitmem.store.git.pack import write_pack
from gitmem.store.git.repository import Oid, Repository, Signature

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


def kept_in(folder: Path) -> list[Path]:
    return sorted((folder / ".git/ocm/kept").iterdir())


def age(folder: Path, seconds: float) -> None:
    """As if what is kept had been written so long ago."""
    then = time.time() - seconds
    for path in kept_in(folder):
        os.utime(path, (then, then))


@pytest.mark.parametrize("texts", [1, 200])
def test_what_is_pruned_before_a_ref_leads_to_it_is_put_back(
    repository: Path, texts: int
) -> None:
    commit = saved(open_repository(repository), texts=texts)
    prune(repository)
    assert (
        git(repository, "cat-file", "--batch-all-objects", "--batch-check").count(
            commit
        )
        == 0
    )
    assert put_back(repository / ".git") > 0
    git(repository, "update-ref", "refs/heads/found", commit)
    assert git(repository, "fsck", "--strict") == ""
    assert put_back(repository / ".git") == 0


@pytest.mark.parametrize("texts", [1, 200])
def test_what_git_packed_is_there_and_is_not_put_back(
    repository: Path, texts: int
) -> None:
    commit = saved(open_repository(repository), texts=texts)
    git(repository, "update-ref", "refs/heads/found", commit)
    prune(repository)
    assert put_back(repository / ".git") == 0


def test_objects_that_git_has_in_a_pack_already_are_kept_as_well(
    repository: Path,
) -> None:
    commit = saved(open_repository(repository))
    git(repository, "update-ref", "refs/heads/found", commit)
    git(repository, "repack", "-adq")
    let_go(repository / ".git")
    assert saved(open_repository(repository)) == commit
    git(repository, "update-ref", "-d", "refs/heads/found")
    prune(repository)
    assert put_back(repository / ".git") == 3
    assert git(repository, "cat-file", "-t", commit) == "commit"


def test_after_an_hour_what_is_there_is_kept_no_longer(repository: Path) -> None:
    commit = saved(open_repository(repository), texts=200)
    git(repository, "update-ref", "refs/heads/found", commit)
    saved(open_repository(repository), texts=3)
    age(repository, HOUR - 100)
    put_back(repository / ".git")
    assert len(kept_in(repository)) == 2 + 5
    age(repository, HOUR + 100)
    put_back(repository / ".git")
    assert kept_in(repository) == []
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""


def test_what_is_gone_is_put_back_however_old_it_is(repository: Path) -> None:
    saved(open_repository(repository))
    age(repository, 2 * HOUR)
    prune(repository)
    assert put_back(repository / ".git") == 3


def test_while_git_collects_nothing_is_dropped_that_it_may_have_missed(
    repository: Path,
) -> None:
    """It began before the ref moved, and takes longer than an hour."""
    saved(open_repository(repository))
    age(repository, 2 * HOUR)
    pid = repository / ".git/gc.pid"
    pid.write_text("1 host")
    began = time.time() - 2 * HOUR
    os.utime(pid, (began, began))
    put_back(repository / ".git")
    assert len(kept_in(repository)) == 3
    os.utime(pid, (0, 0))  # of one that died
    put_back(repository / ".git")
    assert kept_in(repository) == []


def test_the_more_is_kept_the_shorter_it_is_kept(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(open_repository(repository), texts=50)
    age(repository, 300)
    put_back(repository / ".git")
    assert len(kept_in(repository)) == 52
    monkeypatch.setattr("gitmem.store.git.kept._MANY", 10)
    put_back(repository / ".git")
    assert kept_in(repository) == []


def test_without_hard_links_there_are_copies(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    few = saved(open_repository(repository))
    many = saved(open_repository(repository), texts=200)
    prune(repository)
    assert put_back(repository / ".git") == 3 + 2
    for commit in (few, many):
        assert git(repository, "cat-file", "-t", commit) == "commit"
    git(repository, "update-ref", "refs/heads/few", few)
    git(repository, "update-ref", "refs/heads/many", many)
    assert git(repository, "fsck", "--strict") == ""


def test_what_is_kept_and_was_damaged_is_not_put_back(repository: Path) -> None:
    saved(open_repository(repository))
    for path in kept_in(repository):
        path.unlink()
        path.write_bytes(b"")
    (repository / ".git/ocm/kept/not-ours").write_bytes(b"")
    prune(repository)
    assert put_back(repository / ".git") == 0
    assert git(repository, "fsck", "--strict") == ""


def test_it_works_by_names_of_sha256(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    common = tmp_path / ".git"
    blobs = [
        GitObject(Kind.BLOB, b"%d\n" % number, ObjectFormat.SHA256)
        for number in range(3)
    ]
    keep(common, blobs[:1])
    pack = write_pack(common / "objects/pack", blobs[1:], ObjectFormat.SHA256)
    keep_pack(common, pack)
    prune(tmp_path)
    assert put_back(common) == 3
    for number, each in enumerate(blobs):
        assert git(tmp_path, "cat-file", "-p", each.oid) == str(number)
    assert git(tmp_path, "fsck", "--strict", "--no-dangling") == ""
