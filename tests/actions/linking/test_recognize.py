"""Commits that no session lists, and the sessions that they come from."""

from pathlib import Path

import pytest
from support.commits import committed, remembered
from support.harness import git

from gitmem.actions.linking import recognize
from gitmem.actions.linking.why import Origin, why
from gitmem.actions.saving.facts import new_patches
from gitmem.git.commit_changes import patches_in
from gitmem.workspace import Workspace

ALL = "all 2 files as the session left them"


def worked(workspace: Workspace, client: str, *shas: str) -> str:
    """Save a session that lists these commits and what they changed."""
    patches = new_patches(workspace, None, shas)
    return remembered(workspace, client, *shas, patches=patches)


def sources(origin: Origin) -> list[tuple[str, int, str]]:
    return [
        (source.entry.session.session_id, source.lines, source.evidence)
        for source in origin.sources
    ]


def asked(workspace: Workspace, target: str) -> list[tuple[str, int, str]]:
    return sources(why(workspace, target, workspace.root))


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def branch(repository: Path) -> Path:
    """A repository whose branch `topic` left main a commit ago."""
    committed(repository, "base.txt", "base\n" * 9)
    git(repository, "branch", "-M", "main")
    git(repository, "checkout", "--quiet", "-b", "topic")
    return repository


def leave_branch(root: Path) -> None:
    """Delete the branch `topic`, and all that leads to its commits."""
    git(root, "branch", "-D", "topic")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "--quiet", "--prune=now")


def squashed(root: Path) -> str:
    git(root, "checkout", "--quiet", "main")
    git(root, "merge", "--squash", "--quiet", "topic")
    git(root, "commit", "--quiet", "--message=squash")
    return head(root)


def test_same_patch_is_the_same_work(workspace: Workspace, branch: Path) -> None:
    session = worked(workspace, "c-1", committed(branch, "a.py", "one line\n"))
    git(branch, "checkout", "--quiet", "main")
    committed(branch, "b.py", "something else\n")
    git(branch, "cherry-pick", "topic")
    assert asked(workspace, "HEAD") == [(session, 0, "same patch")]
    assert asked(workspace, "a.py") == [(session, 1, "same patch")]
    leave_branch(branch)
    assert asked(workspace, "HEAD") == [(session, 0, "same patch")]
    assert asked(workspace, "b.py") == []


def test_a_squash_comes_from_each_session(workspace: Workspace, branch: Path) -> None:
    one = worked(workspace, "c-1", committed(branch, "a.py", "one\n"))
    two = worked(workspace, "c-2", committed(branch, "b.py", "two\n2\n"))
    squash = squashed(branch)
    leave_branch(branch)
    part = "1 of 2 files as the session left them"
    assert sorted(asked(workspace, squash)) == sorted([(one, 0, part), (two, 0, part)])
    assert asked(workspace, "a.py") == [(one, 1, part)]
    assert asked(workspace, "b.py") == [(two, 2, part)]


def test_lines_of_a_squashed_file_are_told_apart(
    workspace: Workspace, branch: Path
) -> None:
    one = worked(workspace, "c-1", committed(branch, "a.py", "one\n1\n"))
    committed(branch, "a.py", "one\n1\nby a person\n")
    last = committed(branch, "a.py", "two\none\n1\nby a person\n")
    two = worked(workspace, "c-2", last)
    squash = squashed(branch)
    evidence = f"same file as in {last[:7]}"
    assert asked(workspace, "a.py") == [(one, 2, evidence), (two, 1, evidence)]
    origin = why(workspace, "a.py", workspace.root)
    assert origin.unlinked == {squash: 1}
    leave_branch(branch)
    assert asked(workspace, "a.py") == [(two, 1, "the file as the session left it")]


def test_an_old_version_of_a_file_is_no_work_of_its_session(
    workspace: Workspace, branch: Path
) -> None:
    worked(workspace, "c-1", committed(branch, "a.py", "one\n"))
    committed(branch, "a.py", "two\n")
    git(branch, "rm", "--quiet", "a.py")
    git(branch, "commit", "--quiet", "--message=gone")
    assert asked(workspace, "HEAD") == []
    committed(branch, "b.py", "three\n")
    assert asked(workspace, "HEAD") == []


def test_a_binary_file_has_no_patch_to_compare(
    workspace: Workspace, branch: Path
) -> None:
    first = committed(branch, "logo.png", "\0one")
    worked(workspace, "c-1", first)
    committed(branch, "logo.png", "\0two")
    assert asked(workspace, "HEAD") == []
    (patch,) = patches_in(workspace.repository, [first]).values()
    assert (patch.patch_id, len(patch.blobs)) == ("", 1)


def test_what_commits_change_is_computed_once(
    workspace: Workspace, branch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sha = committed(branch, "a.py", "one\n")
    patches = recognize.known_patches(workspace, [sha])
    assert patches == patches_in(workspace.repository, [sha])
    monkeypatch.setattr(recognize, "patches_in", lambda *_: {})
    assert recognize.known_patches(workspace, [sha, "0" * 40]) == patches
    for damaged in (b"\xff\n\n", f"{sha}\n".encode()):
        (workspace.own_dir / "patches.txt").write_bytes(damaged)
        assert recognize.known_patches(workspace, ["0" * 40]) == {}


def test_merges_and_missing_commits_change_nothing(
    workspace: Workspace, branch: Path
) -> None:
    committed(branch, "a.py", "one\n")
    git(branch, "checkout", "--quiet", "main")
    git(branch, "merge", "--quiet", "--no-ff", "--message=merge", "topic")
    assert patches_in(workspace.repository, [head(branch), "0" * 40]) == {}


def test_a_restored_file_does_not_claim_its_old_commit(
    workspace: Workspace, branch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    old = committed(branch, "a.py", "one\n")
    committed(branch, "a.py", "two\n")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    session = worked(workspace, "c-1", committed(branch, "a.py", "one\n"))
    assert asked(workspace, old) == []
    assert asked(workspace, "HEAD") == [(session, 0, "")]


def test_names_from_before_filter_repo_lead_to_a_session(
    workspace: Workspace, branch: Path
) -> None:
    old = committed(branch, "a.py", "one\n")
    session = remembered(workspace, "c-1", old)
    git(branch, "commit", "--quiet", "--amend", "--reset-author", "--message=renamed")
    committed(branch, "b.py", "two\n")
    assert asked(workspace, "HEAD~1") == []
    new = git(branch, "rev-parse", "HEAD~1")
    rows = ("old new", f"{old} {new}", f"{'0' * 40} {head(branch)}", "x", f"x {new}")
    file = branch / ".git" / "filter-repo" / "commit-map"
    file.parent.mkdir()
    file.write_text("\n".join(rows))
    assert asked(workspace, "HEAD~1") == [(session, 0, "before git filter-repo")]
    assert asked(workspace, "a.py") == [(session, 1, "before git filter-repo")]
    assert asked(workspace, "b.py") == []
