"""Our objects are packed before they trouble git's own housekeeping, and no others."""

import os
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path

import pytest
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import git, record
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.conversation import Caller
from gitmem.git.odb.object_backup import release
from gitmem.git.odb.packs import PackIndex, own_packs, remember_packs
from gitmem.git.opening import open_repository
from gitmem.git.packing import pack_own
from gitmem.git.repository import Repository
from gitmem.redaction.redact import redact
from gitmem.store.lock import locked
from gitmem.store.session_store import SessionStore


def packed(repository: Path) -> bool:
    """Whether it was done now, as if the last time was long ago."""
    (repository / ".git" / "ocm" / "packed").unlink(missing_ok=True)
    return pack_own(open_repository(repository, os.environ))


def saved(repository: Path, number: int = 5) -> None:
    store = SessionStore(open_repository(repository, os.environ))
    for each in range(number):
        store.append(record(f"client-{each}", goal=os.urandom(8).hex()))
    store.replay()


def packed_anew(repository: Path) -> None:
    """Sessions saved, and packed whatever chance makes of their names."""
    saved(repository)
    lie_about(repository, 1)
    assert packed(repository)


def ours(repository: Path) -> set[str]:
    lines = git(repository, "rev-list", "--objects", "--glob=refs/ocm/*").splitlines()
    return {line[:40] for line in lines}


def loose(repository: Path) -> set[str]:
    files = (repository / ".git" / "objects").glob("[0-9a-f][0-9a-f]/*")
    return {path.parent.name + path.name for path in files}


def names(packs: Iterable[Path]) -> set[str]:
    return {path.stem for path in packs}


def names_in(pack: Path) -> set[str]:
    index = PackIndex(pack.with_suffix(".idx"), 20)
    return {index[number].hex() for number in range(len(index))}


def pack_files(repository: Path) -> set[str]:
    return names((repository / ".git" / "objects" / "pack").glob("*.pack"))


def lie_about(repository: Path, number: int) -> set[str]:
    """Loose objects of the user that git takes for 256 times as many."""
    written: set[str] = set()
    while len(written) < number:
        content = b"blob 16\0" + os.urandom(16)
        name = sha1(content, usedforsecurity=False).hexdigest()
        if name.startswith("17"):
            path = repository / ".git" / "objects" / "17" / name[2:]
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(content))
            written.add(name)
    return written


@pytest.fixture
def eager(repository: Path) -> Path:
    """Here one more object in the folder that is looked at makes us pack."""
    git(repository, "config", "gc.auto", "1")
    return repository


def is_sound(repository: Path) -> bool:
    return git(repository, "fsck", "--full", "--strict", "--no-dangling") == ""


def test_what_our_refs_lead_to_is_packed_and_loose_no_more(eager: Path) -> None:
    of_the_user = lie_about(eager, 1)
    saved(eager)
    before = loose(eager)

    assert packed(eager)

    assert ours(eager) < before
    assert loose(eager) == before - ours(eager) >= of_the_user
    assert is_sound(eager)


def test_a_third_of_what_git_waits_for_is_enough(repository: Path) -> None:
    git(repository, "config", "gc.auto", "6700")
    here = len([name for name in loose(repository) if name.startswith("17")])
    lie_about(repository, 8 - here)
    assert not packed(repository)
    lie_about(repository, 1)
    assert packed(repository)
    git(repository, "config", "gc.auto", "0")
    assert packed(repository)


def test_it_is_tried_once_an_hour(eager: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stays loose is the user's, or git refuses it."""
    lie_about(eager, 3)
    opened = open_repository(eager, os.environ)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(eager))
        assert not pack_own(opened)
    assert not pack_own(opened)
    os.utime(eager / ".git" / "ocm" / "packed", (0, 0))
    assert pack_own(opened)


def test_our_packs_become_one_and_no_other_is_touched(eager: Path) -> None:
    git(eager, "config", "gc.autoPackLimit", "6")
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
    git(eager, "config", "gc.autoPackLimit", "3")
    packed_anew(eager)
    [kept] = pack_files(eager)
    (eager / ".git" / "objects" / "pack" / f"{kept}.keep").touch()
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
    ["remember_packs", "PackIndex", "forget_gone_packs"],
)
def test_interrupted_packing_loses_nothing(
    eager: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    git(eager, "config", "gc.autoPackLimit", "3")
    packed_anew(eager)
    with cut_off(monkeypatch, place):
        packed_anew(eager)
    assert is_sound(eager)

    packed_anew(eager)
    assert is_sound(eager)


def test_only_one_packs_at_a_time(eager: Path) -> None:
    saved(eager)
    lie_about(eager, 1)
    with locked(eager / ".git" / "ocm" / "packing.lock"):
        run_maintenance(workspace_at(eager))
    assert not pack_files(eager)
    run_maintenance(workspace_at(eager))
    assert pack_files(eager)


def test_a_checkpoint_has_it_done_where_no_hook_does(eager: Path) -> None:
    """Whoever saves does not wait for it."""
    git(eager, "config", "core.bare", "true")
    bare, assistant = eager / ".git", Caller("cursor", own_conversation="own")
    saved_session(workspace_at(bare), assistant, goal="Save")
    lie_about(eager, 1)
    saved_session(workspace_at(bare), assistant, goal="Save more")
    deadline = time.monotonic() + 20
    while loose(eager) & ours(eager) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not loose(eager) & ours(eager)


def test_nothing_is_packed_beside_a_gc(eager: Path) -> None:
    lie_about(eager, 1)
    (eager / ".git" / "gc.pid").touch()
    assert not packed(eager)


@pytest.mark.endurance
def test_a_repository_that_only_git_opens_is_packed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    git(tmp_path, "config", "gc.auto", "1")
    saved(tmp_path)
    (tmp_path / ".git" / "objects" / "17").mkdir(exist_ok=True)
    (tmp_path / ".git" / "objects" / "17" / ("0" * 62)).touch()
    assert packed(tmp_path)
    (tmp_path / ".git" / "objects" / "17" / ("0" * 62)).unlink()
    assert loose(tmp_path) == set()
    assert is_sound(tmp_path)


@pytest.mark.endurance
def test_borrowed_objects_are_not_copied(eager: Path, tmp_path: Path) -> None:
    saved(eager)
    lent, borrower = ours(eager), tmp_path / "borrower"
    git(tmp_path, "clone", "-q", "--shared", "--no-checkout", str(eager), str(borrower))
    git(borrower, "fetch", "-q", "origin", "+refs/ocm/sessions:refs/ocm/sessions")
    git(borrower, "config", "gc.auto", "1")
    packed_anew(borrower)

    [pack] = own_packs(borrower / ".git")
    assert names_in(pack) == ours(borrower) - lent
    assert is_sound(borrower)
