"""GitHub's Copilot CLI, which runs the hooks of Claude Code's settings file.

After records of version 1.0.102: Claude Code's names of events and tools, with its own
keys inside of them, and its own form of answers.
"""

import json
from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    CommandLine,
    HookClient,
    HookEvent,
    What,
)
from gitmem.assistants.claude_code import hooks as claude_code
from gitmem.assistants.payload import inner, text
from gitmem.git.values import Change


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    if payload.get("hook_event_name") == "PostToolUse":
        return _edit(payload)
    return claude_code.seen(payload)


def _edit(payload: Mapping[str, Any]) -> HookEvent | None:
    tool = text(payload, "tool_name")
    result = payload.get("tool_result")
    is_success = isinstance(result, dict) and result.get("result_type") == "success"
    if tool not in ("Write", "Edit") or not is_success:
        return None
    return claude_code.event(
        payload,
        What.EDIT,
        path=text(inner(payload, "tool_input"), "path"),
        change=Change.CREATED if tool == "Write" else Change.MODIFIED,
    )


COPILOT = Assistant(
    "copilot",
    r"copilot",
    ("github copilot", "copilot cli", "copilot"),
    title="Copilot CLI",
    session_variables=("COPILOT_AGENT_SESSION_ID",),
    command_line=CommandLine(
        ("copilot", "--resume={id}"), ("copilot", "--interactive")
    ),
    hooks=HookClient(  # no call: its server finds the conversation
        "copilot",
        _read,
        brief=lambda text: json.dumps({"additionalContext": text}),
        nudge=lambda text: json.dumps({"decision": "block", "reason": text}),
        variable="COPILOT_CLI",
        project_variable="COPILOT_PROJECT_DIR",
    ),
    commands=("copilot",),
    by_hand=f"in .github/mcp.json, a server {SERVER}: {{ocm}} serve",
)
