"""The contract of the Repository seam, in every kind of repository.

Another implementation runs the same suite by joining `OPENERS`.
"""

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from support.commits import committed, imported
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import NOON, git, make_repository

from gitmem.errors import (
    Ambiguous,
    Damaged,
    InvalidInput,
    NoPermission,
    NotARepository,
    NotFound,
    Unavailable,
)
from gitmem.git import command as git_command
from gitmem.git import opening
from gitmem.git import opening as plumbing
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.plumbing.blame import blame_file
from gitmem.git.repository import Repository
from gitmem.git.values import Blame, Change, FileChange, Lines, Oid, Signature
from gitmem.git.work_tree import differing_paths
from gitmem.redaction.redact import redact

REF = "refs/ocm/test"
ADA = Signature("Ada", "ada@example.com", NOON)


def through_git(folder: Path) -> Repository:
    return plumbing.open_through_git(folder, os.environ)


def as_it_can(folder: Path) -> Repository:
    return opening.open_repository(folder, os.environ)


Opener = Callable[[Path], Repository]
OPENERS: dict[str, Opener] = {"libgit2": open_repository, "plumbing": through_git}


def plain(folder: Path) -> Path:
    return make_repository(folder / "plain")


def unborn(folder: Path) -> Path:
    return make_repository(folder / "unborn", commits=0)


def bare(folder: Path) -> Path:
    git(folder, "clone", "--quiet", "--bare", str(plain(folder)), "bare.git")
    return folder / "bare.git"


def sha256(folder: Path) -> Path:
    return initialized(folder, "--object-format=sha256")


def reftable(folder: Path) -> Path:
    return initialized(folder, "--ref-format=reftable")


def reftable_of_sha256(folder: Path) -> Path:
    return initialized(folder, "--ref-format=reftable", "--object-format=sha256")


def initialized(folder: Path, *options: str) -> Path:
    git(folder, "init", "--quiet", *options, "r")
    git(folder / "r", "commit", "--quiet", "--allow-empty", "--message=first")
    return folder / "r"


PLACES = [
    pytest.param((plain, open_repository), id="plain-libgit2"),
    pytest.param((unborn, open_repository), id="unborn-libgit2"),
    pytest.param(
        (bare, open_repository), marks=pytest.mark.endurance, id="bare-libgit2"
    ),
    pytest.param(
        (plain, through_git), marks=pytest.mark.endurance, id="plain-plumbing"
    ),
    pytest.param((bare, through_git), id="bare-plumbing"),
    pytest.param((sha256, as_it_can), id="sha256"),
    *(
        pytest.param((kind, as_it_can), marks=needs_newer_git, id=kind.__name__)
        for kind in (reftable, reftable_of_sha256)
    ),
]
"""Kinds of repositories, with what opens them; tests of `unusual` have many more."""


@pytest.fixture(params=OPENERS.values(), ids=list(OPENERS))
def opener(request: pytest.FixtureRequest) -> Opener:
    chosen: Opener = request.param
    return chosen


@pytest.fixture(params=PLACES)
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Opener]:
    kind, chosen = request.param
    if kind in (reftable, reftable_of_sha256):
        use_newer_git(monkeypatch)
    return kind(tmp_path), chosen


@pytest.fixture
def folder(place: tuple[Path, Opener]) -> Path:
    return place[0]


@pytest.fixture
def repository(place: tuple[Path, Opener]) -> Repository:
    folder, chosen = place
    return chosen(folder)


def commit(
    repository: Repository, texts: dict[str, str | None], parent: str | None
) -> str:
    changes = {
        path: None if text is None else redact(text) for path, text in texts.items()
    }
    tree = repository.write_tree(parent and repository.tree_of(parent), changes)
    return repository.create_commit(tree, [parent] if parent else [], redact("m"), ADA)


