"""What git removes beside a writer is put back, and nothing is kept for ever."""

import errno
import os
import re
import resource
import signal
import time
from pathlib import Path

import pytest
from support.harness import NOON, git, make_repository, pack_objects, record

from gitmem.errors import NoPermission
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.odb.object_backup import keep, put_back, release
from gitmem.git.odb.objects import GitObject, ObjectType
from gitmem.git.opening import open_through_git as open_by_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature
from gitmem.redaction.redact import redact
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.session_tree import REF

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
    """Links of objects, and the files that keep packs."""
    keeps = (folder / ".git/objects/pack").glob("*.keep")
    return sorted([*(folder / ".git/ocm/kept").glob("*"), *keeps])


def age(folder: Path, seconds: float) -> None:
    """As if what is kept had been written so long ago."""
    then = time.time() - seconds
    for path in kept_in(folder):
        os.utime(path, (then, then))


@pytest.mark.parametrize(("texts", "restored"), [(1, 3), (200, 0)])
def test_what_is_pruned_before_use_is_there(
    repository: Path, texts: int, restored: int
) -> None:
    """Loose objects are put back, and a pack stays."""
    commit = saved(open_repository(repository), texts=texts)
    age(repository, 2 * HOUR if texts == 1 else 0)  # however old they are
    prune(repository)
    there = git(repository, "cat-file", "--batch-all-objects", "--batch-check")
    assert (commit in there) is (restored == 0)
    assert put_back(repository / ".git") == restored
    git(repository, "update-ref", "refs/heads/found", commit)
    assert git(repository, "fsck", "--strict") == ""
    assert put_back(repository / ".git") == 0
    prune(repository)  # now they are in a pack
    assert put_back(repository / ".git") == 0


def test_a_pack_that_was_there_is_kept_object_by_object(repository: Path) -> None:
    """A `git gc` that runs may have looked before it was kept."""
    commit = saved(open_repository(repository), texts=200)
    release(repository / ".git")
    assert saved(open_repository(repository), texts=200) == commit
    for path in (repository / ".git/objects/pack").iterdir():
        path.unlink()
    assert put_back(repository / ".git") == 202
    git(repository, "update-ref", "refs/heads/found", commit)
    assert git(repository, "fsck", "--strict") == ""


def test_a_pack_that_the_user_keeps_stays(repository: Path) -> None:
    saved(open_repository(repository), texts=200)
    [ours] = (repository / ".git/objects/pack").glob("*.keep")
    ours.write_text("mine\n")
    release(repository / ".git")
    assert ours.exists()


