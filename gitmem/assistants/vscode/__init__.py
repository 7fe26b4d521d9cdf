"""VS Code, which runs the hooks of Claude Code's settings file, whatever their matcher.

After its documents on hooks of June 2026, never run. Its events are Claude Code's, with
other names for the conversation, the event and its own tools.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import Assistant, HookClient, HookEvent, What
from gitmem.assistants.claude_code import hooks as claude_code
from gitmem.assistants.payload import inner, text
from gitmem.git.values import Change

_CHANGES = {"create_file": Change.CREATED, "replace_string_in_file": Change.MODIFIED}


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    event, conversation = text(payload, "hookEventName"), text(payload, "sessionId")
    same = {**payload, "hook_event_name": event, "session_id": conversation}
    return _edit(same) if event == "PostToolUse" else claude_code.seen(same)


def _edit(payload: Mapping[str, Any]) -> HookEvent | None:
    change = _CHANGES.get(text(payload, "tool_name"))
    if change is None:
        return None
    path = text(inner(payload, "tool_input"), "filePath")
    return claude_code.event(payload, What.EDIT, path=path, change=change)


VSCODE = Assistant(
    "vscode",
    r"visual studio code|vscode",
    ("vs code", "vscode", "visual studio code"),
    hooks=HookClient(  # no call: how it names the tool is not written anywhere
        "vscode",
        _read,
        brief=lambda text: claude_code.specific("SessionStart", additionalContext=text),
        nudge=lambda text: claude_code.specific("Stop", decision="block", reason=text),
        marks=("hookEventName",),
    ),
)
