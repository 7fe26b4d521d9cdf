"""Maintenance has git pack loose objects, as git does after a commit."""

from pathlib import Path

from support.harness import git
from support.workspaces import workspace_at

from gitmem.actions.maintenance import is_gc_due, run_maintenance


def test_git_packs_what_is_loose(repository: Path) -> None:
    git(repository, "config", "gc.auto", "1")
    git(repository, "config", "gc.autoDetach", "false")
    sample = repository / ".git" / "objects" / "17"
    sample.mkdir(exist_ok=True)
    for digit in "01":
        (sample / (digit * 38)).touch()
    workspace = workspace_at(repository)
    assert is_gc_due(workspace.repository)
    run_maintenance(workspace)
    assert list((repository / ".git" / "objects" / "pack").glob("*.idx"))


def test_nothing_is_packed_where_it_is_off_or_failed(repository: Path) -> None:
    seam = workspace_at(repository).repository
    git(repository, "config", "gc.auto", "0")
    assert not is_gc_due(seam)
    git(repository, "config", "gc.auto", "1")
    (repository / ".git" / "gc.log").touch()
    assert not is_gc_due(seam)