@pytest.mark.endurance
def test_many_packs_need_few_open_files(repository: Path) -> None:
    objects = [GitObject(ObjectType.BLOB, b"%d" % number) for number in range(30)]
    for each in objects:
        pack_objects(repository, [each])
    keep(repository / ".git", objects)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(each.name) for each in Path("/dev/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 10, limits[1]))
    try:
        assert put_back(repository / ".git") == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_packed_objects_are_kept_too(repository: Path) -> None:
    commit = saved(open_repository(repository))
    git(repository, "update-ref", "refs/heads/found", commit)
    git(repository, "repack", "-adq")
    release(repository / ".git")
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
    assert len(kept_in(repository)) == 1 + 5
    age(repository, HOUR + 100)
    put_back(repository / ".git")
    assert kept_in(repository) == []
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""


def test_nothing_is_dropped_during_git_gc(repository: Path) -> None:
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


def test_more_backups_are_kept_shorter(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(open_repository(repository), texts=50)
    age(repository, 300)
    put_back(repository / ".git")
    assert len(kept_in(repository)) == 52
    monkeypatch.setattr("gitmem.git.odb.object_backup._MANY", 10)
    put_back(repository / ".git")
    assert kept_in(repository) == []


def test_without_links_are_copies(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    commit = saved(open_repository(repository))
    prune(repository)
    assert put_back(repository / ".git") == 3
    git(repository, "update-ref", "refs/heads/found", commit)
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


def test_git_itself_writes_and_reads_by_names_of_sha256(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    repository = open_by_git(tmp_path, os.environ)
    few, many = saved(repository), saved(repository, texts=200)
    trees = [repository.tree_of(commit) or "" for commit in (few, many)]
    prune(tmp_path)
    assert all(repository.read_tree(tree)["0.md"] for tree in trees)
    git(tmp_path, "update-ref", "refs/heads/few", few)
    git(tmp_path, "update-ref", "refs/heads/many", many)
    assert git(tmp_path, "fsck", "--strict") == ""


def test_all_work_trees_of_a_bare_repository_keep_in_one_place(tmp_path: Path) -> None:
    bare, linked = tmp_path / "bare.git", tmp_path / "linked"
    git(
        make_repository(tmp_path / "here"), "clone", "--quiet", "--bare", ".", str(bare)
    )
    git(bare, "worktree", "add", "--quiet", "--detach", str(linked))
    commit = saved(open_repository(linked))
    prune(bare)
    assert put_back(bare) == 3
    assert git(linked, "cat-file", "-t", commit) == "commit"


def test_what_a_repository_has_from_another_is_kept_here(tmp_path: Path) -> None:
    """Whoever prunes there knows nothing of our refs."""
    there, here = make_repository(tmp_path / "there"), tmp_path / "here"
    git(there, "clone", "--quiet", "--shared", ".", str(here))
    saved(open_repository(there))
    commit = saved(open_repository(here))
    git(here, "update-ref", "refs/heads/found", commit)
    release(there / ".git")
    prune(there)
    assert put_back(here / ".git") == 3
    assert git(here, "fsck", "--strict") == ""


def test_a_reader_puts_back_what_it_misses(repository: Path) -> None:
    store = SessionStore(open_repository(repository))
    store.append(record(goal="Stay"))
    store.replay()
    tip = git(repository, "rev-parse", REF)
    for path in kept_in(repository):
        (repository / ".git/objects" / path.name[:2] / path.name[2:]).unlink()
    other = SessionStore(open_repository(repository))
    assert [each.goal for each in other.memory().newest()] == ["Stay"]
    assert other.memory().commit == tip
    assert git(repository, "fsck", "--strict") == ""


def test_who_saves_goes_on_from_what_was_pruned(repository: Path) -> None:
    store = SessionStore(open_repository(repository))
    for number in range(2):
        store.append(record(f"client-{number}", goal=str(number)))
        store.replay()
        tip = git(repository, "rev-parse", REF)
        git(repository, "update-ref", "-d", REF)
        prune(repository)
        (repository / ".git" / REF).parent.mkdir(parents=True, exist_ok=True)
        (repository / ".git" / REF).write_text(f"{tip}\n")
    store.replay()
    assert {each.goal for each in store.memory().newest()} == {"0", "1"}
    assert git(repository, "rev-list", "--count", REF) == "2"
    assert git(repository, "fsck", "--strict") == ""


def test_what_is_no_file_of_ours_is_passed_over(repository: Path) -> None:
    """Nobody waits for a pipe, or puts a link in the place of an object."""
    commit = saved(open_repository(repository))
    kept = repository / ".git/ocm/kept"
    strangers = [kept / commit, kept / f"{commit}.aside", kept / ("2" * 40)]
    for path in strangers:
        path.unlink(missing_ok=True)
    os.mkfifo(strangers[0])
    strangers[1].touch()
    strangers[2].symlink_to(repository / "file.txt")
    prune(repository)
    then = time.time() - 2 * HOUR
    for path in strangers:
        os.utime(path, (then, then), follow_symlinks=False)
    signal.alarm(10)  # ends the tests where it would wait for ever
    put_back(repository / ".git")
    signal.alarm(0)
    assert all(map(os.path.lexists, strangers))
    assert not (repository / ".git/objects/22").exists()


def test_links_are_not_followed(repository: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    old = elsewhere / ("1" * 40)
    old.touch()
    os.utime(old, (1, 1))
    (repository / ".git/ocm").mkdir()
    (repository / ".git/ocm/kept").symlink_to(elsewhere)
    with pytest.raises(NoPermission, match=re.escape("ocm/kept'")):
        saved(open_repository(repository))
    put_back(repository / ".git")
    release(repository / ".git")
    assert list(elsewhere.iterdir()) == [old]
