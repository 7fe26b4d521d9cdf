"""What each assistant says, in our words; and our words in what each reads.

Claude Code and Copilot are read from records of the real clients (tests/hook). Cursor's
and VS Code's payloads are made after their documents, as those of tests/fixtures that
are named so.
"""

import json
from dataclasses import replace
from typing import Any

from support.rounds import every_row

from gitmem.assistants.assistant import EventKind, HookClient, HookEvent
from gitmem.assistants.known import ASSISTANTS

HOOKS = {each.name: each.hooks for each in ASSISTANTS if each.hooks}
LISTENED_TO = [each for each in HOOKS.values() if each.brief("b")]
HOSTILE = 'quote " backslash \\ line\nend \ud83d </private> \x00'


def seen(what: EventKind, **values: Any) -> HookEvent:
    return HookEvent(kind=what, client_session_id="c-1", folder="/project", **values)


def cursor(event: str, **values: Any) -> dict[str, Any]:
    return {
        "conversation_id": "c-1",
        "generation_id": "g-1",
        "model": "m",
        "hook_event_name": event,
        "cursor_version": "2.0.77",
        "workspace_roots": ["/project", "/other"],
        "user_email": None,
        "transcript_path": None,
        **values,
    }


def vscode(event: str, **values: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-02-09T10:30:00.000Z",
        "cwd": "/project",
        "sessionId": "c-1",
        "hookEventName": event,
        "transcript_path": "/transcript.json",
        **values,
    }


@every_row(
    ("payload", "expected"),
    [
        (
            cursor("sessionStart", session_id="c-1"),
            seen(EventKind.START, source="startup"),
        ),
        (cursor("beforeSubmitPrompt", prompt="p"), seen(EventKind.PROMPT, prompt="p")),
        (
            cursor("afterFileEdit", file_path="/project/a", edits=[]),
            seen(EventKind.EDIT, path="/project/a"),
        ),
        (
            cursor("postToolUse", tool_name="Write", tool_input={"file_path": "a"}),
            seen(EventKind.EDIT, path="a"),
        ),
        (cursor("postToolUse", tool_name="Shell", tool_input={}), None),
        (
            cursor("preToolUse", tool_name="MCP:ocm__checkpoint", tool_input={"g": 1}),
            seen(EventKind.CALL, arguments={"g": 1}),
        ),
        (cursor("preToolUse", tool_name="MCP:other", tool_input={}), None),
        (cursor("stop", status="completed", loop_count=0), seen(EventKind.TURN_END)),
        (
            cursor("stop", status="completed", loop_count=1),
            seen(EventKind.TURN_END, is_answer=True),
        ),
        (cursor("stop", status="aborted", loop_count=0), None),
        (cursor("preCompact", trigger="auto"), seen(EventKind.COMPACTION)),
        (cursor("sessionEnd", reason="window_close"), seen(EventKind.END)),
        (cursor("beforeReadFile", file_path="/project/a"), None),
        # as Claude Code's settings file names them
        (cursor("UserPromptSubmit", prompt="p"), seen(EventKind.PROMPT, prompt="p")),
        (cursor("SessionEnd"), seen(EventKind.END)),
    ],
)
def test_cursor_is_read_as_its_documents_say(
    payload: dict[str, Any], expected: HookEvent | None
) -> None:
    assert HOOKS["cursor"].read(payload) == expected


@every_row(
    ("payload", "expected"),
    [
        (vscode("SessionStart", source="new"), seen(EventKind.START, source="new")),
        (vscode("UserPromptSubmit", prompt="p"), seen(EventKind.PROMPT, prompt="p")),
        (vscode("PostToolUse", tool_name="run_in_terminal", tool_input={}), None),
        (vscode("PreToolUse", tool_name="run_in_terminal", tool_input={}), None),
        (
            vscode("Stop", stop_hook_active=True),
            seen(EventKind.TURN_END, is_answer=True),
        ),
        (vscode("PreCompact", trigger="auto"), seen(EventKind.COMPACTION)),
    ],
)
def test_vs_code_is_read_as_its_documents_say(
    payload: dict[str, Any], expected: HookEvent | None
) -> None:
    where = payload["transcript_path"]
    assert HOOKS["vscode"].read(payload) == (
        expected and replace(expected, transcript=where)
    )


@every_row(
    ("named", "known"),
    [("/kept/c-1.jsonl", "/kept/c-1.jsonl"), (None, ""), (7, ""), ([], "")],
)
def test_event_without_a_transcript_is_one(named: object, known: str) -> None:
    payload = {"hook_event_name": "SessionEnd", "session_id": "c-1", "cwd": "/project"}
    told = HOOKS["claude-code"].read({**payload, "transcript_path": named})
    assert told == seen(EventKind.END, transcript=known)


@every_row("assistant", LISTENED_TO)
def test_brief_and_nudge_arrive_as_they_were_written(assistant: HookClient) -> None:
    for answer in (assistant.brief(HOSTILE), assistant.nudge(HOSTILE)):
        assert HOSTILE in texts_in(json.loads(answer))


def texts_in(answer: dict[str, Any]) -> list[Any]:
    inner = answer.get("hookSpecificOutput", {})
    steps = [text for step in answer.get("injectSteps", ()) for text in step.values()]
    return [*answer.values(), *inner.values(), *steps]


def test_whoever_cannot_be_told_is_told_nothing() -> None:
    for assistant in (HOOKS["copilot"], HOOKS["vscode"]):
        assert assistant.call({"a": 1}) == ""


def test_a_call_goes_on_with_all_its_arguments() -> None:
    arguments = {"goal": "g", "session_id": "one"}
    claude = json.loads(HOOKS["claude-code"].call(arguments))["hookSpecificOutput"]
    assert claude == {"hookEventName": "PreToolUse", "updatedInput": arguments}
    assert json.loads(HOOKS["cursor"].call(arguments)) == {"updated_input": arguments}
