"""How many of a session's files are not as it left them, by git alone."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from search.builders import session
from support.commits import committed
from support.harness import git

from gitmem.actions.reading.staleness import MOST_FILES, Present
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Commit

FILES = ["a.py", "b.py", "c.py"]


@pytest.fixture
def start(repository: Path) -> str:
    """A commit that has the files."""
    for path in FILES:
        committed(repository, path, "as it was")
    return git(repository, "rev-parse", "HEAD")


def stale(repository: Path, *shas: str, **facts: Any) -> tuple[int, int] | None:
    commits = tuple(Commit(sha[:12], "x") for sha in shas)
    found = session("one", **{"files": FILES, "commits": commits, **facts})
    told = Present(open_repository(repository)).staleness(found)
    return (len(told.changed), told.files) if told else None


def test_files_changed_after_own_commit_count(repository: Path, start: str) -> None:
    own = committed(repository, "a.py", "by the session")
    assert stale(repository, own, git_sha_start=start) == (0, 3)
    committed(repository, "b.py", "later")
    committed(repository, "other.py", "later")
    assert stale(repository, own) == (1, 3)
    committed(repository, "a.py", "later")
    git(repository, "rm", "--quiet", "c.py")
    git(repository, "commit", "--quiet", "--message=gone")
    assert stale(repository, own) == (3, 3)


def test_newest_known_commit_counts(repository: Path, start: str) -> None:
    first = committed(repository, "a.py", "one")
    second = committed(repository, "a.py", "two")
    gone = "f" * 40
    assert stale(repository, second, first, gone, git_sha_end=start) == (0, 3)
    assert stale(repository, first, git_sha_end=start) == (1, 3)


def test_what_went_back_to_what_it_was_has_not_changed(repository: Path) -> None:
    own = committed(repository, "a.py", "by the session")
    committed(repository, "a.py", "later")
    committed(repository, "a.py", "by the session")
    assert stale(repository, own, files=["a.py"]) == (0, 1)


def test_work_committed_later_has_not_changed(repository: Path, start: str) -> None:
    ends: dict[str, Any] = {"git_sha_start": start, "git_sha_end": start}
    files = ["a.py", "new.py"]
    assert stale(repository, files=files, **ends) == (0, 2)
    committed(repository, "a.py", "by the session")
    committed(repository, "new.py", "by the session")
    assert stale(repository, files=files, **ends) == (0, 2)
    assert stale(repository, files=files, git_sha_end=start) == (0, 2)
    committed(repository, "new.py", "later")
    assert stale(repository, files=files, **ends) == (1, 2)


def on(repository: Path, branch: str, *options: str) -> None:
    git(repository, "checkout", "--quiet", *options, branch)


def test_a_branch_without_the_work_has_not_changed_it(
    repository: Path, start: str
) -> None:
    on(repository, "topic", "-b")
    own = [committed(repository, path, "by the session") for path in ("a.py", "b.py")]
    facts: dict[str, Any] = {"git_sha_start": start, "git_sha_end": own[-1]}
    for branch in ("main", "topic"):
        on(repository, branch)
        assert stale(repository, *own, **facts) == (0, 3)
        assert stale(repository, **facts) == (0, 3)
    on(repository, "main")
    git(repository, "rm", "--quiet", "c.py")
    committed(repository, "a.py", "by somebody else")
    assert stale(repository, *own, **facts) == (2, 3)
    on(repository, "unrelated", "--orphan")
    git(repository, "commit", "--quiet", "--message=begin", "--allow-empty")
    assert stale(repository, *own, **facts) == (2, 3)


def test_work_that_was_merged_and_changed_has_changed(
    repository: Path, start: str
) -> None:
    on(repository, "topic", "-b")
    own = committed(repository, "a.py", "by the session")
    on(repository, "main")
    git(repository, "cherry-pick", "--no-commit", own)
    git(repository, "commit", "--quiet", "--message=squashed")
    assert stale(repository, own, git_sha_start=start) == (0, 3)
    committed(repository, "a.py", "later")
    assert stale(repository, own, git_sha_start=start) == (1, 3)
    git(repository, "merge", "--quiet", "--strategy=ours", "topic")
    assert stale(repository, own, git_sha_start=start) == (1, 3)


def test_work_left_uncommitted_and_committed_elsewhere_has_not_changed(
    repository: Path, start: str
) -> None:
    facts: dict[str, Any] = {"git_sha_start": start, "git_sha_end": start}
    on(repository, "topic", "-b")
    committed(repository, "a.py", "by the session")
    for branch in ("topic", "main", "topic"):
        on(repository, branch)
        assert stale(repository, **facts) == (0, 3)


def test_what_was_written_since_has_changed(repository: Path, start: str) -> None:
    (repository / "a.py").write_text("left uncommitted")
    at = datetime.now(UTC) + timedelta(seconds=1)
    facts: dict[str, Any] = {"git_sha_start": start, "git_sha_end": start}
    assert stale(repository, updated_at=at, **facts) == (0, 3)
    assert stale(repository, updated_at=at - timedelta(hours=1), **facts) == (1, 3)
    (repository / "b.py").unlink()
    assert stale(repository, updated_at=at, **facts) == (1, 3)


def test_without_any_commit_the_time_tells(repository: Path, start: str) -> None:
    assert start
    at = datetime.now(UTC) + timedelta(seconds=1)
    assert stale(repository, updated_at=at) == (0, 3)
    assert stale(repository, updated_at=datetime(2001, 1, 1, tzinfo=UTC)) is None


def test_no_data_gives_no_finding(repository: Path, start: str) -> None:
    hostile = [
        "",
        "/",
        "..",
        "../x",
        "/etc/passwd",
        "a//b",
        "file.txt/x",
        "a\0b",
        "\ud800",
    ]
    for files in (
        *([], ["never-committed.py"], hostile, ["x" * 100_000, "x/" * 10_000]),
        [f"{n}.py" for n in range(MOST_FILES + 1)],
    ):
        assert stale(repository, start, files=files) is None


def test_invalid_commit_is_passed_over(repository: Path, start: str) -> None:
    for name in ("", "HEAD", "zzz", "../x", "a" * 5000, "0" * 40):
        told = stale(repository, name, git_sha_start=name, git_sha_end=start)
        assert told == (0, 3)


def test_shallow_clone_is_partial(repository: Path, start: str, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repository}", "shallow")
    assert stale(tmp_path / "shallow", start) == (0, 3)
    at = datetime(2001, 1, 1, tzinfo=UTC)
    assert stale(tmp_path / "shallow", "f" * 40, updated_at=at) is None
