"""Memory goes to a remote and comes from it, and nothing else moves."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.harness import NOON, git, make_repository, script
from support.rounds import few

from gitmem.errors import Damaged, Unreachable
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.odb.packs import own_packs
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature
from gitmem.redaction.redact import redact
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.git_transport import refs_at
from gitmem.store.remote.pushing import push, replace
from gitmem.store.remote.remote import Remote, TransportOptions

SESSIONS = "refs/ocm/sessions"
CONVERSATIONS = "refs/ocm/conversations"
TRACKING = "refs/ocm/remotes/origin/sessions"
LINE = TransportOptions(20.0)
ORIGIN = Remote("origin", "origin", {SESSIONS: SESSIONS, CONVERSATIONS: CONVERSATIONS})


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


def send(clone: Path, *refspecs: str) -> None:
    git(clone, "push", "-q", "origin", *refspecs)


def commits(folder: Path) -> list[str]:
    """Oldest first."""
    return git(folder, "rev-list", "--reverse", "main").split()


def test_pushed_is_fetched_elsewhere(clone: Path, bare: Path, tmp_path: Path) -> None:
    first, second, _ = commits(clone)
    assert push(open_repository(clone), ORIGIN, {SESSIONS: first}, LINE)
    assert git(clone, "rev-parse", TRACKING) == first
    other = make_repository(tmp_path / "other")
    git(other, "remote", "add", "origin", str(bare))
    fetch(open_repository(other), ORIGIN, LINE)
    assert git(other, "rev-parse", TRACKING) == first
    assert push(open_repository(clone), ORIGIN, {SESSIONS: second}, LINE)
    at_remote = refs_at(open_repository(other), "origin", [SESSIONS], LINE)
    assert at_remote == {SESSIONS: second}


@pytest.mark.endurance
def test_only_packs_that_come_are_ours(clone: Path, bare: Path, tmp_path: Path) -> None:
    first, second, third = commits(clone)
    send(clone, f"{first}:{SESSIONS}", f"{second}:refs/heads/main")
    other = make_repository(tmp_path / "other", commits=0)
    git(other, "remote", "add", "origin", str(bare))
    git(other, "-c", "fetch.unpackLimit=1", "fetch", "--quiet", "origin", "main")
    fetch(open_repository(other), ORIGIN, LINE)
    assert own_packs(other / ".git") == []
    send(clone, f"{third}:{SESSIONS}")
    fetch(open_repository(other), ORIGIN, LINE)
    [ours] = own_packs(other / ".git")
    assert third in git(other, "verify-pack", "-v", str(ours))
    assert len([*(other / ".git" / "objects" / "pack").glob("*.pack")]) == 2


def test_slower_writer_moves_nothing(clone: Path, bare: Path) -> None:
    first, second, third = commits(clone)
    repository = open_repository(clone)
    push(repository, ORIGIN, {SESSIONS: second}, LINE)
    assert not push(repository, ORIGIN, {SESSIONS: first}, LINE)
    assert not replace(repository, ORIGIN, {SESSIONS: (third, first)}, LINE)
    assert (
        git(bare, "rev-parse", SESSIONS) == git(clone, "rev-parse", TRACKING) == second
    )
    assert replace(repository, ORIGIN, {SESSIONS: (second, first)}, LINE)
    assert (
        git(bare, "rev-parse", SESSIONS) == git(clone, "rev-parse", TRACKING) == first
    )


def test_only_the_refs_that_were_asked_for_come(clone: Path) -> None:
    send(clone, "main:refs/ocm/sessions", "main:refs/ocm/sessions-old")
    fetch(open_repository(clone), ORIGIN, LINE)
    names = git(clone, "for-each-ref", "--format=%(refname)", "refs/ocm").split()
    assert names == [TRACKING]


def test_race_lost_at_the_remote_is_no_refusal(clone: Path, bare: Path) -> None:
    first, second, third = commits(clone)
    send(clone, f"{third}:refs/heads/main", f"{first}:{SESSIONS}")
    script(bare / "hooks" / "update", f"git update-ref {SESSIONS} {third}")
    assert not push(open_repository(clone), ORIGIN, {SESSIONS: second}, LINE)
    assert git(bare, "rev-parse", SESSIONS) == third


def test_a_remote_that_cannot_write_is_no_race(clone: Path, bare: Path) -> None:
    """As git tells of a full disk, when it fails to update the ref."""
    first, second, third = commits(clone)
    send(clone, f"{third}:refs/heads/main", f"{first}:{SESSIONS}")
    says = f"error: cannot update ref '{SESSIONS}': couldn't write '{SESSIONS}.lock'"
    script(
        bare / "hooks" / "update", f'echo "{says}"; git update-ref {SESSIONS} {third}'
    )
    with pytest.raises(Unreachable, match="no room left"):
        push(open_repository(clone), ORIGIN, {SESSIONS: second}, LINE)


def test_the_lock_of_a_killed_fetch_does_not_stop_the_next(clone: Path) -> None:
    leave_lock(clone)
    fetch(open_repository(clone), ORIGIN, LINE)
    assert git(clone, "for-each-ref", TRACKING) == ""
    assert refs_at(open_repository(clone), "origin", [SESSIONS], LINE) == {}
    for commit in commits(clone)[:2]:
        send(clone, f"{commit}:{SESSIONS}")
        leave_lock(clone)
        fetch(open_repository(clone), ORIGIN, LINE)
        assert git(clone, "rev-parse", TRACKING) == commit


def leave_lock(clone: Path) -> None:
    """The lock of a writer that was killed long ago."""
    lock = clone / ".git" / f"{TRACKING}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (0, 0))


@pytest.mark.endurance
def test_fetches_at_the_same_time_do_not_hinder_each_other(clone: Path) -> None:
    first, second, third = commits(clone)
    push(open_repository(clone), ORIGIN, {SESSIONS: first}, LINE)
    for commit in (second, third):
        send(clone, f"{commit}:{SESSIONS}")
        with ThreadPoolExecutor(4) as pool:
            tasks = [
                pool.submit(fetch, open_repository(clone), ORIGIN, LINE)
                for _ in range(4)
            ]
        assert [task.result() for task in tasks] == [None] * 4
        assert git(clone, "rev-parse", TRACKING) == commit


def test_forbidden_history_is_no_lost_race(clone: Path, bare: Path) -> None:
    first, second, _ = commits(clone)
    git(bare, "config", "receive.denyNonFastForwards", "true")
    branch = Remote("origin", "origin", {SESSIONS: "refs/heads/ocm/sessions"})
    push(open_repository(clone), branch, {SESSIONS: second}, LINE)
    with pytest.raises(Unreachable, match="origin refused refs/heads/ocm/sessions"):
        replace(open_repository(clone), branch, {SESSIONS: (second, first)}, LINE)
    assert git(clone, "rev-parse", TRACKING) == second


HOSTILE = {
    "remote.origin.fetch": "+refs/*:refs/*",
    "remote.origin.push": "refs/heads/*:refs/heads/*",
    "remote.origin.mirror": "true",
    "remote.origin.prune": "true",
    "remote.origin.tagOpt": "--tags",
    "push.default": "matching",
    "push.followTags": "true",
    "push.gpgSign": "true",
    "push.pushOption": "merge_request.create",
    "push.recurseSubmodules": "only",
    "fetch.prune": "true",
    "fetch.pruneTags": "true",
    "fetch.recurseSubmodules": "true",
    "fetch.writeCommitGraph": "true",
    "fetch.parallel": "4",
    "submodule.recurse": "true",
    "maintenance.auto": "true",
    "gc.auto": "1",
    "gc.autoDetach": "false",
}


def everything_else(git_dir: Path) -> dict[Path, bytes]:
    """All files but objects and what is ours; with the marks of packs."""
    ours = ("refs/ocm", "logs/refs/ocm", "ocm/")
    return {
        path: path.read_bytes()
        for path in git_dir.rglob("*")
        if path.is_file()
        and not path.relative_to(git_dir).as_posix().startswith(ours)
        and ("objects" not in path.parts or path.suffix in (".promisor", ".graph"))
    }


def test_nothing_of_the_user_moves(clone: Path, bare: Path) -> None:
    first, second, third = commits(clone)
    repository = open_repository(clone)
    git(clone, "tag", "here")
    send(clone, "main:main", "main:other", "main:refs/tags/there")
    git(clone, "fetch", "-q", "origin")
    for key, value in HOSTILE.items():
        git(clone, "config", key, value)
    git(clone, "update-ref", SESSIONS, third)
    script(clone / ".git" / "hooks" / "pre-push", "exit 1")
    script(clone / ".git" / "hooks" / "reference-transaction", "exit 1")
    before, refs = everything_else(clone / ".git"), git(bare, "for-each-ref")
    push(repository, ORIGIN, {SESSIONS: first}, LINE)
    git(bare, "update-ref", SESSIONS, second)
    fetch(repository, ORIGIN, LINE)
    replace(repository, ORIGIN, {SESSIONS: (second, first)}, LINE)
    assert everything_else(clone / ".git") == before
    assert git(clone, "rev-parse", SESSIONS) == third
    git(bare, "update-ref", "-d", SESSIONS)
    assert git(bare, "for-each-ref") == refs


def test_first_of_several_urls_is_used(clone: Path, tmp_path: Path) -> None:
    first, *_ = commits(clone)
    for name in ("one", "two"):
        git(tmp_path, "init", "-q", "--bare", name)
        git(clone, "config", "--add", "remote.origin.pushurl", f"short:{name}")
    git(clone, "config", f"url.{tmp_path}/.insteadOf", "short:")
    assert push(open_repository(clone), ORIGIN, {SESSIONS: first}, LINE)
    assert git(tmp_path / "one", "rev-parse", SESSIONS) == first
    assert not git(tmp_path / "two", "for-each-ref")


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A remote with code on its branch, and three commits of sessions."""
    made = Path(_memory_once().name, "memory.git")
    return Path(shutil.copytree(made, tmp_path / "memory.git"))


