"""What hooks of Copilot CLI receive, and what it reads from them.

After records of version 1.0.102. To a hook whose event has Claude Code's name it sends
Claude Code's keys and names of tools, with arguments of its own. To others it sends its
own keys, and no name of the event. It reads answers in its own form alone.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookClient, HookEvent, What
from gitmem.assistants.claude_code import hooks as claude_code
from gitmem.assistants.payload import client_id, inner, text
from gitmem.git.values import Change

_CREATING, _PATCHING = ("Write", "create"), ("Edit", "apply_patch")
_EDITING = (*_CREATING, *_PATCHING, "edit")
_EVENTS = {  # by a key that it alone has, the first that is there
    "toolResult": "PostToolUse",
    "toolArgs": "PreToolUse",
    "stopReason": "Stop",
    "source": "SessionStart",
    "prompt": "UserPromptSubmit",
    "trigger": "PreCompact",
    "reason": "SessionEnd",
}
_KEYS = {
    "sessionId": "session_id",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
}


def home_of(user_home: Path, variables: Mapping[str, str]) -> Path:
    return Path(variables.get("COPILOT_HOME") or user_home / ".copilot")


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    if "hookName" in payload:  # a request for permission
        return None
    if "sessionId" in payload:
        payload = _as_claude_code(payload)
    name = client_id(payload, "session_id")
    # Below the folder of its transcripts; most events do not say where that is.
    payload = {**payload, "transcript_path": f"{name}/events.jsonl"}
    match payload.get("hook_event_name"):
        case "PreToolUse":
            return _edit(payload, What.BEFORE_EDIT)
        case "PostToolUse":
            return _edit(payload, What.EDIT) if _is_done(payload) else None
    return claude_code.seen(payload)


def _as_claude_code(payload: Mapping[str, Any]) -> dict[str, Any]:
    event = next((_EVENTS[key] for key in _EVENTS if key in payload), "")
    renamed = {_KEYS.get(key, key): value for key, value in payload.items()}
    return {**renamed, "hook_event_name": event}


def _is_done(payload: Mapping[str, Any]) -> bool:
    result = inner(payload, "tool_result")
    return "success" in (result.get("result_type"), result.get("resultType"))


def _edit(payload: Mapping[str, Any], what: What) -> HookEvent | None:
    tool = text(payload, "tool_name")
    if tool not in _EDITING:
        return None
    return claude_code.edit_event(payload, what, _edits(tool, payload["tool_input"]))


def _edits(tool: str, given: object) -> list[tuple[str, Change]]:
    """Return the files of a call: one, or those of a patch."""
    if isinstance(given, dict):
        change = Change.CREATED if tool in _CREATING else Change.MODIFIED
        return [(text(given, "path"), change)]
    from gitmem.assistants.codex.rollouts import edits_of

    return list(edits_of(given)) if isinstance(given, str) else []


def _context(text: str) -> str:
    return json.dumps({"additionalContext": text})


HOOKS = HookClient(  # no call: its server finds the conversation
    "copilot",
    _read,
    brief=_context,
    nudge=lambda text: json.dumps({"decision": "block", "reason": text}),
    tell=lambda _, text: _context(text),
    variable="COPILOT_CLI",
    project_variable="COPILOT_PROJECT_DIR",
    keeps_brief=False,
)
