"""`ocm init`, `ocm uninstall` and `ocm doctor` with the settings of Gemini CLI."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.harness import git
from support.installing import installed, outcomes, tree, uninstalled
from support.workspaces import workspace_at

from gitmem.actions.installing.plan import StepOutcome, carry_out
from gitmem.actions.installing.user_settings import Scope, removal
from gitmem.text import jsonc

SERVER = "opencodememory"
MINE = b'{ // mine\r\n\t"mcpServers": {"x": {}},\r\n\t"hooks": {"AfterTool": []}\r\n}'


def places(repository: Path) -> dict[Path, object]:
    found = tree(repository, Path.home())
    return {path: what for path, what in found.items() if "ocm" not in path.parts}


@pytest.mark.parametrize("mine", [None, MINE])
def test_hooks_and_server_come_and_go_in_one_file(
    repository: Path, mine: bytes | None
) -> None:
    settings = repository / ".gemini" / "settings.json"
    if mine:
        settings.parent.mkdir()
        settings.write_bytes(mine)
        (repository / "GEMINI.md").write_text("# Mine")
    git(repository, "status")  # it writes what it finds into the index
    before = places(repository)
    assert StepOutcome.FAILED not in outcomes(
        installed(workspace_at(repository), "gemini")
    )
    there: Any = jsonc.parsed(settings.read_text())
    assert "ocm/run" in there["mcpServers"][SERVER]["args"][1]
    assert there["hooks"]["AfterTool"][0]["hooks"][0]["timeout"] == 10_000
    rules = ".gemini/opencodememory.md"
    assert f"\n@{rules}\n" in (repository / "GEMINI.md").read_text()
    assert "ocm__checkpoint" in (repository / rules).read_text()
    again = installed(workspace_at(repository), "gemini-cli")
    assert outcomes(again) == {StepOutcome.ALREADY}
    uninstalled(workspace_at(repository))
    assert places(repository) == before


def test_permission_is_a_file_of_the_user_which_is_asked_for(repository: Path) -> None:
    policy = Path.home() / ".gemini" / "policies" / f"{SERVER}.toml"
    git(repository, "status")
    before = places(repository)
    installed(workspace_at(repository), "gemini", allows_tools=True)
    installed(workspace_at(repository), "gemini", scope=Scope.REPOSITORY)
    assert not policy.exists()
    installed(
        workspace_at(repository), "gemini", scope=Scope.REPOSITORY, allows_tools=True
    )
    ours, _ = tomllib.loads(policy.read_text())["rule"]
    assert (ours["mcpName"], ours["decision"]) == (SERVER, "allow")
    assert ours["toolAnnotations"] == {"destructiveHint": False}
    again = installed(workspace_at(repository), "gemini", scope=Scope.REPOSITORY)
    assert outcomes(again) == {StepOutcome.ALREADY}
    uninstalled(workspace_at(repository))
    list(carry_out(removal(workspace_at(repository).environment)))
    assert places(repository) == before
