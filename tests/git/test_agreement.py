"""What libgit2 and git say of one repository is the same, however odd its files are."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import git, make_repository
from support.histories import Clones

from gitmem.git import opening as plumbing
from gitmem.git.libgit2 import repository as libgit2
from gitmem.git.plumbing.refs import committed_here, committed_since
from gitmem.git.values import ReflogEntry
from gitmem.git.work_tree import changes_since, stats_since

ODD = os.fsdecode(b"n\xff.txt")
ASKED = [
    *("gone", "edited", "touched", "kept.log", "ignored", "link", "folder", "folder/x"),
    *("moved", "moved here", "binary", "large", "mode", "new/ü\n.txt", "nested", ODD),
    *("nested/", "nested/x", "staged", "came and went", "none", "../x", "/x", ""),
    *("\ud800", "*", ":(top)edited", "link here", "empty", "x" * 5000),
]


def odd_work_tree(folder: Path) -> Path:
    """Two commits, and a work tree in which about everything can be found."""
    root = make_repository(folder)
    names = ("gone", "edited", "touched", "kept.log", "moved", "mode", "forgot")
    for name in (*names, "left.log"):
        (root / name).write_text(f"{name}\n" * 20)
    (root / ".gitignore").write_text("*.log\nignored\n")
    (root / "folder").mkdir()
    (root / "folder" / "x").write_text("x")
    (root / "link").symlink_to("edited")
    (root / "binary").write_bytes(b"\0\1\n\2")
    (root / "large").write_text("line\n" * 400_001)
    git(root, "add", "--force", ".")
    git(root, "commit", "-qm", "first\nand a second line\n\nbody")
    (root / "edited").write_text("other\n" * 20)
    git(root, "commit", "-qam", "second")
    _spoil(root)
    return root


def _spoil(root: Path) -> None:
    (root / "gone").unlink()
    (root / "edited").write_text("0\n" + "other\n" * 19)
    (root / "touched").touch()
    git(root, "mv", "moved", "moved here")
    git(root, "rm", "-q", "--cached", "forgot", "left.log")
    (root / "binary").write_bytes(b"\0\3\n\4\n")
    (root / "large").write_text("line\n" * 400_002)
    (root / "mode").chmod(0o755)
    (root / "new").mkdir()
    (root / "new" / "ü\n.txt").write_text("a\nb")
    (root / ODD).write_text("x\n")
    (root / "link here").symlink_to("nowhere")
    (root / "file.txt").unlink()
    (root / "file.txt").symlink_to("nowhere")
    (root / "empty").touch()
    (root / "new binary").write_bytes(b"a\0b\n")
    for name in ("ignored", "kept.log", "staged", "came and went"):
        (root / name).write_text("now\n")
    git(root, "add", "staged", "came and went")
    (root / "came and went").unlink()
    git(root, "init", "-q", "nested")
    (root / "nested" / "x").touch()


@pytest.mark.endurance
def test_both_say_the_same(tmp_path: Path) -> None:
    root = odd_work_tree(tmp_path / "r")
    head, before = git(root, "rev-parse", "HEAD", "HEAD~1").split()
    answers = [
        [
            *((path, one.tracks(path), one.is_ignored(path)) for path in ASKED),
            *(one.head(), one.merge_base(head, before), one.full_name(head[:9])),
            *(one.commits_between(before, head), one.blobs(before, ASKED)),
        ]
        for one in (
            libgit2.open_repository(root),
            plumbing.open_through_git(root, os.environ),
        )
    ]
    assert answers[0] == answers[1]


def test_every_way_to_change_a_file_is_told(tmp_path: Path) -> None:
    root = odd_work_tree(tmp_path / "r")
    first, index = git(root, "rev-parse", "HEAD~1"), root / ".git" / "index"
    before = index.read_bytes()
    repository = libgit2.open_repository(root)
    changed = {file.path: file for file in changes_since(repository, first)}
    stats = stats_since(repository, first, changed)
    assert {each.file for each in stats} == {
        changed[path] for path in changed if path not in ("nested/", "n\ufffd.txt")
    }
    told = {
        each.file.path: (each.file.change.value[0], each.insertions, each.deletions)
        for each in stats
    }
    assert told == {
        "kept.log": ("m", 1, 20),
        "gone": ("d", 0, 20),
        "edited": ("m", 20, 20),
        "mode": ("m", 0, 0),
        "moved": ("d", 0, 20),
        "moved here": ("c", 20, 0),
        "forgot": ("m", 0, 20),
        "left.log": ("d", 0, 20),
        "binary": ("m", 0, 0),
        "new binary": ("c", 0, 0),
        "large": ("m", 0, 0),
        "new/ü\n.txt": ("c", 2, 0),
        "link here": ("c", 1, 0),
        "file.txt": ("m", 1, 1),
        "empty": ("c", 0, 0),
        "staged": ("c", 1, 0),
    }
    assert index.read_bytes() == before


def test_a_date_that_no_calendar_has_is_the_nearest_one(tmp_path: Path) -> None:
    made = Clones(make_repository(tmp_path / "r"))
    by = f"A <a@b.c> {2**63 - 1} -0100"
    content = f"tree {made.raw_tree()}\nauthor {by}\ncommitter {by}\n\nodd\n"
    commit = made.object("commit", content.encode())
    repository = libgit2.open_repository(made.folder)
    found = repository.commit_details(commit)
    assert found
    assert found.committer.when.year == 9998
    assert found.committer.when.utcoffset() == timedelta(hours=-1)
    assert [each.oid for each in repository.first_parents(commit, 2)] == [commit]


def test_no_file_is_read_that_the_index_knows_to_be_unchanged(tmp_path: Path) -> None:
    """Else a checkpoint takes the longer the more files there are."""
    file = make_repository(tmp_path / "r") / "file.txt"
    git(file.parent, "config", "core.trustctime", "false")
    for content in ("0\n", "1\n"):  # both look alike to who does not read them
        file.write_text(content)
        os.utime(file, (1_700_000_000, 1_700_000_000))
        git(file.parent, "status")  # the index has its time
    head = git(file.parent, "rev-parse", "HEAD")
    before = (file.parent / ".git" / "index").read_bytes()
    assert changes_since(libgit2.open_repository(file.parent), head) == ()
    assert (file.parent / ".git" / "index").read_bytes() == before


def test_one_changed_file_hides_no_other(tmp_path: Path) -> None:
    """Git may be told not to look; and somebody may write it meanwhile."""
    root = make_repository(tmp_path / "r")
    (root / "file.txt").write_text("longer than what is there\n")
    git(root, "add", ".")
    git(root, "update-index", "--assume-unchanged", "file.txt")
    (root / "file.txt").write_text("short\n")
    (root / "other").write_text("1\n")
    head = git(root, "rev-parse", "HEAD")
    stats = stats_since(libgit2.open_repository(root), head, {"file.txt", "other"})
    assert {each.file.path: each.insertions for each in stats}["other"] == 1


def test_reflog_tells_commits_from_fetches(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    names = []
    for number in range(3):
        git(tmp_path, "commit", "-q", "--allow-empty", f"--message={number}")
        names.append(git(tmp_path, "rev-parse", "HEAD"))
    git(tmp_path, "commit", "-q", "--amend", "--allow-empty", "--message=ünï")
    amended = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "reset", "-q", "--soft", names[0])
    repository = plumbing.open_through_git(tmp_path, os.environ)
    assert committed_here(repository) == {*names, amended}
    assert committed_since(repository, names[1]) == [names[1], amended]
    assert committed_since(repository, "0" * 40) == ["0" * 40]
    moves = repository.moves("HEAD") or []
    assert moves[0] == ReflogEntry("0" * len(amended), names[0], "commit (initial): 0")
    assert moves[-2].reason == "commit (amend): ünï"
    (tmp_path / ".git" / "logs" / "HEAD").unlink()
    assert repository.moves("HEAD") is None  # that of the branch has pulls as well


@needs_newer_git
def test_reftable_may_lack_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_newer_git(monkeypatch)
    git(tmp_path, "init", "-q", "--ref-format=reftable")
    git(tmp_path, "config", "core.logAllRefUpdates", "false")
    git(tmp_path, "commit", "-q", "--allow-empty", "--message=first")
    tip = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "update-ref", "--create-reflog", "refs/heads/other", tip)
    git(tmp_path, "symbolic-ref", "HEAD", "refs/heads/other")
    assert plumbing.open_through_git(tmp_path, os.environ).moves("HEAD") is None
