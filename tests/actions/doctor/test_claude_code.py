"""What of Claude Code's settings stops us, as version 2.1.197 was seen to behave."""

import json
import shutil
from typing import Any

import pytest
from support.doctor import CLAUDE, NOTE, PROBLEM, SERVER, Place
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.finding import Code
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.assistant import TOOLS as OUR_TOOLS
from gitmem.assistants.assistant import Checked
from gitmem.assistants.claude_code.checks import checks

TOOLS = [f"mcp__{SERVER}__{tool}" for tool in OUR_TOOLS]
USER, LOCAL = "~/.claude/settings.json", ".claude/settings.local.json"
SHARED = ".claude/settings.json"
Files = dict[str, Any]


def grades(place: Place, files: Files) -> dict[str, str]:
    """Return what is found where these are all the files with settings."""
    for folder in (place.home, place.repository):
        shutil.rmtree(folder / ".claude", ignore_errors=True)
    for path, value in ({"~/.claude.json": {}, USER: ALLOWING} | files).items():
        place.write_json(path, value)
    checked = Checked(place.home, {}, place.repository, place.common_dir)
    return {each.code: each.grade for each in checks(checked)}


def allowing(*rules: str) -> Files:
    return {"permissions": {"allow": rules}}


ALLOWING = allowing(*TOOLS)


@every_row(
    ("project", "files", "is_declined"),
    [
        ({}, {}, False),
        ({}, {SHARED: {"disabledMcpjsonServers": [SERVER]}}, True),
        ({"disabledMcpServers": [SERVER]}, {}, True),
        ({"mcpServers": {SERVER: {}}}, {}, False),
    ],
)
def test_a_server_that_the_user_declined_is_named(
    place: Place, project: Any, files: Files, is_declined: bool
) -> None:
    known = {"~/.claude.json": {"projects": {str(place.repository): project}}}
    expected = {"mcp-approval": "warning"} if is_declined else {}
    assert grades(place, files | known) == expected


def test_where_no_tool_was_called_its_own_list_is_named(healthy: Place) -> None:
    silent = healthy.found(Code.MCP_APPROVAL, CLAUDE)
    assert (silent.grade, "`claude mcp list`" in silent.mend) == (NOTE, True)
    saved_session(workspace_at(healthy.repository), Caller(CLAUDE), goal="g")
    assert Code.MCP_APPROVAL not in {each.code for each in healthy.findings()}


def test_where_it_was_never_heard_its_own_list_is_named(healthy: Place) -> None:
    shutil.rmtree(healthy.common_dir / "ocm" / "journal")
    silent = healthy.found(Code.HEARD, CLAUDE)
    assert (silent.grade, "`claude mcp list`" in silent.mend) == (NOTE, True)


@every_row(
    ("files", "is_asking"),
    [
        ({USER: {}}, True),
        ({USER: allowing(*TOOLS[:2]), LOCAL: allowing(*TOOLS[2:])}, False),
        ({USER: {}, LOCAL: allowing(f"mcp__{SERVER}__*")}, False),
        ({USER: allowing(*TOOLS[1:])}, True),
    ],
)
def test_tools_that_it_asks_about_are_noted(
    place: Place, files: Files, is_asking: bool
) -> None:
    assert grades(place, files) == ({"tools-allowed": "note"} if is_asking else {})


@every_row(
    ("values", "is_off"),
    [
        ({LOCAL: True}, True),
        ({SHARED: True, LOCAL: False}, False),
        ({SHARED: False, LOCAL: True}, True),
    ],
)
def test_hooks_can_be_turned_off_and_the_nearest_file_wins(
    place: Place, values: dict[str, bool], is_off: bool
) -> None:
    files = {path: {"disableAllHooks": value} for path, value in values.items()}
    assert grades(place, files) == ({"hooks-allowed": "problem"} if is_off else {})


@pytest.mark.parametrize("is_json", [False, True])
def test_void_settings_file_is_a_problem(healthy: Place, is_json: bool) -> None:
    file = healthy.repository / SHARED
    settings = json.loads(file.read_text())
    settings["hooks"]["Stop"].append({"type": "command", "command": "true"})
    comment = "" if is_json else "// mine\n"
    file.write_text(comment + json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.grade) == (Code.SETTINGS_FILE, PROBLEM)
    assert found.where == str(file)
