"""Sessions list commits under their present names, also where no hook told of those."""

import os
import subprocess
from pathlib import Path

import pytest
from support.events import event, note, now
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import git
from support.rewriting import rewrite
from support.workspaces import workspace_at

from gitmem.actions.linking.links import links_to
from gitmem.actions.saving.commits import commits_made
from gitmem.actions.saving.rewritten import follow_rewrites
from gitmem.documents.event import Edit, Start

SUBJECTS = ("one", "two", "three")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository without a commit before those of the session."""
    git(tmp_path, "init", "--quiet", "--template=", "shop")
    folder = tmp_path / "shop"
    note(folder, event(Start, at=now(), root=str(folder)))
    for subject in SUBJECTS:
        (folder / subject).write_text(f"{subject}\n")
        note(folder, event(Edit, at=now(), root=str(folder), path=subject))
        git(folder, "add", subject)
        git(folder, "commit", "--quiet", f"--message={subject}")
        commits_made(workspace_at(folder), git(folder, "rev-parse", "HEAD"))
    assert linked(folder) == [*SUBJECTS]
    return folder


def linked(folder: Path) -> list[str]:
    """Return the subjects of the commits of HEAD that the session lists, in order."""
    follow_rewrites(workspace_at(folder))
    names = git(folder, "rev-list", "--reverse", "HEAD").splitlines()
    links = links_to(workspace_at(folder), names)
    listed = {each.sha: each.subject for link in links for each in link.commits}
    for name, subject in listed.items():
        assert git(folder, "log", "-1", "--format=%s", name) == subject
    return [listed[name] for name in names if name in listed]


def test_after_each_run_of_a_filter(folder: Path) -> None:
    rewrite(folder, "^one\n", "uno\n")
    assert linked(folder) == ["uno", "two", "three"]
    rewrite(folder, "^two\n", "due\n")
    rewrite(folder, "^uno\n", "eno\n")
    assert linked(folder) == ["eno", "due", "three"]


def rebuild(folder: Path, subjects: list[str], reason: str) -> None:
    """Move the branch to copies of its commits that have other subjects."""
    parents: list[str] = []
    for name, subject in zip(
        git(folder, "rev-list", "--reverse", "HEAD").splitlines(), subjects, strict=True
    ):
        tree = git(folder, "rev-parse", f"{name}^{{tree}}")
        at = git(folder, "log", "-1", "--format=%ad", "--date=raw", name)
        made = ["git", "commit-tree", "-m", subject, *parents, tree]
        environment = {**os.environ, "GIT_AUTHOR_DATE": at}
        copy = subprocess.check_output(made, cwd=folder, text=True, env=environment)
        parents = ["-p", copy.strip()]
    git(folder, "update-ref", "-m", reason, "refs/heads/main", parents[1])


def test_by_the_reflog_of_a_branch(folder: Path) -> None:
    rebuild(folder, ["uno", "two", "three"], "reword: updating HEAD~2")
    rebuild(folder, ["uno", "due", "three"], "reword: updating HEAD~1")
    assert linked(folder) == ["uno", "due", "three"]
    rebuild(folder, ["x", "y", "z"], "reset: moving to somewhere else")
    assert linked(folder) == []


@pytest.mark.endurance
def test_after_git_filter_branch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")
    git(folder, "filter-branch", "--msg-filter", "sed s/one/uno/", "--", "--all")
    assert linked(folder) == ["uno", "two", "three"]


def test_nothing_is_read_while_nothing_changed(folder: Path) -> None:
    rewrite(folder, "^one\n", "uno\n")
    assert linked(folder)
    workspace = workspace_at(folder)
    tip = workspace.store.memory().commit
    seen = folder / ".git/ocm/rewrites"
    before = seen.stat().st_mtime_ns
    follow_rewrites(workspace)
    assert seen.stat().st_mtime_ns == before
    assert workspace.store.memory().commit == tip


@needs_newer_git
def test_after_git_history(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_newer_git(monkeypatch)
    asked = subprocess.run(["git", "history", "-h"], capture_output=True, check=False)
    if b"reword" not in asked.stdout:
        pytest.skip("git has no `git history` before 2.54")
    monkeypatch.setenv("GIT_EDITOR", "sed -i s/two/due/")
    git(folder, "history", "reword", "HEAD~1")
    assert linked(folder) == ["one", "due", "three"]
    (folder / "one").write_text("uno\n")
    git(folder, "add", "one")
    git(folder, "history", "fixup", "HEAD~2")
    assert linked(folder) == ["one", "due", "three"]
