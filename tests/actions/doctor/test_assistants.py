"""What `ocm doctor` finds of each assistant: entries, signs of life, and where."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.doctor import CLAUDE, NOTE, OK, PROBLEM, WARNING, Place
from support.events import event, note, now
from support.harness import git, make_repository, record
from support.installing import installed
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor import assistants
from gitmem.actions.doctor.doctor import repair_installation
from gitmem.actions.doctor.finding import INIT, Code, Finding
from gitmem.actions.installing.user_settings import Scope
from gitmem.actions.saving.conversation import Caller
from gitmem.documents.event import Connected, Edit, Start
from gitmem.documents.session.record import to_json
from gitmem.redaction.redact import seal


def test_what_is_missing_comes_by_init(healthy: Place) -> None:
    missing = {
        str(healthy.repository / path): code
        for path, code in (
            (".mcp.json", Code.MCP_ENTRY),
            (".claude/settings.json", Code.HOOK_ENTRIES),
            ("AGENTS.md", Code.RULES),
            (".claude/skills/ocm-recall/SKILL.md", Code.RULES),
        )
    }
    for path in missing:
        Path(path).unlink()
    found = healthy.grave()
    assert {each.location: each.code for each in found} == missing
    assert {each.remedy for each in found} == {INIT}
    assert all(each.message.endswith("not there") for each in found)


@pytest.mark.endurance
def test_entries_of_another_version_are_told_from_missing_ones(healthy: Place) -> None:
    file = healthy.repository / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 3
    file.write_text(json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.remedy) == (Code.HOOK_ENTRIES, INIT)
    assert "not as this version has it" in found.message


def test_hooks_of_an_older_init_are_renewed(healthy: Place) -> None:
    file = healthy.repository / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    command = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    hook = {"type": "command", "command": command.replace(" hook ", " edit ")}
    settings["hooks"]["PostToolUse"] = [{"matcher": "Edit", "hooks": [hook]}]
    file.write_text(json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.remedy) == (Code.HOOK_ENTRIES, INIT)
    [
        *repair_installation(
            workspace_at(healthy.repository, OCM_HOME=str(healthy.home / "ocm"))
        )
    ]
    assert healthy.grave() == []
    assert "PostToolUse" not in json.loads(file.read_text())["hooks"]


def test_unparsable_file_is_named_with_its_line(healthy: Place) -> None:
    healthy.write(".claude/settings.json", '{\n  "hooks": {\n    oops\n')
    for found in healthy.grave():
        assert found.grade is PROBLEM
        assert "line 3" in found.message


def test_where_no_tool_was_called_its_own_list_is_named(healthy: Place) -> None:
    silent = healthy.found(Code.MCP_APPROVAL, CLAUDE)
    assert (silent.grade, "`claude mcp list`" in silent.remedy) == (NOTE, True)
    saved_session(workspace_at(healthy.repository), Caller(CLAUDE), goal="g")
    assert Code.MCP_APPROVAL not in {each.code for each in healthy.findings()}


@pytest.mark.endurance
def test_the_newest_event_counts(healthy: Place) -> None:
    for minutes in (200, 5, 90):
        at = now() - timedelta(minutes=minutes)
        note(healthy.repository, event(Edit, at=at, client="other", path="a"))
    said = heard(healthy).message
    assert said == "Claude Code: last heard of just now"


@pytest.mark.parametrize("is_noted", [True, False])
def test_checkpoint_without_hooks_is_a_warning(healthy: Place, is_noted: bool) -> None:
    if is_noted:  # by the server
        git: dict[str, Any] = {"branch": None, "head": None, "dirty": ()}
        note(healthy.repository, event(Connected, client="unheard", at=now(), **git))
    made = record(client="unheard", at=now() + timedelta(seconds=60), goal="g")
    line = seal(made, to_json).replace("cursor", CLAUDE)
    journal = healthy.repository / ".git" / "ocm" / "journal" / "unheard.jsonl"
    with journal.open("a") as lines:
        lines.write(f"\n{line}\n")
    found = heard(healthy)
    assert found.grade is WARNING
    assert "its hooks did not" in found.message


ID = "22222222-2222-4333-8444-555555555555"


def init(place: Place, scope: Scope = Scope.REPOSITORY) -> None:
    installed(workspace_at(place.repository), scope=scope)


def reached(place: Place, about: str) -> list[Finding]:
    found = assistants.reach(workspace_at(place.repository))
    return [each for each in found if each.about == about]


def heard(place: Place) -> Finding:
    found = assistants.last_signs(workspace_at(place.repository))
    return next(each for each in found if each.about == CLAUDE)


def test_it_is_said_which_settings_are_active(healthy: Place) -> None:
    [files] = reached(healthy, "")
    assert (files.grade, "at the top of this work tree" in files.message) == (OK, True)
    init(healthy)
    [both] = reached(healthy, "")
    assert "this repository; files of this work tree do as well" in both.message
    init(healthy, Scope.ALL)
    [every] = reached(healthy, "")
    assert "in all your repositories" in every.message


@few(1, "scope", [Scope.REPOSITORY, Scope.ALL])
def test_serving_user_settings_are_well(
    healthy: Place, scope: Scope, tmp_path: Path
) -> None:
    other = Place(make_repository(tmp_path / "other"), healthy.home)
    init(healthy, scope)
    if scope is Scope.REPOSITORY:
        init(other)
    grave = {each.code for each in other.grave()}
    expected = {Code.REGISTRY, Code.COPIES, Code.GIT_HOOK}
    assert grave <= (expected if scope is Scope.ALL else set())


@pytest.mark.endurance
def test_what_is_not_well_in_the_user_settings_is_found(healthy: Place) -> None:
    init(healthy)
    settings = healthy.home / ".claude" / "settings.json"
    settings.unlink()
    (healthy.home / "ocm" / "ocm" / "run").unlink()
    grave = {(each.code, each.location) for each in healthy.grave()}
    run = str(healthy.home / "ocm" / "ocm" / "run")
    assert grave == {(Code.HOOK_ENTRIES, str(settings)), (Code.LAUNCHER, run)}
    assert all(each.is_repairable for each in healthy.grave())
    list(repair_installation(workspace_at(healthy.repository)))
    assert healthy.grave() == []


def test_branch_without_the_files_is_found(healthy: Place, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(healthy.repository, "worktree", "add", "--quiet", str(linked))
    [found] = reached(healthy, "work-trees")
    assert (found.grade, str(linked) in found.message) == (WARNING, True)
    assert "`ocm init --user`" in found.remedy
    assert healthy.grave() == [found]
    note(healthy.repository, event(Start, client=ID, at=now(), root=str(linked)))
    assert reached(healthy, "work-trees") == []
    shutil.rmtree(healthy.common_dir / "ocm" / "journal")
    init(healthy)
    assert reached(healthy, "work-trees") == []