def test_it_knows_its_folders_as_git_does(repository: Repository, folder: Path) -> None:
    assert repository.git_dir == Path(git(folder, "rev-parse", "--absolute-git-dir"))
    common = git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    assert repository.common_dir == Path(common)
    is_bare = git(folder, "rev-parse", "--is-bare-repository") == "true"
    assert repository.work_tree == (None if is_bare else folder)
    head = repository.head()
    assert head.branch == git(folder, "symbolic-ref", "--short", "HEAD")
    assert (head.commit or "") == git(folder, "rev-list", "--all", "--max-count=1")


def test_git_reads_what_was_written(repository: Repository, folder: Path) -> None:
    texts: dict[str, str | None] = {"a.md": "one\n", "b/c/d.md": "två\n"}
    new = commit(repository, texts, None)
    assert commit(repository, texts, None) == new
    assert repository.update_ref(REF, None, new, "test: first")
    assert git(folder, "show", f"{REF}:b/c/d.md") == "två"
    assert git(folder, "log", "-1", "--format=%an %ae %at", REF) == (
        f"Ada ada@example.com {int(NOON.timestamp())}"
    )
    assert git(folder, "fsck", "--strict") == ""


def test_ref_moves_only_from_the_expected_value(
    repository: Repository, folder: Path
) -> None:
    one = commit(repository, {"a": "1"}, None)
    two = commit(repository, {"a": "2"}, one)
    assert not repository.update_ref(REF, one, two, "no such ref yet")
    assert repository.update_ref(REF, None, one, "made")
    for _ in "loose", "packed":
        assert not repository.update_ref(REF, None, two, "is there already")
        assert not repository.update_ref(REF, two, one, "is elsewhere")
        assert repository.resolve_ref(REF) == one
        git(folder, "pack-refs", "--all", "--prune")
    assert repository.update_ref(REF, one, two, "moved")
    assert repository.resolve_ref(REF) == git(folder, "rev-parse", REF) == two
    log = git(folder, "reflog", "--no-abbrev", "--format=%H %gs", REF)
    assert log.splitlines() == [f"{two} moved", f"{one} made"]


def test_forgotten_moves_leave_nothing(repository: Repository, folder: Path) -> None:
    one = commit(repository, {"a": "1"}, None)
    two = commit(repository, {"a": "2"}, one)
    repository.update_ref(REF, None, one, "made")
    repository.update_ref(REF, one, two, "moved")
    assert repository.reflog(REF) == [one, two]
    repository.forget_moves(REF)
    repository.forget_moves("refs/ocm/none")
    assert one not in repository.reflog(REF)
    assert repository.resolve_ref(REF) == two
    git(folder, "prune", "--expire=now")
    assert repository.update_ref(REF, two, commit(repository, {}, two), "again")


def test_what_is_not_there_is_said_so(repository: Repository) -> None:
    assert repository.resolve_ref("refs/ocm/none") is None
    assert repository.tree_of("0" * 39 + "1") is None
    assert repository.config("ocm.none") is None
    with pytest.raises(Damaged):
        repository.read_blob("0" * 39 + "1", 100)
    tree = repository.write_tree(None, {"a": redact("12345")})
    blob = repository.read_tree(tree)["a"].oid
    assert repository.read_blob(blob, 5) == b"12345"
    with pytest.raises(Damaged, match="5 bytes"):
        repository.read_blob(blob, 4)


def test_only_the_trees_on_the_way_change(tmp_path: Path) -> None:
    repository = open_repository(plain(tmp_path))
    one = commit(repository, {"a/b/x.md": "1", "c/y.md": "1"}, None)
    two = commit(repository, {"a/b/x.md": "2"}, one)
    gone = commit(repository, {"a/b/x.md": None, "not/there.md": None}, one)
    before, after, without = (
        repository.read_tree(repository.tree_of(each) or "")
        for each in (one, two, gone)
    )
    assert before["a"] != after["a"]
    assert before["c"] == after["c"]
    assert without == {"c": before["c"]}


IGNORED = ("a.log", "not there.log", "deep/b.log", "out/x", "ü\n/é.log", "n\udcff.log")
NOT_IGNORED = (
    *("keep.log", "file.txt", "out/tracked", "a\0.log", "../a.log", "/a.log"),
    *("deep/../a.log", "", ".", ".git/x.log"),
)


