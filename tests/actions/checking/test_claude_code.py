"""Whether Claude Code runs what is there, as version 2.1.197 was seen to behave."""

import json
from pathlib import Path
from typing import Any

import pytest
from examining import (
    CLAUDE,
    ENABLED,
    OK,
    PROBLEM,
    SERVER,
    TRUSTED,
    WARNING,
    Place,
)
from harness import git

from gitmem.model.finding import Code, Grade


@pytest.mark.parametrize(
    ("project", "files", "grade", "words"),
    [
        (TRUSTED, {}, WARNING, "not approved yet"),
        (TRUSTED, {"settings.json": ENABLED}, OK, "may start"),
        ({}, {"settings.json": ENABLED}, WARNING, "not approved yet"),
        ({}, {"settings.local.json": ENABLED}, OK, "may start"),
        ({}, {"~": ENABLED}, OK, "may start"),
        (
            TRUSTED,
            {"settings.local.json": {"enableAllProjectMcpServers": True}},
            OK,
            "may start",
        ),
        (
            TRUSTED,
            {
                "settings.local.json": {"enableAllProjectMcpServers": True},
                "settings.json": {"disabledMcpjsonServers": [SERVER]},
            },
            WARNING,
            "was rejected",
        ),
        (TRUSTED | ENABLED, {}, OK, "may start"),
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


def test_a_local_file_that_git_tracks_approves_nothing_by_itself(
    healthy: Place,
) -> None:
    healthy.write_json("~/.claude.json", {})
    assert healthy.found(Code.MCP_APPROVAL, CLAUDE).grade is OK
    git(healthy.repository, "add", "--force", ".claude/settings.local.json")
    assert healthy.found(Code.MCP_APPROVAL, CLAUDE).grade is WARNING


def test_hooks_run_below_a_folder_that_is_trusted(healthy: Place) -> None:
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
        (None, True, None, PROBLEM),
        (None, None, True, PROBLEM),
        (True, None, False, OK),
        (True, False, None, OK),
        (False, None, None, OK),
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


@pytest.mark.parametrize(
    "spoilt",
    [
        "// mine\n{whole}",
        '{{"Stop": [{{"type": "command", "command": "true"}}], {rest}',
        '{{"hooks": 3, {rest}',
    ],
)
def test_what_voids_its_whole_settings_file_is_a_problem(
    healthy: Place, spoilt: str
) -> None:
    file = healthy.repository / ".claude" / "settings.json"
    whole = file.read_text()
    if spoilt.startswith("//"):
        file.write_text(f"// mine\n{whole}")
    else:
        settings = json.loads(whole)
        settings["hooks"]["Stop"].append({"type": "command", "command": "true"})
        file.write_text(json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.grade) == (Code.SETTINGS_FILE, PROBLEM)
    assert found.where == str(file)


def test_its_folder_may_be_elsewhere(healthy: Place, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".claude.json").write_text("{}")
    elsewhere = str(tmp_path / "elsewhere")
    found = healthy.found(Code.FOLDER_TRUST, CLAUDE, CLAUDE_CONFIG_DIR=elsewhere)
    assert found.grade is WARNING
