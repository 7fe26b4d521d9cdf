"""Whether Claude Code runs what is there, as version 2.1.197 was seen to behave."""

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest
from support.doctor import CLAUDE, ENABLED, OK, PROBLEM, SERVER, TRUSTED, WARNING, Place
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.finding import Code
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.assistant import TOOLS as OUR_TOOLS
from gitmem.assistants.assistant import Check, Checked
from gitmem.assistants.claude_code.checks import checks

TOOLS = [f"mcp__{SERVER}__{tool}" for tool in OUR_TOOLS]
USER, LOCAL = "~/.claude/settings.json", ".claude/settings.local.json"
SHARED = ".claude/settings.json"
Files = dict[str, Any]
Found = Callable[[Files, str], Check]


@pytest.fixture
def found(place: Place) -> Found:
    """What is found of a code where these are all the files with settings."""
    root = place.repository
    always: Files = {".mcp.json": {"mcpServers": {SERVER: {}}}, "~/.claude.json": {}}

    def found(files: Files, code: str) -> Check:
        for folder in (place.home, root):
            shutil.rmtree(folder / ".claude", ignore_errors=True)
        for each in (always | files).items():
            place.write_json(*each)
        checked = checks(Checked(place.home, {}, root, root))
        return next(each for each in checked if each.code == code)

    return found


def allowing(*rules: str) -> Files:
    return {"permissions": {"allow": rules}}


@every_row(
    ("project", "files", "grade", "words"),
    [
        (TRUSTED, {}, "warning", "not approved yet"),
        (TRUSTED, {SHARED: ENABLED}, "ok", "may start"),
        ({}, {SHARED: ENABLED}, "warning", "not approved yet"),
        ({}, {USER: ENABLED}, "ok", "may start"),
        (
            TRUSTED,
            {
                LOCAL: {"enableAllProjectMcpServers": True},
                SHARED: {"disabledMcpjsonServers": [SERVER]},
            },
            "warning",
            "was rejected",
        ),
        (
            TRUSTED | {"disabledMcpServers": [SERVER]},
            {LOCAL: ENABLED},
            "warning",
            "is turned off",
        ),
        ({"mcpServers": {SERVER: {}}}, {}, "ok", "from the user"),
    ],
)
def test_when_it_starts_the_server(
    place: Place, found: Found, project: Any, files: Files, grade: str, words: str
) -> None:
    known = {"~/.claude.json": {"projects": {str(place.repository): project}}}
    one = found(files | known, "mcp-approval")
    assert (one.grade, words in one.what) == (grade, True)
    assert bool(one.mend) is (grade == "warning")


def test_what_it_did_is_believed_before_what_its_settings_say(healthy: Place) -> None:
    healthy.write_json("~/.claude.json", {})
    healthy.write_json(LOCAL, {})
    trust = healthy.found(Code.FOLDER_TRUST, CLAUDE)
    assert (trust.grade, "has run hooks" in trust.what) == (OK, True)
    assert healthy.found(Code.MCP_APPROVAL, CLAUDE).grade is WARNING
    saved_session(workspace_at(healthy.repository), Caller(CLAUDE), goal="g")
    approval = healthy.found(Code.MCP_APPROVAL, CLAUDE)
    assert (approval.grade, "it has saved" in approval.what) == (OK, True)


@every_row(
    ("files", "grade", "words"),
    [
        ({}, "note", "asks before it runs ocm__checkpoint, ocm__search_sessions"),
        (
            {USER: allowing(*TOOLS[:2]), LOCAL: allowing(*TOOLS[2:])},
            "ok",
            "without asking",
        ),
        ({LOCAL: allowing(f"mcp__{SERVER}__*")}, "ok", "without asking"),
        (
            {USER: allowing(*TOOLS[1:])},
            "note",
            "asks before it runs ocm__checkpoint, and",
        ),
        (
            {USER: {"permissions": {"allow": TOOLS, "deny": TOOLS[:1]}}},
            "warning",
            TOOLS[0],
        ),
    ],
)
def test_which_tools_it_asks_about(
    found: Found, files: Files, grade: str, words: str
) -> None:
    one = found(files, "tools-allowed")
    assert (one.grade, words in one.what) == (grade, True)
    mends = {"ok": "", "note": "ocm init --allow-tools", "warning": "settings.json"}
    assert mends[grade] in one.mend


def test_hooks_run_below_a_folder_that_is_trusted(place: Place, found: Found) -> None:
    for folder, grade in ((place.repository.parent, "ok"), ("/elsewhere", "warning")):
        known = {"~/.claude.json": {"projects": {str(folder): TRUSTED}}}
        assert found(known, "folder-trust").grade == grade


@every_row(
    ("said", "grade"),
    [
        ({USER: True}, "problem"),
        ({LOCAL: True}, "problem"),
        ({USER: True, SHARED: False}, "ok"),
    ],
)
def test_hooks_can_be_turned_off_and_the_nearest_file_wins(
    found: Found, said: dict[str, bool], grade: str
) -> None:
    files = {path: {"disableAllHooks": value} for path, value in said.items()}
    assert found(files, "hooks-allowed").grade == grade


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
