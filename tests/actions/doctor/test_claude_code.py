"""Whether Claude Code runs what is there, as version 2.1.197 was seen to behave."""

import json
import shutil
from typing import Any

import pytest
from support.doctor import (
    CLAUDE,
    ENABLED,
    NOTE,
    OK,
    PROBLEM,
    SERVER,
    TRUSTED,
    WARNING,
    Place,
)
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.finding import Code, Grade
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.assistant import TOOLS as OUR_TOOLS

TOOLS = [f"mcp__{SERVER}__{tool}" for tool in OUR_TOOLS]


@few(
    5,
    ("project", "files", "grade", "words"),
    [
        (TRUSTED, {}, WARNING, "not approved yet"),
        (TRUSTED, {"settings.json": ENABLED}, OK, "may start"),
        ({}, {"settings.json": ENABLED}, WARNING, "not approved yet"),
        ({}, {"~": ENABLED}, OK, "may start"),
        (
            TRUSTED,
            {
                "settings.local.json": {"enableAllProjectMcpServers": True},
                "settings.json": {"disabledMcpjsonServers": [SERVER]},
            },
            WARNING,
            "was rejected",
        ),
        (
            TRUSTED | {"disabledMcpServers": [SERVER]},
            {"settings.local.json": ENABLED},
            WARNING,
            "is turned off",
        ),
        ({"mcpServers": {SERVER: {}}}, {}, OK, "from the user"),
    ],
)
def test_when_it_starts_the_server(
    healthy: Place,
    project: dict[str, Any],
    files: dict[str, dict[str, Any]],
    grade: Grade,
    words: str,
) -> None:
    (healthy.repository / ".claude" / "settings.local.json").unlink()
    projects = {str(healthy.repository): project}
    healthy.write_json("~/.claude.json", {"projects": projects})
    for name, values in files.items():
        path = "~/.claude/settings.json" if name == "~" else f".claude/{name}"
        healthy.write_json(path, values)
    found = healthy.found(Code.MCP_APPROVAL, CLAUDE)
    assert (found.grade, words in found.what) == (grade, True)
    assert bool(found.mend) is (grade is WARNING)


def test_what_it_did_is_believed_before_what_its_settings_say(healthy: Place) -> None:
    healthy.write_json("~/.claude.json", {})
    healthy.write_json(".claude/settings.local.json", {})
    trust = healthy.found(Code.FOLDER_TRUST, CLAUDE)
    assert (trust.grade, "has run hooks" in trust.what) == (OK, True)
    assert healthy.found(Code.MCP_APPROVAL, CLAUDE).grade is WARNING
    saved_session(workspace_at(healthy.repository), Caller(CLAUDE), goal="g")
    approval = healthy.found(Code.MCP_APPROVAL, CLAUDE)
    assert (approval.grade, "it has saved" in approval.what) == (OK, True)


@few(
    3,
    ("user", "local", "grade", "words"),
    [
        ([], [], NOTE, "asks before it runs ocm__checkpoint, ocm__search_sessions"),
        (TOOLS[:2], TOOLS[2:], OK, "without asking"),
        ([], [f"mcp__{SERVER}__*"], OK, "without asking"),
        (TOOLS[1:], [], NOTE, "asks before it runs ocm__checkpoint, and"),
    ],
)
def test_which_tools_it_asks_about(
    healthy: Place, user: list[str], local: list[str], grade: Grade, words: str
) -> None:
    healthy.write_json("~/.claude/settings.json", {"permissions": {"allow": user}})
    local_rules = ENABLED | {"permissions": {"allow": local}}
    healthy.write_json(".claude/settings.local.json", local_rules)
    found = healthy.found(Code.TOOLS_ALLOWED, CLAUDE)
    assert (found.grade, words in found.what) == (grade, True)
    assert ("ocm init --allow-tools" in found.mend) == (grade is NOTE)


def test_a_tool_that_is_denied_is_named_with_its_file(healthy: Place) -> None:
    denied = {"permissions": {"allow": TOOLS, "deny": TOOLS[:1]}}
    healthy.write_json("~/.claude/settings.json", denied)
    found = healthy.found(Code.TOOLS_ALLOWED, CLAUDE)
    assert found.grade is WARNING
    assert TOOLS[0] in found.what
    assert "settings.json" in found.mend


@pytest.mark.endurance
def test_hooks_run_below_a_folder_that_is_trusted(healthy: Place) -> None:
    shutil.rmtree(healthy.common_dir / "ocm" / "journal")
    for folder, grade in (
        (healthy.repository.parent, OK),
        (healthy.repository / "below", WARNING),
    ):
        known = {"projects": {str(folder): TRUSTED}}
        healthy.write_json("~/.claude.json", known)
        assert healthy.found(Code.FOLDER_TRUST, CLAUDE).grade is grade


@pytest.mark.parametrize(
    ("user", "project", "local", "grade"),
    [
        (True, None, None, PROBLEM),
        (None, None, True, PROBLEM),
        (True, False, None, OK),
    ],
)
def test_hooks_can_be_turned_off_and_the_nearest_file_wins(
    healthy: Place,
    user: bool | None,
    project: bool | None,
    local: bool | None,
    grade: Grade,
) -> None:
    for path, value in (
        ("~/.claude/settings.json", user),
        (".claude/settings.json", project),
        (".claude/settings.local.json", local),
    ):
        if value is not None:
            healthy.write_json(path, {"disableAllHooks": value})
    found = healthy.found(Code.HOOKS_ALLOWED, CLAUDE)
    assert found.grade is grade


@pytest.mark.parametrize("is_json", [False, True])
def test_void_settings_file_is_a_problem(healthy: Place, is_json: bool) -> None:
    file = healthy.repository / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["hooks"]["Stop"].append({"type": "command", "command": "true"})
    comment = "" if is_json else "// mine\n"
    file.write_text(comment + json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.grade) == (Code.SETTINGS_FILE, PROBLEM)
    assert found.where == str(file)
