"""The rules that let our tools run without a question, where the user agrees."""

import json
from pathlib import Path
from typing import Any

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

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import StepOutcome
from gitmem.assistants.assistant import SERVER, TOOLS
from gitmem.workspace import Workspace

LOCAL = ".claude/settings.local.json"
RULES = [f"mcp__{SERVER}__{tool}" for tool in TOOLS]
MINE = '{"permissions": {"allow": ["Bash(ls)"]}, "model": "x"}'


def settings(repository: Path) -> Any:
    return json.loads((repository / LOCAL).read_text())


@few(1, ("is_local", "mine"), [(False, MINE), (True, MINE), (True, None)])
def test_they_come_when_asked_for_stay_and_go_byte_for_byte(
    workspace: Workspace, repository: Path, mine: str | None, *, is_local: bool
) -> None:
    if mine:
        put(repository / LOCAL, mine.encode())
        (repository / ".git" / "info" / "exclude").write_text(f"{LOCAL}\n")
    before, exclude = tree(repository), (repository / ".git/info/exclude").read_bytes()
    installed(workspace, is_local=is_local)
    assert planned(workspace).asked_about == list(TOOLS)
    installed(workspace, is_local=None, allows_tools=True)
    assert settings(repository)["permissions"]["allow"][-len(RULES) :] == RULES
    assert ("hooks" in settings(repository)) == is_local
    assert LOCAL not in git(repository, "status", "--porcelain", "--untracked-files")
    again = installed(workspace, is_local=None)
    assert outcomes(again) <= {StepOutcome.ALREADY, StepOutcome.SKIPPED}
    assert planned(workspace).asked_about == []
    uninstalled(workspace)
    assert (repository / ".git" / "info" / "exclude").read_bytes() == exclude
    after = tree(repository)
    assert {p: after[p] for p in after if ".git" not in p.parts} == {
        p: before[p] for p in before if ".git" not in p.parts
    }


def test_only_they_leave_changed_files(workspace: Workspace, repository: Path) -> None:
    installed(workspace, "claude-code", allows_tools=True)
    own = settings(repository)
    assert own["enabledMcpjsonServers"] == [SERVER]
    own["enabledMcpjsonServers"].append("other")
    own["permissions"]["allow"].append("Bash(ls)")
    (repository / LOCAL).write_text(json.dumps(own))
    uninstalled(workspace)
    assert settings(repository) == {
        "permissions": {"allow": ["Bash(ls)"]},
        "enabledMcpjsonServers": ["other"],
    }


def test_rules_of_the_user_stay(workspace: Workspace, repository: Path) -> None:
    own = {"permissions": {"allow": RULES[:1]}}
    put(repository / LOCAL, json.dumps(own).encode())
    for is_local in (False, True, False):
        installed(workspace, is_local=is_local)
        assert settings(repository)["permissions"] == own["permissions"]
    assert planned(workspace).asked_about == [*TOOLS[1:]]


def test_tracked_file_gets_none(workspace: Workspace, repository: Path) -> None:
    put(repository / LOCAL, b"{}")
    git(repository, "add", "--force", LOCAL)
    results = installed(workspace, allows_tools=True)
    assert result_for(results, "without asking").outcome is StepOutcome.SKIPPED
    assert (repository / LOCAL).read_text() == "{}"
