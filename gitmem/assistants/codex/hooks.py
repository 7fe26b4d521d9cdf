"""What hooks of Codex receive, and what it reads from them.

After records and the schemas of version 0.169.0: Claude Code's events with tools of
its own. An answer with a key that its schema does not name counts for nothing. The
calls of our tools have the conversation's id without a hook.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import SERVER, HookClient, HookEvent, What
from gitmem.assistants.claude_code import hooks as claude_code
from gitmem.assistants.payload import inner, text

_EDITING = {"PreToolUse": What.BEFORE_EDIT, "PostToolUse": What.EDIT}
_TOLD_AT = {What.PROMPT: "UserPromptSubmit", What.BEFORE_EDIT: "PreToolUse"}


def home_of(user_home: Path, variables: Mapping[str, str]) -> Path:
    """Return the folder of the user's settings and rollouts."""
    return Path(variables.get("CODEX_HOME") or user_home / ".codex")


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    event = payload.get("hook_event_name")
    if event not in _EDITING:
        return claude_code.seen(payload)
    is_edit = payload.get("tool_name") == "apply_patch"
    return _edit(payload, _EDITING[event]) if is_edit else None


def _edit(payload: Mapping[str, Any], what: What) -> HookEvent | None:
    """Read a patch, which may change several files."""
    from gitmem.assistants.codex.rollouts import edits_of

    patch = text(inner(payload, "tool_input"), "command")
    edits = tuple(edits_of(patch))
    if not edits:
        return None
    subagent = text(payload, "agent_id", "")
    return claude_code.edit_event(payload, what, edits, subagent=subagent)


def _has_tools(
    root: Path, _: Path, user_home: Path, variables: Mapping[str, str]
) -> bool:
    folders = (root / ".codex", home_of(user_home, variables))
    return any(_names_server(folder / "config.toml") for folder in folders)


def _names_server(file: Path) -> bool:
    try:
        return SERVER in file.read_text("utf-8", "replace")
    except OSError:
        return False


HOOKS = HookClient(
    "codex",
    _read,
    brief=lambda text: claude_code.specific("SessionStart", additionalContext=text),
    nudge=lambda text: json.dumps({"decision": "block", "reason": text}),
    tell=lambda what, text: claude_code.specific(
        _TOLD_AT[what], additionalContext=text
    ),
    has_tools=_has_tools,
)
