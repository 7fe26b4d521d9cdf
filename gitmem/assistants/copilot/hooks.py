"""What hooks of Copilot CLI receive, and what it reads from them.

After records of version 1.0.102. To a hook whose event has Claude Code's name it sends
Claude Code's keys and names of tools, with arguments of its own. To others it sends its
own keys, and no name of the event. It reads answers in its own form alone.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from gitmem.assistants.assistant import HookClient, HookEvent
from gitmem.assistants.claude_code.hooks import Edit, blocking, reading
from gitmem.assistants.codex.hooks import edits_of
from gitmem.assistants.payload import client_id, inner, text
from gitmem.assistants.targets import user_path
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


of_home = partial(user_path, ".copilot", "COPILOT_HOME")


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    if "hookName" in payload:  # a request for permission
        return None
    if "sessionId" in payload:
        event = next((_EVENTS[key] for key in _EVENTS if key in payload), "")
        renamed = {_KEYS.get(key, key): value for key, value in payload.items()}
        payload = {**renamed, "hook_event_name": event}
    name = client_id(payload, "session_id")
    # Below the folder of its transcripts; most events do not say where that is.
    return _read_event({**payload, "transcript_path": f"{name}/events.jsonl"})


def _is_done(payload: Mapping[str, Any]) -> bool:
    result = inner(payload, "tool_result")
    return "success" in (result.get("result_type"), result.get("resultType"))


def _edits(payload: Mapping[str, Any]) -> list[Edit]:
    """Return the files of a call: one, or those of a patch; none if it failed."""
    is_before = payload["hook_event_name"] == "PreToolUse"
    if not (is_before or _is_done(payload)):
        return []
    return edits_by(text(payload, "tool_name"), payload.get("tool_input"))


def edits_by(tool: str, arguments: object) -> list[Edit]:
    """Return the files of a call. Raises KeyError, TypeError."""
    if tool not in _EDITING:
        return []
    if isinstance(arguments, str):
        return [*edits_of(arguments)]
    change = Change.CREATED if tool in _CREATING else Change.MODIFIED
    return [(text(inner({"given": arguments}, "given"), "path"), change)]


_read_event = reading(_edits)


def _context(text: str) -> str:
    return json.dumps({"additionalContext": text})


HOOKS = HookClient(  # no call: its server finds the conversation
    "copilot",
    _read,
    brief=_context,
    nudge=blocking,
    context=lambda _, text: _context(text),
    variable="COPILOT_CLI",
    project_variable="COPILOT_PROJECT_DIR",
    keeps_brief=False,
)
