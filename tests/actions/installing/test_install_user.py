"""`ocm init --user` and `ocm uninstall --user`: the user's own settings."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.harness import git
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

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import StepOutcome, StepResult, carry_out
from gitmem.actions.installing.present import form_of
from gitmem.actions.installing.user_settings import Scope, removal
from gitmem.assistants.assistant import SERVER, TOOLS
from gitmem.config import EVERYWHERE_SETTING

MINE = '{"hooks": {"Stop": []}, "permissions":\n {"allow": ["Bash(ls)"]}}'


@pytest.fixture(params=["here", pytest.param(None, marks=pytest.mark.endurance)])
def claude(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Path]:
    """Claude Code's settings and memory, where the user may have moved them."""
    home = Path.home()
    if request.param:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "here"))
        return home / "here" / "settings.json", home / "here" / ".claude.json"
    return home / ".claude" / "settings.json", home / ".claude.json"


def init(folder: Path, scope: Scope = Scope.REPOSITORY, **how: Any) -> list[StepResult]:
    return installed(workspace_at(folder), scope=scope, **how)


def undone(folder: Path) -> list[StepResult]:
    return list(carry_out(removal(workspace_at(folder).environment)))


def places(repository: Path) -> dict[Path, object]:
    """All files of the user; the registry and the repository keep what is theirs."""
    found = tree(repository, Path.home())
    return {path: what for path, what in found.items() if "ocm" not in path.parts}


@few(1, ("mine", "scope"), [(None, Scope.REPOSITORY), (MINE, Scope.ALL)])
def test_all_of_it_comes_once_and_goes_byte_for_byte(
    repository: Path, claude: tuple[Path, Path], mine: str | None, scope: Scope
) -> None:
    if mine:
        for file in claude:
            file.parent.mkdir(exist_ok=True)
            file.write_text(mine)
    git(repository, "status")  # it writes what it finds into the index
    before = places(repository)
    assert StepOutcome.FAILED not in outcomes(
        init(repository, scope, allows_tools=True)
    )
    settings, memory = (each.read_text() for each in claude)
    assert "user hook claude-code" in settings
    assert f"mcp__{SERVER}__{TOOLS[0]}" in settings
    assert '"alwaysLoad": true' in memory
    assert (Path.home() / ".cursor" / "hooks.json").exists()
    assert not (Path.home() / ".cursor" / "mcp.json").exists()
    assert git(repository, "status", "--porcelain") == ""
    assert outcomes(init(repository, scope)) == {StepOutcome.ALREADY}
    assert outcomes(installed(workspace_at(repository))) == {StepOutcome.ALREADY}
    assert planned(workspace_at(repository)).asked_about == []
    uninstalled(workspace_at(repository))
    assert outcomes(undone(repository)) <= {StepOutcome.DONE, StepOutcome.ALREADY}
    assert places(repository) == before


def test_from_files_that_were_written_since_ours_alone_is_taken(
    repository: Path, claude: tuple[Path, Path]
) -> None:
    init(repository, allows_tools=True)
    for file in claude:
        values = json.loads(file.read_text())
        file.write_text(json.dumps({**values, "model": "x"}))
    undone(repository)
    assert [json.loads(file.read_text()) for file in claude] == [{"model": "x"}] * 2


def test_link_to_dotfiles_stays_one(repository: Path, tmp_path: Path) -> None:
    dotfile = put(tmp_path / "dotfiles" / "claude.json", b"{}\n")
    link = Path.home() / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(dotfile)
    init(repository)
    assert "ocm/run" in dotfile.read_text()
    undone(repository)
    assert link.readlink() == dotfile
    assert dotfile.read_text() == "{}\n"


def test_what_cannot_be_undone_stays_noted_and_is_told(repository: Path) -> None:
    init(repository)
    memory = Path.home() / ".claude.json"
    text = memory.read_text()
    memory.write_text('{"mcpServers": ')
    result = result_for(undone(repository), str(memory))
    assert result.outcome is StepOutcome.FAILED
    memory.write_text(text)
    assert StepOutcome.FAILED not in outcomes(undone(repository))
    assert not memory.exists()


def test_a_server_that_is_not_ours_is_left_alone(repository: Path) -> None:
    mine = json.dumps({"mcpServers": {SERVER: {"command": "ocm", "args": ["serve"]}}})
    (Path.home() / ".claude.json").write_text(mine)
    result = result_for(init(repository), "starts the MCP server as")
    assert result.outcome is StepOutcome.SKIPPED
    undone(repository)
    assert (Path.home() / ".claude.json").read_text() == mine


def test_another_repository_opts_in_and_out(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(repository), "other")
    other = tmp_path / "other"
    init(repository)
    before = (other / ".git" / "config").read_bytes()
    assert not form_of(workspace_at(other)).is_user
    init(other)
    assert form_of(workspace_at(other)).is_user
    uninstalled(workspace_at(other))
    assert (other / ".git" / "config").read_bytes() == before
    assert form_of(workspace_at(repository)).is_user


def test_what_is_active_is_known_and_goes_on(repository: Path) -> None:
    def forms() -> tuple[bool, bool, bool]:
        form = form_of(workspace_at(repository))
        return form.is_project, form.is_user, form.is_for_all

    assert forms() == (False, False, False)
    installed(workspace_at(repository), scope=Scope.WORK_TREE)
    assert forms() == (True, False, False)
    init(repository)
    assert forms() == (True, True, False)
    init(repository, Scope.ALL)
    assert forms() == (True, True, True)
    uninstalled(workspace_at(repository))
    assert forms() == (False, True, True)
    installed(workspace_at(repository))
    assert forms() == (False, True, True)
    undone(repository)
    assert forms() == (False, False, False)


def test_one_that_said_no_says_yes_beside_all(repository: Path) -> None:
    git(repository, "config", EVERYWHERE_SETTING, "no")
    init(repository, Scope.ALL)
    assert form_of(workspace_at(repository)).is_user
