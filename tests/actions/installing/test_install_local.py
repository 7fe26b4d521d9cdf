"""`ocm init --local`: nothing of it shows in what git tracks, or in `git status`."""

from pathlib import Path

import pytest
from support.harness import git
from support.installing import (
    installed,
    outcomes,
    put,
    result_for,
    times,
    tree,
    uninstalled,
)
from support.workspaces import workspace_at

from gitmem.actions.installing.plan import Outcome


@pytest.fixture
def team(repository: Path) -> Path:
    """A repository that tracks files of assistants, without ours."""
    put(repository / ".claude" / "settings.json", b'{"model": "x"}\n')
    put(repository / "AGENTS.md", b"# Team\n")
    put(repository / ".cursor" / "hooks.json", b'{"version": 1}\n')
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=team")
    return repository


def test_git_status_stays_as_it_was(team: Path) -> None:
    (team / "untracked").touch()
    (team / ".mcp.json").write_text("{}")
    before = git(team, "status", "--porcelain", "--untracked-files=all")
    installed(workspace_at(team), is_local=True)
    assert before == git(team, "status", "--porcelain", "--untracked-files=all")
    assert "opencodememory" in (team / ".mcp.json").read_text()
    there = times(team)
    assert Outcome.DONE not in outcomes(installed(workspace_at(team)))
    assert times(team) == there


def test_the_files_for_one_user_alone_are_used(team: Path) -> None:
    results = installed(workspace_at(team), is_local=True)
    assert "ocm/run" in (team / ".claude" / "settings.local.json").read_text()
    assert "openCodeMemory" in (team / "CLAUDE.local.md").read_text()
    tracked = result_for(results, ".cursor/hooks.json")
    assert tracked.outcome is Outcome.SKIPPED
    assert tracked.reason == "git tracks .cursor/hooks.json"


def test_tracked_file_is_left_with_a_way_by_hand(repository: Path) -> None:
    (repository / ".mcp.json").write_text('{"mcpServers": {}}')
    git(repository, "add", ".mcp.json")
    results = installed(workspace_at(repository), is_local=True, ocm="/bin/ocm")
    tracked = result_for(results, ".mcp.json says")
    assert tracked.outcome is Outcome.SKIPPED
    assert tracked.step.advice == "claude mcp add opencodememory -- /bin/ocm serve"


def test_what_was_shared_becomes_local_and_shared_again(team: Path) -> None:
    workspace = workspace_at(team)
    clean = tree(team)
    installed(workspace, is_local=False)
    shared = tree(team)
    installed(workspace, is_local=True)
    assert git(team, "status", "--porcelain") == ""
    assert (team / "AGENTS.md").read_text() == "# Team\n"
    installed(workspace, is_local=False)
    again = tree(team)
    for path in (".mcp.json", ".claude/settings.json", "AGENTS.md"):
        assert again[team / path] == shared[team / path]
    uninstalled(workspace)
    assert tree(team).keys() == clean.keys()
    assert git(team, "status", "--porcelain") == ""


def test_folder_made_for_one_file_goes_with_it(repository: Path) -> None:
    workspace = workspace_at(repository)
    for is_local in (False, True, False):
        installed(workspace, is_local=is_local)
    uninstalled(workspace)
    assert not (repository / ".claude").exists()


def test_a_team_that_has_ours_already_is_not_told_twice(repository: Path) -> None:
    installed(workspace_at(repository))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=ours")
    (repository / ".git" / "ocm" / "installed.json").unlink()
    results = installed(workspace_at(repository), is_local=True)
    assert not (repository / "CLAUDE.local.md").exists()
    assert not (repository / ".claude" / "settings.local.json").exists()
    assert Outcome.SKIPPED not in outcomes(results)
    assert git(repository, "status", "--porcelain") == ""
