"""The files that configure Copilot CLI, beside Claude Code's or without them."""

import json
import sys
from pathlib import Path

import pytest
from support.doctor import OK, Place, quick_python
from support.installing import (
    installed,
    outcomes,
    put,
    result_for,
    tree,
    uninstalled,
)
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.doctor.finding import Code
from gitmem.actions.installing.plan import StepOutcome
from gitmem.actions.installing.present import installed_assistants
from gitmem.actions.installing.user_settings import Scope
from gitmem.resources import resource

HOOKS, SERVER = ".github/hooks/opencodememory.json", ".github/mcp.json"
OWN = {HOOKS, SERVER, "AGENTS.md"}


def files(repository: Path) -> set[str]:
    found = (path for path in repository.rglob("*") if path.is_file())
    names = (path.relative_to(repository).as_posix() for path in found)
    others = (".git/", ".agents/skills/", ".claude/skills/", "README.md")
    return {name for name in names if not name.startswith(others)}


def test_alone_it_has_files_of_its_own(repository: Path) -> None:
    before, there = files(repository), tree(repository)
    workspace = workspace_at(repository)
    assert outcomes(installed(workspace, "copilot")) == {StepOutcome.DONE}
    assert installed_assistants(workspace) == ["copilot"]
    assert files(repository) - before == OWN
    hooks = json.loads((repository / HOOKS).read_text())
    assert hooks == json.loads(resource("hooks/copilot/hooks.json").read_text())
    results = installed(workspace, "claude-code", "copilot")
    assert result_for(results, f"hooks in {HOOKS}").outcome is StepOutcome.ALREADY
    assert files(repository) > OWN
    uninstalled(workspace)
    left = {path for path in tree(repository) if path.is_file()}
    assert left == {path for path in there if path.is_file()}


def test_files_of_the_user_are_as_they_were(repository: Path) -> None:
    before = {
        SERVER: b'{"mcpServers": {"x": {}}}\n\n',
        HOOKS: b'{"version": 1,\r\n "hooks": {"Stop": []}}',
        "AGENTS.md": b"# Mine\r\n",
    }
    for name, content in before.items():
        put(repository / name, content)
    installed(workspace_at(repository), "copilot")
    assert all((repository / name).read_bytes() != before[name] for name in OWN)
    uninstalled(workspace_at(repository))
    assert {name: (repository / name).read_bytes() for name in OWN} == before


@few(1, "at_once", [True, False])
def test_files_of_claude_code_serve_it(repository: Path, at_once: bool) -> None:
    workspace, before = workspace_at(repository), files(repository)
    if not at_once:
        installed(workspace, "claude-code")
    named = ("claude-code", "copilot") if at_once else ("copilot",)
    results = installed(workspace, *named)
    for words in (
        "Copilot CLI starts the MCP server as .mcp.json says",
        "Copilot CLI and VS Code run the hooks in .claude/settings.json",
    ):
        assert result_for(results, words).outcome is StepOutcome.ALREADY
    expected = {".mcp.json", ".claude/settings.json", "AGENTS.md"}
    assert files(repository) - before == expected


def test_the_users_own_settings_are_its_own(repository: Path) -> None:
    workspace = workspace_at(repository)
    home = workspace.environment.user_home / ".copilot"
    installed(workspace, "copilot", scope=Scope.REPOSITORY)
    hooks = json.loads((home / "hooks" / "opencodememory.json").read_text())["hooks"]
    [[stop]] = [hooks["Stop"]]
    assert stop["bash"].endswith(" user hook copilot")
    servers = json.loads((home / "mcp-config.json").read_text())["mcpServers"]
    assert servers["opencodememory"]["args"] == ["user", "serve"]


@pytest.fixture
def place(repository: Path, tmp_path: Path) -> Place:
    return Place(repository, tmp_path / "home")


def test_doctor_names_the_files_that_serve_it(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(quick_python(tmp_path)))
    (place.home / ".copilot").mkdir(parents=True)
    installed(workspace_at(place.repository), "claude-code", "copilot")
    of_it = {x.code: x for x in place.findings() if x.about == "copilot"}
    hooks, server = of_it[Code.HOOK_ENTRIES], of_it[Code.MCP_ENTRY]
    assert hooks.grade is OK
    assert hooks.message == "Copilot CLI: hooks in .claude/settings.json"
    assert server.message == "Copilot CLI: MCP server in .mcp.json"