@cache
def _memory_once() -> TemporaryDirectory[str]:
    place = TemporaryDirectory(prefix="gitmem-")
    writer = make_repository(Path(place.name, "writer"), commits=2)
    bare = writer.parent / "memory.git"
    git(writer, "init", "-q", "--bare", str(bare))
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(writer, "push", "-q", str(bare), "main")
    git(writer, "checkout", "-q", "--orphan", "sessions")
    for number in range(3):
        (writer / "file.txt").write_text(f"session {number}\n")
        git(writer, "commit", "-q", "-a", f"--message={number}")
    git(writer, "push", "-q", str(bare), f"HEAD:{SESSIONS}")
    return place


TEXTS = [b"session 2\n", b"session 1\n", b"session 0\n"]


def texts(folder: Path) -> list[bytes]:
    """Of the session in each commit, as libgit2 finds them; newest first."""
    repository = open_repository(folder)
    tip = repository.resolve_ref(TRACKING)
    assert tip
    found = []
    for commit in repository.first_parents(tip, 10):
        tree = repository.tree_of(commit.oid)
        assert tree
        blob = repository.read_tree(tree)["file.txt"].oid
        found.append(repository.read_blob(blob, 100))
    return found


def next_commit(repository: Repository, parent: Oid) -> Oid:
    tree = repository.write_tree(repository.tree_of(parent), {"new.txt": redact("new")})
    ada = Signature("Ada", "ada@example.com", NOON)
    return repository.create_commit(tree, [parent], redact("new"), ada)