def test_asked_files_are_compared(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", commits=0)
    names = ["same", "edited", "committed", "gone", "folder/ü"]
    (root / "folder").mkdir()
    for name in names:
        (root / name).write_text("before")
    (root / ".gitignore").write_text("ignored\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "before")
    before = git(root, "rev-parse", "HEAD")
    (root / "committed").write_text("since")
    git(root, "commit", "-qam", "since")
    (root / "gone").unlink()
    for name in ("edited", "folder/ü", "new", "ignored", "not asked about"):
        (root / name).write_text("now")
    (root / "same").write_text("before")  # written anew
    index_before = (root / ".git" / "index").read_bytes()
    asked = [*names, "new", "ignored", "never there", "folder", "../edited", "/same"]
    assert differing_paths(open_repository(root), before, asked) == {
        *("edited", "committed", "gone", "folder/ü", "new")
    }
    assert (root / ".git" / "index").read_bytes() == index_before
    with pytest.raises(Damaged):
        differing_paths(open_repository(root), "0" * 39 + "1", asked)


def test_ignored_as_git_ignores(tmp_path: Path, opener: Opener) -> None:
    root = make_repository(tmp_path / "r")
    (root / ".gitignore").write_text("*.log\n!keep.log\nout/\n")
    (root / "out").mkdir()
    (root / "out" / "tracked").touch()
    git(root, "add", "--force", "out/tracked")
    repository = opener(root)
    asked = IGNORED + NOT_IGNORED
    assert [path for path in asked if repository.is_ignored(path)] == [*IGNORED]


def test_full_name_gives_commit_details(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", commits=2)
    (root / "new.txt").touch()
    git(root, "add", "new.txt")
    git(root, "commit", "--quiet", "--message=third\n\nbody")
    git(root, "tag", "--annotate", "--message=t", "v1")
    repository = open_repository(root)
    head, first = git(root, "rev-parse", "HEAD"), git(root, "rev-parse", "HEAD~2")
    details = repository.commit_details(head)
    assert details is not None
    assert (details.oid, details.subject) == (head, "third")
    assert details.committer.email == "ada@example.com"
    assert details.files == (FileChange("new.txt", Change.CREATED),)
    root_commit = repository.commit_details(first)
    assert root_commit is not None
    assert root_commit.files == (FileChange("file.txt", Change.CREATED),)
    for other in ("HEAD", head[:12], "0" * 40, f"{head}^", "", "v1"):
        assert repository.commit_details(other) is None
    for name in ("HEAD^{tree}", "v1"):
        assert repository.commit_details(git(root, "rev-parse", name)) is None


def test_unique_prefix_of_a_commit_is_completed(tmp_path: Path, opener: Opener) -> None:
    root = make_repository(tmp_path / "r")
    repository, head = opener(root), git(root, "rev-parse", "HEAD")
    for length in (4, 12, 40):
        assert repository.full_name(head[:length]) == head
    for other in (head[:3], "0" * 12, "HEAD", "", f"{head}0", head[:12].upper() + "G"):
        assert repository.full_name(other) is None
    assert repository.full_name(git(root, "rev-parse", "HEAD^{tree}")[:12]) is None


@pytest.mark.endurance
def test_ambiguous_prefix_is_of_none(tmp_path: Path, opener: Opener) -> None:
    root = make_repository(tmp_path / "r")
    stream = (
        f"commit refs/heads/many\ncommitter A <a@b> {number} +0000\ndata 0\n\n"
        for number in range(1200)  # of 65,536 beginnings
    )
    imported(root, "".join(stream))
    names = git(root, "log", "--format=%H", "many").splitlines()
    counts = Counter(name[:4] for name in names)
    twice = next(beginning for beginning in counts if counts[beginning] == 2)
    assert opener(root).full_name(twice) is None
    with pytest.raises(Ambiguous) as caught:
        opener(root).rev_parse(twice)
    expected = sorted(name for name in names if name.startswith(twice))
    for name, candidate in zip(expected, sorted(caught.value.candidates), strict=True):
        assert name.startswith(candidate)


def test_a_revision_means_what_git_says(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", commits=3)
    git(root, "tag", "--annotate", "--message=t", "v1", "HEAD~1")
    git(root, "branch", "ünï/côde", "HEAD~2")
    repository = open_repository(root)
    for name in ("HEAD", "main", "HEAD~2", "v1", "ünï/côde", "@{0}", "HEAD^{/t 1}"):
        assert repository.rev_parse(name) == git(root, "rev-parse", f"{name}^{{}}")
    head = git(root, "rev-parse", "HEAD")
    assert repository.rev_parse(head[:4]) == head
    none = (
        "",
        "HEAD:file.txt",
        "HEAD~1..HEAD",
        "--all",
        "a\0b",
        "\udcff",
        "x" * 300_000,
    )
    for name in none:
        assert repository.rev_parse(name) is None


def blamed(root: Path, *contents: str) -> list[str]:
    """Commit these contents of a file one after the other; gives the commits."""
    return [committed(root, "a.txt", content) for content in contents]


def counts(blame: Blame) -> tuple[dict[Oid, int], int, int]:
    return dict(blame.commits), blame.uncommitted, blame.beyond


def test_lines_are_counted_by_commit(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    one, two = blamed(root, "1\n2\n3\n4\n", "1\ntwo\n3\n4\n5")
    (root / "a.txt").write_text("1\ntwo\nthree\n4\n5")
    repository = open_repository(root)
    assert counts(blame_file(repository, "a.txt")) == ({one: 2, two: 2}, 1, 0)
    assert counts(blame_file(repository, "a.txt", Lines(1, 2))) == (
        {one: 1, two: 1},
        0,
        0,
    )
    assert counts(blame_file(repository, "a.txt", Lines(5, 5))) == ({two: 1}, 0, 0)
    for first, last in ((0, 1), (2, 1), (6, 6), (5, 6), (9**20, 9**20)):
        with pytest.raises(InvalidInput, match=r"a\.txt has 5 lines"):
            blame_file(repository, "a.txt", Lines(first, last))


def test_renamed_file_keeps_its_commits(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    (one,) = blamed(root, "1\n2\n3\n")
    git(root, "mv", "a.txt", "b.txt")
    git(root, "commit", "--quiet", "--message=rename")
    (root / "new.txt").write_text("1\n2\n")
    git(root, "add", "new.txt")
    (root / "empty.txt").touch()
    git(root, "add", "empty.txt")
    assert counts(blame_file(open_repository(root), "b.txt")) == ({one: 3}, 0, 0)
    assert counts(blame_file(open_repository(root), "new.txt")) == ({}, 2, 0)
    assert counts(blame_file(open_repository(root), "empty.txt")) == ({}, 0, 0)


ODD_NAMES = (
    *("-L1", "--help", ":(top)a", ":!a", "*", "a\nb\"c'.txt", "n\udcff.txt", "ü.txt"),
    *("a:12", " ", "HEAD", "\\"),
)


def test_any_name_is_a_name(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    for name in ODD_NAMES:
        (root / name).write_text("1\n2\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=odd")
    head = git(root, "rev-parse", "HEAD")
    for name in ODD_NAMES:
        assert counts(blame_file(open_repository(root), name, Lines(2, 2))) == (
            {head: 1},
            0,
            0,
        )


def test_ignored_revisions_are_skipped(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    one, two = blamed(root, "a\nb\n", "  a\n  b\n")
    assert counts(blame_file(open_repository(root), "a.txt")) == ({two: 2}, 0, 0)
    (root / "ignored-revs").write_text(f"{two}\n")
    git(root, "config", "blame.ignoreRevsFile", "ignored-revs")
    git(root, "config", "blame.blankBoundary", "true")
    assert counts(blame_file(open_repository(root), "a.txt")) == ({one: 2}, 0, 0)
    (root / "ignored-revs").unlink()
    with pytest.raises(Damaged, match="ignored-revs"):
        blame_file(open_repository(root), "a.txt")


def test_shallow_boundary_is_not_blamed(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    names = blamed(root, "1\n", "1\n2\n", "1\n2\n3\n")
    git(tmp_path, "clone", "--quiet", "--depth=2", root.as_uri(), "shallow")
    blame = blame_file(open_repository(tmp_path / "shallow"), "a.txt")
    assert counts(blame) == ({names[2]: 1}, 0, 2)
    assert blame.lines == 3


def test_environment_does_not_redirect_blame(tmp_path: Path) -> None:
    (one,) = blamed(make_repository(tmp_path / "r"), "1\n")
    other = make_repository(tmp_path / "other")
    leading = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_CONFIG_PARAMETERS": "'blame.ignorerevsfile=nope'",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    repository = open_repository(tmp_path / "r", variables={**os.environ, **leading})
    assert counts(blame_file(repository, "a.txt")) == ({one: 1}, 0, 0)
    assert repository.rev_parse("HEAD") == one
    assert not (tmp_path / "trace").exists()


def test_a_file_without_a_history_is_refused(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    (root / "folder").mkdir()
    (root / "untracked.txt").touch()
    with (root / "large.txt").open("wb") as large:
        large.truncate(20_000_001)
    for path in ("not there.txt", "untracked.txt", "folder", ".git/HEAD"):
        with pytest.raises(NotFound):
            blame_file(open_repository(root), path)
    with pytest.raises((NoPermission, NotFound)):  # Python 3.14 says no such file
        blame_file(open_repository(root), "x" * 300)
    with pytest.raises(InvalidInput):
        blame_file(open_repository(root), "large.txt")


def test_a_git_command_that_is_missing_or_slow_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repository(tmp_path / "r")
    with pytest.raises(Unavailable, match="does not run"):
        blame_file(open_repository(root, variables={"PATH": str(tmp_path)}), "file.txt")
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setattr(git_command, "PATIENCE", 0.1)
    variables = {"PATH": f"{tmp_path}:{os.defpath}"}
    with pytest.raises(Unavailable, match="longer than"):
        blame_file(open_repository(root, variables=variables), "file.txt")


def test_git_reads_all_of_its_input_however_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repository(tmp_path / "r")
    monkeypatch.setattr(git_command, "_PULSE", 0.05)
    (tmp_path / "git").write_text("#!/bin/sh\nsleep 0.3\nexec cat\n")
    (tmp_path / "git").chmod(0o755)
    variables = {"PATH": f"{tmp_path}:{os.defpath}"}
    text = b"more than a pipe takes at once\n" * 10_000
    with git_command.output_in(root, [], variables, text) as output:
        assert output.read() == text


def test_history_is_walked_by_first_parents(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", commits=3)
    repository = open_repository(root)
    new, middle, old = git(root, "rev-list", "HEAD").split()
    commits = repository.commits_between(old, new)
    assert [commit.subject for commit in commits] == ["commit 2", "commit 1"]
    assert commits[0].files == (FileChange("file.txt", Change.MODIFIED),)
    assert repository.commits_between(new, old) == []
    assert repository.commits_between("0" * 39 + "1", new) == []
    git(root, "switch", "--quiet", "--create", "side", old)
    git(root, "commit", "--quiet", "--allow-empty", "--message=side")
    git(root, "merge", "--quiet", "--no-ff", "--message=merge", new)
    merged = repository.commits_between(old, git(root, "rev-parse", "HEAD"))
    assert [commit.subject for commit in merged] == ["side"]
    found = repository.first_parents(new, 10)
    assert [commit.oid for commit in found] == [new, middle, old]
    assert (
        int(git(root, "show", "-s", "--format=%ct", new)) == found[0].when.timestamp()
    )
    assert repository.first_parents(new, 2) == found[:2]
    assert repository.first_parents("0" * 39 + "1", 10) == []


def test_no_commit_is_older_than_its_parents(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    repository = open_repository(root)
    tree = repository.write_tree(None, {"a": redact("1")})
    earlier, later = (replace(ADA, when=NOON + timedelta(hours=h)) for h in (-1, 1))
    new = repository.create_commit(tree, [], redact("new"), later)
    with repository.batch() as batch:
        drafted = batch.create_commit(tree, [new], redact("old"), earlier)
        last = batch.create_commit(tree, [drafted, new], redact("old"), earlier)
    made = repository.create_commit(tree, [new], redact("old"), earlier)
    assert made == drafted
    times = git(root, "log", "-1", "--format=%at %ct", last).split()
    assert times == [f"{int(by.when.timestamp())}" for by in (earlier, later)]
    far = replace(ADA, when=NOON.replace(year=2101))
    forged = repository.create_commit(tree, [], redact("far"), far)
    after = repository.create_commit(tree, [forged], redact("now"), ADA)
    assert repository.committed_at(after) == int(NOON.timestamp())


def test_stale_lock_does_not_stop_us(tmp_path: Path, opener: Opener) -> None:
    root = make_repository(tmp_path / "r")
    repository = opener(root)
    new, lock = commit(repository, {"a": "1"}, None), root / ".git" / f"{REF}.lock"
    lock.parent.mkdir(parents=True)
    leave_lock(lock)
    assert repository.update_ref(REF, None, new, "made")
    assert not lock.exists()
    leave_lock(lock)
    repository.delete_ref(REF)
    assert repository.resolve_ref(REF) is None


def leave_lock(lock: Path) -> None:
    """Of a moment ago, when its writer was killed."""
    lock.touch()
    then = time.time() - 9.9
    os.utime(lock, (then, then))


def test_a_ref_is_listed_and_deleted_with_its_reflog(
    tmp_path: Path, opener: Opener
) -> None:
    root = make_repository(tmp_path / "r")
    repository = opener(root)
    new = commit(repository, {"a": "1"}, None)
    for is_packed in (False, True):
        repository.update_ref(REF, None, new, "made")
        if is_packed:
            git(root, "pack-refs", "--all")
        assert repository.refs("refs/ocm/") == [REF]
        repository.delete_ref(REF)
        repository.delete_ref(REF)  # as it is for git, that is no error
        assert repository.refs("refs/ocm/") == []
        assert git(root, "for-each-ref", "--format=%(refname)") == "refs/heads/main"
        assert not (root / ".git" / "logs" / REF).exists()


def test_outside_names_the_way_on(tmp_path: Path, opener: Opener) -> None:
    with pytest.raises(NotARepository) as caught:
        opener(tmp_path)
    assert "git init" in (caught.value.hint or "")


def test_unknown_extension_asks_for_a_newer_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write("[core]\nrepositoryformatversion = 1\n[extensions]\nodd = 1\n")
    with pytest.raises(Unavailable, match="unknown repository extension") as caught:
        as_it_can(tmp_path)
    assert "newer git" in (caught.value.hint or "")


@needs_newer_git
def test_stale_reftable_lock_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_newer_git(monkeypatch)
    root = reftable(tmp_path)
    repository = as_it_can(root)
    new = commit(repository, {"a": "1"}, None)
    lock = root / ".git" / "reftable" / "tables.list.lock"
    leave_lock(lock)
    assert repository.update_ref(REF, None, new, "made")
    assert not lock.exists()


def test_libgit2_refusal_gives_the_reason(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_repository(tmp_path)


def test_blobs_are_what_is_at_paths_of_a_commit(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", commits=2)
    before = git(root, "rev-parse", "HEAD~1")
    paths = ["file.txt", "", "/", "..", "file.txt/x", "no\0path", "\ud800", "x" * 9999]
    assert open_repository(root).blobs(before, paths) == {
        "file.txt": git(root, "rev-parse", f"{before}:file.txt")
    }
    with pytest.raises(Damaged):
        open_repository(root).blobs("0" * 39 + "1", paths)
