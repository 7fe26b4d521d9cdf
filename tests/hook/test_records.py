"""Whatever real clients were seen to send is borne, and answered in their words."""

import json
import os
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hook.calls import (
    CLAUDE,
    COPILOT,
    Call,
    claude,
    commands_for,
    events,
    kinds,
    log_of,
    recorded,
    records,
    registered,
    run_command,
)
from support.harness import git

from gitmem.documents.event import Client
from gitmem.resources import resource

ANSWERED = {"SessionStart", "Stop", "PreToolUse"}


def with_patience(names: list[str]) -> list[str | ParameterSet]:
    """A record of two events, and the others where there is time."""
    events = {"SessionStart", "PostToolUse"}
    first = {name.partition("-")[0]: name for name in reversed(names)}
    always = [name for event, name in first.items() if event in events]
    return [
        name if name in always else pytest.param(name, marks=pytest.mark.endurance)
        for name in names
    ]


def is_known(call: Call, out: str) -> bool:
    """Whether the client that sent the event knows what to make of this output."""
    answer = json.loads(out)
    if "COPILOT_CLI" in call.variables:
        return set(answer) == {"additionalContext"}
    specific = answer["hookSpecificOutput"]
    return (
        set(answer) == {"hookSpecificOutput"}
        and specific["hookEventName"] == call.event
        and set(specific) <= {"hookEventName", "additionalContext", "updatedInput"}
    )


@pytest.mark.parametrize("name", with_patience(records(CLAUDE)))
def test_claude_code_records_work(repository: Path, launcher: Path, name: str) -> None:
    call = recorded(CLAUDE, name, repository)
    commands = list(commands_for(call)) or [f"{launcher} hook claude-code"]
    for command in commands:
        done = run_command(command, call, repository)
        assert (done.returncode, done.stderr) == (0, b"")
        out = done.stdout.decode()
        assert out == "" or (call.event in ANSWERED and is_known(call, out))
    assert log_of(repository) == ""
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.parametrize("name", with_patience(records(COPILOT)))
def test_copilot_records_are_borne(repository: Path, launcher: Path, name: str) -> None:
    """It runs the hooks of Claude Code's settings, and its own."""
    call = recorded(COPILOT, name, repository)
    commands = list(commands_for(call)) or [f"{launcher} hook copilot"]
    for command in commands:
        done = run_command(command, call, repository)
        assert (done.returncode, done.stderr) == (0, b"")
        out = done.stdout.decode()
        assert out == "" or is_known(call, out)
    assert log_of(repository) == ""


@pytest.mark.endurance
def test_conversation_is_noted_as_recorded(repository: Path, launcher: Path) -> None:
    assert launcher.exists()
    names = ("SessionStart-startup", "UserPromptSubmit", "PostToolUse-Write")
    for name in (*names, "PostToolUse-Edit", "Stop", "SessionEnd-other"):
        call = claude(name, repository)
        for command in commands_for(call):
            assert run_command(command, call, repository).returncode == 0
    seen = [each for each in kinds(repository) if each != "Heard"]  # a moment later
    assert seen == ["Start", "Found", "Prompt", "Edit", "Edit", "End"]
    [client] = (each for each in events(repository) if isinstance(each, Client))
    assert client.pid == os.getpid()


def test_work_tree_finds_launcher(
    repository: Path, launcher: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", str(linked))
    call = recorded(CLAUDE, "UserPromptSubmit", linked)
    [command] = commands_for(call)
    assert run_command(command, call, linked).returncode == 0
    assert launcher.exists()
    assert kinds(repository) == ["Start", "Prompt"]


def test_packaged_hooks_have_the_shape_assistants_read() -> None:
    for event, entries in registered().items():
        for entry in entries:
            assert set(entry) <= {"matcher", "hooks"}
            [hook] = entry["hooks"]
            assert set(hook) == {"type", "command", "timeout"}
            assert hook["type"] == "command"
            assert "ocm/run" in hook["command"]
            assert event != "SessionEnd" or hook["timeout"] > 1.5  # else cut off there
    cursor = json.loads(resource("hooks/cursor/hooks.json").read_text("utf-8"))
    assert cursor["version"] == 1
    for entry in (entry for each in cursor["hooks"].values() for entry in each):
        assert set(entry) <= {"command", "timeout", "matcher"}
        assert "ocm/run" in entry["command"]
