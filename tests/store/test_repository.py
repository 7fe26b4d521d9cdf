"""The contract of the Repository seam, in every kind of repository.

Another implementation runs the same suite by joining `OPENERS`.
"""

from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from harness import NOON, git, make_repository

from gitmem.errors import Damaged, NotARepository, Unavailable
from gitmem.model.redaction import redact
from gitmem.model.session import Change, FileChange
from gitmem.store.libgit2 import open_repository
from gitmem.store.repository import Repository, Signature

REF = "refs/ocm/test"
ADA = Signature("Ada", "ada@example.com", NOON)

OPENERS: dict[str, Callable[[Path], Repository]] = {"libgit2": open_repository}


def plain(folder: Path) -> Path:
    return make_repository(folder / "plain")


def unborn(folder: Path) -> Path:
    return make_repository(folder / "unborn", commits=0)


def bare(folder: Path) -> Path:
    git(folder, "clone", "--quiet", "--bare", str(plain(folder)), "bare.git")
    return folder / "bare.git"


def linked_work_tree(folder: Path) -> Path:
    git(plain(folder), "worktree", "add", "--quiet", str(folder / "linked"))
    return folder / "linked"


def linked_work_tree_of_bare(folder: Path) -> Path:
    git(bare(folder), "worktree", "add", "--quiet", str(folder / "linked"))
    return folder / "linked"


def separate_git_dir(folder: Path) -> Path:
    (folder / "separate").mkdir()
    git(folder / "separate", "init", "-q", "--separate-git-dir", str(folder / "apart"))
    return folder / "separate"


def submodule(folder: Path) -> Path:
    outer = make_repository(folder / "outer")
    protocol = ("-c", "protocol.file.allow=always")
    git(outer, *protocol, "submodule", "--quiet", "add", str(plain(folder)), "inner")
    return outer / "inner"


KINDS = (
    *(plain, unborn, bare, linked_work_tree, linked_work_tree_of_bare),
    *(separate_git_dir, submodule),
)


@pytest.fixture(params=list(OPENERS.values()), ids=list(OPENERS))
def opener(request: pytest.FixtureRequest) -> Callable[[Path], Repository]:
    chosen: Callable[[Path], Repository] = request.param
    return chosen


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    made: Path = request.param(tmp_path)
    return made


@pytest.fixture
def repository(folder: Path, opener: Callable[[Path], Repository]) -> Repository:
    return opener(folder)


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


def test_head_is_what_git_says(repository: Repository, folder: Path) -> None:
    head = repository.head()
    assert head.branch == git(folder, "symbolic-ref", "--short", "HEAD")
    assert (head.commit or "") == git(folder, "rev-list", "--all", "--max-count=1")


def test_git_reads_what_was_written(repository: Repository, folder: Path) -> None:
    new = commit(repository, {"a.md": "one\n", "b/c/d.md": "två\n"}, None)
    assert repository.update_ref(REF, None, new, "test: first")
    assert git(folder, "show", f"{REF}:b/c/d.md") == "två"
    assert git(folder, "log", "-1", "--format=%an %ae %at", REF) == (
        f"Ada ada@example.com {int(NOON.timestamp())}"
    )
    assert git(folder, "fsck", "--strict") == ""


def test_only_the_trees_on_the_way_change(repository: Repository) -> None:
    one = commit(repository, {"a/x.md": "1", "b/y.md": "1"}, None)
    two = commit(repository, {"a/x.md": "2"}, one)
    trees = [
        repository.read_tree(repository.tree_of(each) or "") for each in (one, two)
    ]
    assert trees[0]["b"] == trees[1]["b"]
    assert trees[0]["a"] != trees[1]["a"]


def test_a_removed_file_takes_its_empty_folders_with_it(repository: Repository) -> None:
    one = commit(repository, {"a/b/x.md": "1", "y.md": "1"}, None)
    two = commit(repository, {"a/b/x.md": None, "not/there.md": None}, one)
    assert list(repository.read_tree(repository.tree_of(two) or "")) == ["y.md"]


def test_a_ref_moves_only_from_where_it_was_believed_to_be(
    repository: Repository,
) -> None:
    one = commit(repository, {"a": "1"}, None)
    two = commit(repository, {"a": "2"}, one)
    assert not repository.update_ref(REF, one, two, "no such ref yet")
    assert repository.update_ref(REF, None, one, "made")
    assert not repository.update_ref(REF, None, two, "is there already")
    assert not repository.update_ref(REF, two, one, "is elsewhere")
    assert repository.update_ref(REF, one, two, "moved")
    assert repository.resolve_ref(REF) == two


def test_a_packed_ref_is_read_and_moved(repository: Repository, folder: Path) -> None:
    one = commit(repository, {"a": "1"}, None)
    two = commit(repository, {"a": "2"}, one)
    repository.update_ref(REF, None, one, "made")
    git(folder, "pack-refs", "--all", "--prune")
    assert repository.resolve_ref(REF) == one
    assert repository.update_ref(REF, one, two, "moved")
    assert git(folder, "rev-parse", REF) == two


def test_every_move_is_in_the_reflog(repository: Repository, folder: Path) -> None:
    one = commit(repository, {"a": "1"}, None)
    two = commit(repository, {"a": "2"}, one)
    repository.update_ref(REF, None, one, "made")
    repository.update_ref(REF, one, two, "moved")
    assert git(folder, "rev-parse", f"{REF}@{{1}}") == one
    assert git(folder, "rev-parse", f"{REF}@{{0}}") == two
    log = git(folder, "reflog", "--format=%gs", REF)
    assert log.splitlines() == ["moved", "made"]


