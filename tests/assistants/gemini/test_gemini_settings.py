"""`ocm init`, `ocm uninstall` and `ocm doctor` with the settings of Gemini CLI."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.harness import git
from support.installing import installed, outcomes, tree, uninstalled
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.installing.plan import Outcome, carry_out
from gitmem.actions.installing.user_settings import Scope, removal
from gitmem.assistants.assistant import Checked
from gitmem.assistants.gemini.checks import checks
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
    assert Outcome.FAILED not in outcomes(installed(workspace_at(repository), "gemini"))
    there: Any = jsonc.parsed(settings.read_text())
    assert "ocm/run" in there["mcpServers"][SERVER]["args"][1]
    assert there["hooks"]["AfterTool"][0]["hooks"][0]["timeout"] == 10_000
    rules = ".gemini/opencodememory.md"
    assert f"\n@{rules}\n" in (repository / "GEMINI.md").read_text()
    assert "ocm__checkpoint" in (repository / rules).read_text()
    again = installed(workspace_at(repository), "gemini-cli")
    assert outcomes(again) == {Outcome.ALREADY}
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
    assert outcomes(again) == {Outcome.ALREADY}
    uninstalled(workspace_at(repository))
    list(carry_out(removal(workspace_at(repository).environment)))
    assert places(repository) == before


ROOT = "{root}"
FILES = {
    "settings": "settings.json",
    "trusted": "trustedFolders.json",
    "enablement": "mcp-server-enablement.json",
}


TRUST, HOOKS, MCP = "folder-trust", "hooks-allowed", "mcp-approval"
REFUSED = {"trusted": {"/": "TRUST_FOLDER", ROOT: "DO_NOT_TRUST"}}
UNASKED = {"settings": {"security": {"folderTrust": {"enabled": False}}}}
OTHER = {"settings": {"mcp": {"allowed": ["other"]}}}


@every_row(
    ("own", "project", "code", "grade"),
    [
        ({}, {}, TRUST, "warning"),
        ({"trusted": {ROOT: "TRUST_FOLDER"}}, {}, TRUST, "ok"),
        ({"trusted": {f"{ROOT}/x": "TRUST_PARENT"}}, {}, TRUST, "ok"),
        ({"trusted": {f"{ROOT}/x": "TRUST_FOLDER"}}, {}, TRUST, "warning"),
        (
            {"trusted": {"/": "TRUST_FOLDER", ROOT: "DO_NOT_TRUST"}},
            {},
            TRUST,
            "problem",
        ),
        (
            {"settings": {"security": {"folderTrust": {"enabled": False}}}},
            {},
            TRUST,
            "ok",
        ),
        ({"trusted": ["nonsense"]}, {}, TRUST, "warning"),
        ({}, {}, HOOKS, "ok"),
        ({}, {"hooksConfig": {"enabled": False}}, HOOKS, "problem"),
        ({"settings": {"hooksConfig": {"disabled": [SERVER]}}}, {}, HOOKS, "problem"),
        ({}, {"hooksConfig": 7}, HOOKS, "ok"),
        ({}, {}, MCP, "ok"),
        ({}, {"mcp": {"excluded": [SERVER]}}, MCP, "warning"),
        (OTHER, {}, MCP, "warning"),
        (OTHER, {"mcp": {"allowed": [SERVER]}}, MCP, "ok"),
        ({"enablement": {SERVER: {"enabled": False}}}, {}, MCP, "warning"),
        ({}, {}, "tools-allowed", "note"),
    ],
)
def test_what_stands_in_the_way_is_told(
    tmp_path: Path, own: dict[str, Any], project: Any, code: str, grade: str
) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    for folder in (home, root):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / ".gemini").mkdir(parents=True)
    for name, value in own.items():
        text = json.dumps(value).replace(ROOT, str(root))
        (home / ".gemini" / FILES[name]).write_text(f"// mine\n{text}")
    (root / ".gemini" / "settings.json").write_text(json.dumps(project))
    found = {each.code: each for each in checks(Checked(home, {}, root))}
    assert found[code].grade == grade
    assert (grade == "ok") is (found[code].mend == "")


def test_a_user_without_gemini_cli_is_told_nothing(tmp_path: Path) -> None:
    assert list(checks(Checked(tmp_path, {}))) == []
