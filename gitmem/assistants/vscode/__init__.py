"""VS Code, which runs the hooks of Copilot CLI's and Claude Code's files.

After its documents on hooks of June 2026, never run. It runs them whatever their
matcher, and tells no end. Its events are Claude Code's, its tools its own; it names
conversation and event as Claude Code does, or in camel case.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import (
    AGENTS_RULES,
    SERVER,
    Assistant,
    HookClient,
    HookEvent,
    Target,
    What,
    server,
)
from gitmem.assistants.claude_code import hooks as claude_code
from gitmem.assistants.copilot import HOOKS_TARGET
from gitmem.assistants.payload import inner, items, text
from gitmem.git.values import Change

_CHANGES = {
    "create_file": Change.CREATED,
    "replace_string_in_file": Change.MODIFIED,
    "multi_replace_string_in_file": Change.MODIFIED,
    "insert_edit_into_file": Change.MODIFIED,
    "apply_patch": Change.MODIFIED,
}


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    names = {"hook_event_name": "hookEventName", "session_id": "sessionId"}
    told = {ours: payload.get(theirs) for ours, theirs in names.items()}
    payload = {**told, **payload}
    match payload["hook_event_name"]:
        case "PreToolUse":
            return _edit(payload, What.BEFORE_EDIT)
        case "PostToolUse":
            return _edit(payload, What.EDIT)
    return claude_code.seen(payload)


def _edit(payload: Mapping[str, Any], what: What) -> HookEvent | None:
    change = _CHANGES.get(text(payload, "tool_name"))
    if change is None:
        return None
    edits = _edits(inner(payload, "tool_input"), change)
    return claude_code.edit_event(payload, what, edits)


def _edits(given: Mapping[str, Any], change: Change) -> list[tuple[str, Change]]:
    """Return the files of a call. Raises KeyError, TypeError."""
    if "input" in given:
        from gitmem.assistants.codex.rollouts import edits_of

        return list(edits_of(text(given, "input")))
    parts = items(given, "replacements") if "replacements" in given else [given]
    return [(text(each, "filePath"), change) for each in parts]


def _tell(what: What, text: str) -> str:
    """Format a text before an edit; a prompt takes none."""
    if what is What.PROMPT:
        return ""
    return claude_code.specific("PreToolUse", additionalContext=text)


VSCODE = Assistant(
    "vscode",
    r"visual studio code|vscode",
    ("vs code", "vscode", "visual studio code"),
    title="VS Code",
    hooks=HookClient(  # no call: how it names the tool is not written anywhere
        "vscode",
        _read,
        brief=lambda text: claude_code.specific("SessionStart", additionalContext=text),
        nudge=lambda text: claude_code.specific("Stop", decision="block", reason=text),
        tell=_tell,
        marks=("hookEventName",),
        transcripts="GitHub.copilot-chat",
    ),
    commands=("code",),
    folder=".vscode",
    traces=(".vscode/mcp.json",),
    targets=(
        Target(
            path=".vscode/mcp.json",
            what="VS Code starts the MCP server as {path} says",
            content=server(
                "OCM_PROJECT_DIR",
                type="stdio",
                env={"OCM_PROJECT_DIR": "${workspaceFolder}"},
            )._replace(keys=("servers", SERVER)),
        ),
        HOOKS_TARGET,
        AGENTS_RULES,
    ),
    asks="VS Code will ask whether you trust this folder and its MCP server. Hooks are"
    " a preview there, and may be turned off by an organisation.",
    lacks="the end of a conversation, and the brief after a compaction",
    is_untried=True,
)