def test_the_same_input_makes_the_same_objects(repository: Repository) -> None:
    assert commit(repository, {"a": "1"}, None) == commit(repository, {"a": "1"}, None)


def test_what_is_not_there_is_said_so(repository: Repository) -> None:
    assert repository.resolve_ref("refs/ocm/none") is None
    assert repository.tree_of("0" * 39 + "1") is None
    assert repository.config("ocm.none") is None
    with pytest.raises(Damaged):
        repository.read_blob("0" * 39 + "1", 100)


def test_a_blob_is_not_read_beyond_its_limit(repository: Repository) -> None:
    tree = repository.write_tree(None, {"a": redact("12345")})
    blob = repository.read_tree(tree)["a"].oid
    assert repository.read_blob(blob, 5) == b"12345"
    with pytest.raises(Damaged, match="5 bytes"):
        repository.read_blob(blob, 4)


def test_the_work_tree_is_compared_as_git_status_does(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = make_repository(tmp_path / "r")
    (root / ".gitignore").write_text("ignored/\n")
    (root / "gone.txt").write_text("1\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "more")
    (root / "gone.txt").unlink()
    (root / "file.txt").write_text("0\n1\n2\n")
    (root / "new folder").mkdir()
    (root / "new folder" / "ü\n.txt").write_text("a\nb\n")
    (root / "ignored").mkdir()
    (root / "ignored" / "x").write_text("x")
    index_before = (root / ".git" / "index").read_bytes()
    repository = opener(root)
    head = repository.head().commit
    assert set(repository.changes_since(head)) == {
        FileChange("gone.txt", Change.DELETED),
        FileChange("file.txt", Change.MODIFIED),
        FileChange("new folder/ü\n.txt", Change.CREATED),
    }
    stats = repository.stats_since(head, {"file.txt", "new folder/ü\n.txt"})
    assert [(s.insertions, s.deletions) for s in stats] == [(2, 0), (2, 0)]
    assert (root / ".git" / "index").read_bytes() == index_before


IGNORED = ("a.log", "not there.log", "deep/b.log", "out/x", "ü\n/é.log", "n\udcff.log")
NOT_IGNORED = (
    *("keep.log", "file.txt", "out/tracked", "a\0.log", "../a.log", "/a.log"),
    *("deep/../a.log", "", ".", ".git/x.log"),
)


@pytest.mark.parametrize("path", IGNORED + NOT_IGNORED)
def test_a_file_is_ignored_when_git_says_so_and_does_not_track_it(
    tmp_path: Path, opener: Callable[[Path], Repository], path: str
) -> None:
    root = make_repository(tmp_path / "r")
    (root / ".gitignore").write_text("*.log\n!keep.log\nout/\n")
    (root / "out").mkdir()
    (root / "out" / "tracked").touch()
    git(root, "add", "--force", "out/tracked")
    assert opener(root).is_ignored(path) is (path in IGNORED)


def test_nothing_is_ignored_where_there_is_no_work_tree(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = bare(tmp_path)
    (root / "info").mkdir(exist_ok=True)
    (root / "info" / "exclude").write_text("*\n")
    assert not opener(root).is_ignored("a.log")


def test_a_commit_tells_its_details_by_its_full_name_alone(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = make_repository(tmp_path / "r", commits=2)
    (root / "new.txt").touch()
    git(root, "add", "new.txt")
    git(root, "commit", "--quiet", "--message=third\n\nbody")
    git(root, "tag", "--annotate", "--message=t", "v1")
    repository = opener(root)
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


def test_commits_between_follow_the_first_parent(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = make_repository(tmp_path / "r", commits=3)
    repository = opener(root)
    old, new = git(root, "rev-parse", "HEAD~2"), git(root, "rev-parse", "HEAD")
    commits = repository.commits_between(old, new)
    assert [commit.subject for commit in commits] == ["commit 2", "commit 1"]
    assert commits[0].files == (FileChange("file.txt", Change.MODIFIED),)
    assert repository.commits_between(new, old) == []
    assert repository.commits_between("0" * 39 + "1", new) == []


def test_an_offset_without_whole_hours_survives(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = make_repository(tmp_path / "r")
    repository = opener(root)
    kolkata = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    tree = repository.write_tree(None, {"a": redact("1")})
    by = Signature("Ada", "ada@example.com", kolkata)
    made = repository.create_commit(tree, [], redact("m"), by)
    assert git(root, "log", "-1", "--format=%ad", "--date=iso", made).endswith("+0530")


def test_a_lock_that_a_killed_writer_left_does_not_stop_us(
    tmp_path: Path, opener: Callable[[Path], Repository]
) -> None:
    root = make_repository(tmp_path / "r")
    repository = opener(root)
    lock = root / ".git" / f"{REF}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    assert repository.update_ref(
        REF, None, commit(repository, {"a": "1"}, None), "made"
    )
    assert not lock.exists()


def test_outside_of_a_repository_the_error_names_the_way_on(tmp_path: Path) -> None:
    with pytest.raises(NotARepository) as caught:
        open_repository(tmp_path)
    assert "git init" in (caught.value.hint or "")


def test_a_repository_that_libgit2_cannot_open_is_refused_with_the_reason(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_repository(tmp_path)
