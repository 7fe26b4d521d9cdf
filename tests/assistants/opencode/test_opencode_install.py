"""`ocm init` and `ocm uninstall` in a work tree that OpenCode is used in."""

import json
import sys
from pathlib import Path

import pytest
from support.doctor import quick_python
from support.installing import installed, outcomes, put, tree, uninstalled
from support.workspaces import workspace_at

from gitmem.actions.doctor.doctor import examine
from gitmem.actions.doctor.finding import Code
from gitmem.actions.installing import user_settings
from gitmem.actions.installing.plan import StepOutcome
from gitmem.actions.installing.user_settings import Scope
from gitmem.resources import resource

CONFIG = b'{\n  // mine\n  "mcp": {"other": {"type": "local", "command": ["x"]}}\n}\n'


@pytest.mark.parametrize("config", [None, CONFIG])
def test_files_are_as_they_were(repository: Path, config: bytes | None) -> None:
    if config:
        put(repository / "opencode.json", config)
        put(repository / "AGENTS.md", b"Be kind.")
        put(repository / ".opencode" / "plugins" / "own.js", b"export default 1\n")
    before, workspace = tree(repository), workspace_at(repository)
    assert outcomes(installed(workspace, "opencode")) == {StepOutcome.DONE}
    assert outcomes(installed(workspace, "opencode")) == {StepOutcome.ALREADY}
    server = (repository / "opencode.json").read_text()
    assert '"opencodememory"' in server
    assert "ocm/run" in server
    plugin = (repository / ".opencode" / "plugins" / "ocm.js").read_text()
    packaged = resource("hooks/opencode/ocm.js").read_text()
    assert plugin.partition("\n")[0].startswith("// ocm:begin")
    assert plugin.partition("\n")[2] == f"{packaged}// ocm:end\n"
    uninstalled(workspace)
    assert tree(repository) == before


def test_what_opencode_writes_into_our_file_does_not_keep_it(repository: Path) -> None:
    workspace, file = workspace_at(repository), repository / "opencode.json"
    installed(workspace, "opencode")
    settings = json.loads(file.read_text())
    file.write_text(json.dumps({"$schema": "x"} | settings, indent=2))
    assert outcomes(installed(workspace, "opencode")) == {StepOutcome.ALREADY}
    uninstalled(workspace)
    assert not file.exists()


def test_the_users_own_settings_have_server_and_plugin(repository: Path) -> None:
    workspace = workspace_at(repository)
    installed(workspace, "opencode", scope=Scope.REPOSITORY)
    folder = workspace.environment.user_home / ".config" / "opencode"
    server = json.loads((folder / "opencode.json").read_text())["mcp"]["opencodememory"]
    assert server["command"][1:] == ["user", "serve"]
    assert (folder / "plugins" / "ocm.js").is_file()
    assert user_settings.is_active(workspace)
    assert not (repository / ".opencode").exists()


def test_doctor_finds_a_plugin_of_another_version(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(quick_python(tmp_path)))
    workspace = workspace_at(repository)
    installed(workspace, "opencode")
    plugin = repository / ".opencode" / "plugins" / "ocm.js"
    plugin.write_text(plugin.read_text().replace("const", "let", 1))
    found = [
        each for each in examine(workspace.environment) if each.location == str(plugin)
    ]
    assert [each.code for each in found] == [Code.HOOK_ENTRIES]
    assert "plugin in .opencode/plugins/ocm.js" in found[0].message