@few(
    2,
    "kind",
    [
        ["--filter=blob:none"],
        ["--filter=tree:0", "--bare"],
        ["--depth=1", "--filter=tree:0"],
        ["--depth=1", "--bare"],
        ["--single-branch"],
        ["--mirror"],
    ],
    ids=" ".join,
)
def test_sessions_are_there_as_a_whole_in_clones_of_any_kind(
    tmp_path: Path, memory: Path, kind: list[str]
) -> None:
    git(tmp_path, "clone", "-q", *kind, memory.as_uri(), "c")
    repository = open_repository(tmp_path / "c")
    before = everything_else(repository.common_dir)
    fetch(repository, ORIGIN, LINE)
    assert texts(tmp_path / "c") == TEXTS
    new = next_commit(repository, git(memory, "rev-parse", SESSIONS))
    assert push(repository, ORIGIN, {SESSIONS: new}, LINE)
    assert everything_else(repository.common_dir) == before


@pytest.mark.endurance
@pytest.mark.parametrize("filter_", ["blob:none", "tree:0"])
def test_omitted_blobs_are_fetched(tmp_path: Path, memory: Path, filter_: str) -> None:
    git(tmp_path, "clone", "-q", f"--filter={filter_}", memory.as_uri(), "c")
    git(tmp_path / "c", "fetch", "-q", "origin", f"+{SESSIONS}:{TRACKING}")
    with pytest.raises(Damaged):
        texts(tmp_path / "c")
    fetch(open_repository(tmp_path / "c"), ORIGIN, LINE)
    assert texts(tmp_path / "c") == TEXTS
