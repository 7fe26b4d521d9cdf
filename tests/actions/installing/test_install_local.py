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
from support.rounds import every_row, few
from support.workspaces import workspace_at

from gitmem.actions.installing import present
from gitmem.actions.installing.plan import StepOutcome
from gitmem.assistants.claude_code import CLAUDE_CODE


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
    assert StepOutcome.DONE not in outcomes(
        installed(workspace_at(team), is_local=None)
    )
    assert times(team) == there


def test_the_files_for_one_user_alone_are_used(team: Path) -> None:
    results = installed(workspace_at(team), is_local=True)
    assert "ocm/run" in (team / ".claude" / "settings.local.json").read_text()
    assert "openCodeMemory" in (team / ".claude/rules/opencodememory.md").read_text()
    assert not (team / "CLAUDE.local.md").exists()
    tracked = result_for(results, ".cursor/hooks.json")
    assert tracked.outcome is StepOutcome.SKIPPED
    assert tracked.reason == "git tracks .cursor/hooks.json"


def test_tracked_file_is_left_with_a_way_by_hand(repository: Path) -> None:
    (repository / ".mcp.json").write_text('{"mcpServers": {}}')
    git(repository, "add", ".mcp.json")
    results = installed(workspace_at(repository), is_local=True, ocm="/bin/ocm")
    tracked = result_for(results, ".mcp.json says")
    assert tracked.outcome is StepOutcome.SKIPPED
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


def test_a_team_that_has_ours_already_is_not_told_twice(
    repository: Path, tmp_path: Path
) -> None:
    installed(workspace_at(repository))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=ours")
    git(tmp_path, "clone", "--quiet", str(repository), "clone")
    clone = tmp_path / "clone"
    results = installed(workspace_at(clone), is_local=None)
    assert not (clone / ".claude" / "rules").exists()
    assert not (clone / ".claude" / "settings.local.json").exists()
    assert StepOutcome.SKIPPED not in outcomes(results)
    assert git(clone, "status", "--porcelain") == ""


def test_nobody_is_asked_to_commit_by_default(repository: Path) -> None:
    installed(workspace_at(repository), "claude-code", "codex", is_local=None)
    assert git(repository, "status", "--porcelain") == ""


@every_row(
    ("files", "reads_rules"),
    [
        ({}, False),
        ({"CLAUDE.md": "# Mine\n"}, True),
        ({"CLAUDE.md": "# Mine\n@AGENTS.md\n"}, False),
        ({".claude/CLAUDE.md": "x"}, True),
        ({"../CLAUDE.md": "x"}, True),
        ({"CLAUDE.md": "see AGENTS.md"}, True),
    ],
)
def test_rules_reach_claude_code_once(
    repository: Path, files: dict[str, str], *, reads_rules: bool
) -> None:
    for name, text in files.items():
        put(repository / name, text.encode())
    workspace = workspace_at(repository)
    installed(workspace, "claude-code", "codex", is_local=True)
    rules = repository / ".claude/rules/opencodememory.md"
    assert rules.exists() == reads_rules
    assert "openCodeMemory" in (repository / "AGENTS.md").read_text()
    uninstalled(workspace)
    for name in files:
        (repository / name).unlink()


def test_rules_reach_claude_code_alone_in_an_ignored_file(repository: Path) -> None:
    workspace = workspace_at(repository)
    installed(workspace, "claude-code", is_local=True)
    assert not (repository / "AGENTS.md").exists()
    assert (repository / ".claude/rules/opencodememory.md").exists()
    installed(workspace, "claude-code", "codex", is_local=True)
    assert not (repository / ".claude/rules").exists()


def test_files_of_an_earlier_version_go(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_at(repository)
    with monkeypatch.context() as earlier:
        name = "CLAUDE.local.md"
        rules = CLAUDE_CODE.targets[2]._replace(path=name, is_served=lambda _: False)
        targets = (*CLAUDE_CODE.targets[:2], rules)
        now = CLAUDE_CODE._replace(targets=targets)
        earlier.setattr(present, "CONFIGURED", (now,))
        installed(workspace, "claude-code", is_local=True)
    assert (repository / name).exists()
    installed(workspace, "claude-code", is_local=None)
    assert not (repository / name).exists()
    assert "CLAUDE.local" not in (repository / ".git/info/exclude").read_text()


@few(1, "lost", ["HEAD", "HEAD^{tree}", "HEAD:AGENTS.md"])
def test_lost_object_of_head_is_no_obstacle(team: Path, lost: str) -> None:
    oid = git(team, "rev-parse", lost)
    (team / ".git/objects" / oid[:2] / oid[2:]).unlink()
    before = (team / "AGENTS.md").read_bytes()
    workspace = workspace_at(team)
    assert StepOutcome.FAILED not in outcomes(installed(workspace, is_local=True))
    assert StepOutcome.FAILED not in outcomes(uninstalled(workspace))
    assert (team / "AGENTS.md").read_bytes() == before
