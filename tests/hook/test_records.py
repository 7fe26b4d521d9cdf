"""Whatever real clients were seen to send is borne, and answered in their words."""

import json
import os
from pathlib import Path

import pytest
from hook.calls import (
    CLAUDE,
    CODEX,
    COPILOT,
    GEMINI,
    Call,
    Hear,
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
from hook.launched import project_at
from support.harness import git
from support.rounds import few

from gitmem.documents.event import Client
from gitmem.resources import resource

ANSWERED = {"SessionStart", "Stop", "PreToolUse"}


def is_known(call: Call, out: str) -> bool:
    """Whether the client that sent the event knows what to make of this output."""
    answer = json.loads(out)
    if "COPILOT_CLI" in call.variables:
        return set(answer) == {"additionalContext"}
    specific = answer["hookSpecificOutput"]
    return (
        set(answer) == {"hookSpecificOutput"}
        and call.event in ANSWERED
        and specific["hookEventName"] == call.event
        and set(specific) <= {"hookEventName", "additionalContext", "updatedInput"}
    )


@few(
    2,
    ("client", "named"),
    [
        (CLAUDE, "claude-code"),
        (COPILOT, "copilot"),
        (CODEX, "codex"),
        (GEMINI, "gemini-cli"),
    ],
)
def test_records_are_borne(
    repository: Path, hear: Hear, client: str, named: str
) -> None:
    """Copilot runs the hooks of Claude Code's settings, and its own."""
    for name in records(client):
        call = recorded(client, name, repository)
        out = hear(call, named)
        assert out == "" or is_known(call, out)
    assert log_of(repository) == ""
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.endurance
def test_conversation_is_noted_as_recorded(repository: Path, launcher: Path) -> None:
    assert launcher.exists()
    names = ("SessionStart-startup", "UserPromptSubmit", "Stop", "SessionEnd-other")
    for name in names:
        call = claude(name, repository)
        for command in commands_for(call):
            assert run_command(command, call, repository).returncode == 0
    seen = [kind for kind in kinds(repository) if kind != "TranscriptRead"]  # later
    assert seen == ["Start", "WorkTreeState", "Prompt", "End"]
    [client] = (each for each in events(repository) if isinstance(each, Client))
    assert client.pid == os.getpid()


def test_work_tree_finds_launcher(repository: Path, tmp_path: Path) -> None:
    project, linked = project_at(repository), tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", str(linked))
    call = recorded(CLAUDE, "UserPromptSubmit", linked)
    [command] = commands_for(call)
    assert run_command(command, call, linked).returncode == 0
    assert json.loads(project.told.read_bytes()) == call.payload


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
