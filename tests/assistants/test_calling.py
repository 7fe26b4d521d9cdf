"""Whose conversation it is, whoever's file the hook stands in."""

from typing import Any

import pytest
from hook.calls import CLAUDE, COPILOT, FIXTURES, recorded, records
from support.rounds import every_row

from gitmem.assistants.known import ASSISTANTS, calling_client
from gitmem.errors import InvalidInput

OTHER = "99999999-2222-4333-8444-555555555555"
OF_CLAUDE = {"CLAUDE_CODE_SESSION_ID": "one"}
IN_CLAUDE = {"CLAUDE_CODE_SESSION_ID": OTHER}
PAYLOAD = {"session_id": "one", "hook_event_name": "Stop"}
CURSOR = {"conversation_id": "one", "hook_event_name": "stop"}
VSCODE = {"sessionId": "one", "hookEventName": "Stop"}


@every_row("name", records(CLAUDE))
def test_claude_code_is_itself(name: str) -> None:
    call = recorded(CLAUDE, name, FIXTURES)
    who = calling_client("claude-code", call.payload, call.variables)
    assert who.name == "claude-code"


@every_row("name", [n for n in records(COPILOT) if "ToolUse" in n and n[0] == "P"])
def test_copilot_is_known_in_claude_codes_file(name: str) -> None:
    call = recorded(COPILOT, name, FIXTURES)
    assert calling_client("claude-code", call.payload, call.variables).name == "copilot"


@every_row(
    ("payload", "variables", "name"),
    [
        (PAYLOAD, {}, "claude-code"),
        (PAYLOAD, {"CLAUDE_CODE_SESSION_ID": "one"}, "claude-code"),
        # an older one, which does not say its conversation
        (PAYLOAD, {"CLAUDECODE": "1"}, "claude-code"),
        (PAYLOAD, {"COPILOT_CLI": "1"}, "copilot"),
        ({"sessionId": "one"}, {"COPILOT_CLI": "1"}, "copilot"),
        (PAYLOAD, {"CURSOR_VERSION": "2.0"}, "cursor"),
        (PAYLOAD, {"GEMINI_SESSION_ID": "one"}, "gemini-cli"),
        (PAYLOAD, {"CODEX_SESSION_ID": "one"}, "codex"),
        (PAYLOAD, {"CODEX_THREAD_ID": "one"}, "codex"),
        (PAYLOAD, {"GEMINI_SESSION_ID": ""}, "claude-code"),
        (CURSOR, {}, "cursor"),
        ({**PAYLOAD, "cursor_version": "2.0"}, {}, "cursor"),
        (VSCODE, {}, "vscode"),
    ],
)
def test_others_are_known_by_what_they_say(
    payload: dict[str, Any], variables: dict[str, str], name: str
) -> None:
    assert calling_client("claude-code", payload, variables).name == name


@every_row(
    ("payload", "variables", "name"),
    [
        # Copilot and Gemini CLI that Claude Code started
        (PAYLOAD, IN_CLAUDE | {"COPILOT_CLI": "1"}, "copilot"),
        (PAYLOAD, IN_CLAUDE | {"GEMINI_SESSION_ID": "one"}, "gemini-cli"),
        # Claude Code that Copilot, Cursor or Codex started
        (PAYLOAD, OF_CLAUDE | {"COPILOT_CLI": "1"}, "claude-code"),
        (PAYLOAD, OF_CLAUDE | {"CURSOR_VERSION": "2"}, "claude-code"),
        (PAYLOAD, OF_CLAUDE | {"CODEX_SESSION_ID": OTHER}, "claude-code"),
        # Cursor that Claude Code started
        (CURSOR, IN_CLAUDE | {"CLAUDECODE": "1"}, "cursor"),
        # Copilot that Cursor started
        (PAYLOAD, {"CURSOR_VERSION": "2", "COPILOT_CLI": "1"}, "copilot"),
    ],
)
def test_an_assistant_inside_of_another_is_not_taken_for_it(
    payload: dict[str, Any], variables: dict[str, str], name: str
) -> None:
    assert calling_client("claude-code", payload, variables).name == name


def test_a_file_of_its_own_needs_no_guessing() -> None:
    assert calling_client("cursor", PAYLOAD, {"COPILOT_CLI": "1"}).name == "cursor"


def test_an_assistant_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidInput):
        calling_client("nobody", PAYLOAD, {})


def test_hooks_have_the_name_of_their_assistant() -> None:
    for assistant in ASSISTANTS:
        assert assistant.hooks is None or assistant.hooks.name == assistant.name
