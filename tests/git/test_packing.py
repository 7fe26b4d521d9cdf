"""Our packs are combined before they trouble git's own housekeeping, and no others."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import git, record
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.conversation import Caller
from gitmem.git.odb.packs import own_packs, release, remember_packs
from gitmem.git.opening import open_repository
from gitmem.git.packing import pack_own
from gitmem.git.repository import Repository
from gitmem.redaction.redact import redact
from gitmem.store.lock import locked
from gitmem.store.session_store import SessionStore


def packed(repository: Path) -> bool:
    return pack_own(open_repository(repository, os.environ))


def saved(repository: Path, number: int = 5) -> None:
    store = SessionStore(open_repository(repository, os.environ))
    for each in range(number):
        store.append(record(f"client-{each}", goal=os.urandom(8).hex()))
    store.replay()


def packed_anew(repository: Path) -> None:
    saved(repository)
    assert packed(repository)


def ours(repository: Path) -> set[str]:
    lines = git(repository, "rev-list", "--objects", "--glob=refs/ocm/*").splitlines()
    return {line[:40] for line in lines}


def names(packs: Iterable[Path]) -> set[str]:
    return {path.stem for path in packs}


def pack_files(repository: Path) -> set[str]:
    return names((repository / ".git" / "objects" / "pack").glob("*.pack"))


@pytest.fixture
def eager(repository: Path) -> Path:
    """Two packs are combined here."""
    git(repository, "config", "gc.autoPackLimit", "3")
    return repository


def is_sound(repository: Path) -> bool:
    return git(repository, "fsck", "--full", "--strict", "--no-dangling") == ""


def test_after_a_failure_it_waits(eager: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(eager)
    opened = open_repository(eager, os.environ)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(eager))
        assert not pack_own(opened)
    assert not pack_own(opened)
    os.utime(eager / ".git" / "ocm" / "packing-failed", (0, 0))
    assert pack_own(opened)


def test_our_packs_become_one_and_no_other_is_touched(eager: Path) -> None:
    git(eager, "repack", "-q", "-d")
    of_the_user = pack_files(eager)
    for _ in range(3):
        packed_anew(eager)

    mine = names(own_packs(eager / ".git"))
    assert len(mine) == 1
    assert pack_files(eager) == of_the_user | mine
    assert is_sound(eager)
    assert ours(eager)


def test_new_packs_become_one_that_is_kept_as_they_were(repository: Path) -> None:
    """What was written just now may still have no ref."""
    git(repository, "config", "gc.autoPackLimit", "3")
    opened = open_repository(repository, os.environ)
    trees = [many_texts(opened, word) for word in ("a", "b")]
    assert packed(repository)
    [mine] = own_packs(repository / ".git")
    assert pack_files(repository) == {mine.stem}
    git(repository, "gc", "--quiet", "--prune=now")
    assert all(opened.read_tree(tree) for tree in trees)
    release(repository / ".git")
    assert not mine.with_suffix(".keep").exists()


@few(1, "bitmap", [("--bitmap",), ()])
def test_packs_in_an_index_of_many_become_one(
    repository: Path, bitmap: tuple[str, ...]
) -> None:
    git(repository, "config", "gc.autoPackLimit", "3")
    git(repository, "repack", "-q", "-d")
    of_the_user = pack_files(repository)
    opened = open_repository(repository, os.environ)
    trees = [many_texts(opened, word) for word in ("a", "b", "c")]
    git(repository, "multi-pack-index", "write", *bitmap)
    assert packed(repository)
    [mine] = names(own_packs(repository / ".git"))
    assert pack_files(repository) == of_the_user | {mine}
    git(repository, "multi-pack-index", "verify")
    assert is_sound(repository)
    for reader in (opened, open_repository(repository, os.environ)):
        assert all(reader.read_tree(tree) for tree in trees)


@pytest.mark.endurance
@needs_newer_git
def test_packs_beside_geometric_maintenance_become_one(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_newer_git(monkeypatch)
    opened = open_repository(repository, os.environ)
    for number in range(12):
        many_texts(opened, str(number))
    git(repository, "repack", "-q", "-d", "--geometric=2", "--write-midx")
    assert len(own_packs(repository / ".git")) == 12
    assert packed(repository)
    assert len(own_packs(repository / ".git")) == 1
    git(repository, "multi-pack-index", "verify")


def many_texts(opened: Repository, word: str) -> str:
    with opened.batch() as batch:
        texts = {f"{number}": redact(f"{word} {number}") for number in range(100)}
        return batch.write_tree(None, texts)


@pytest.mark.endurance
def test_a_pack_that_is_to_be_kept_stays(eager: Path) -> None:
    packed_anew(eager)
    [kept] = pack_files(eager)
    (eager / ".git" / "objects" / "pack" / f"{kept}.keep").write_text("mine")
    for _ in range(3):
        packed_anew(eager)

    assert kept in pack_files(eager)
    assert len(pack_files(eager)) == 2


def test_a_list_of_packs_leads_nowhere_else(repository: Path) -> None:
    (repository / ".git" / "precious.pack").touch()
    (repository / ".git" / "precious.idx").touch()
    remember_packs(repository / ".git", ["../../precious", "pack-" + "f" * 40, ""])
    assert own_packs(repository / ".git") == []


@contextmanager
def cut_off(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"gitmem.git.packing.{name}", die)
        with pytest.raises(KeyboardInterrupt):
            yield


@few(
    1,
    "place",
    ["remember_packs", "keep_pack", "forget_gone_packs"],
)
def test_interrupted_packing_loses_nothing(
    eager: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    packed_anew(eager)
    with cut_off(monkeypatch, place):
        packed_anew(eager)
    assert is_sound(eager)

    packed_anew(eager)
    assert is_sound(eager)


def test_only_one_packs_at_a_time(eager: Path) -> None:
    saved(eager)
    with locked(eager / ".git" / "ocm" / "packing.lock"):
        run_maintenance(workspace_at(eager))
    assert len(pack_files(eager)) > 1
    run_maintenance(workspace_at(eager))
    assert len(pack_files(eager)) == 1


def test_a_checkpoint_has_it_done_where_no_hook_does(eager: Path) -> None:
    """Whoever saves does not wait for it."""
    git(eager, "config", "core.bare", "true")
    bare, assistant = eager / ".git", Caller("cursor", own_conversation="own")
    saved_session(workspace_at(bare), assistant, goal="Save")
    saved_session(workspace_at(bare), assistant, goal="Save more")
    deadline = time.monotonic() + 20
    while len(pack_files(eager)) > 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(pack_files(eager)) == 1


def test_nothing_is_packed_beside_a_gc(eager: Path) -> None:
    saved(eager)
    (eager / ".git" / "gc.pid").touch()
    assert not packed(eager)


def test_a_large_pack_is_not_written_again_with_every_few(eager: Path) -> None:
    opened = open_repository(eager, os.environ)
    noise = redact(os.urandom(20_000).hex())
    with opened.batch() as batch:
        batch.write_tree(None, {"large": noise})
    [large] = pack_files(eager)
    packed_anew(eager)
    assert large in pack_files(eager)
    assert len(pack_files(eager)) == 2


@pytest.mark.endurance
def test_a_repository_that_only_git_opens_is_packed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    git(tmp_path, "config", "gc.autoPackLimit", "3")
    packed_anew(tmp_path)
    assert len(pack_files(tmp_path)) == 1
    assert is_sound(tmp_path)
