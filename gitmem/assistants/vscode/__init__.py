"""VS Code, which runs the hooks of Copilot CLI's and Claude Code's files.

After its documents on hooks of June 2026, never run. It runs them whatever their
matcher, and tells no end. Its events are Claude Code's, its tools its own; it names
conversation and event as Claude Code does, or in camel case.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import SERVER, Assistant, EventKind, HookEvent
from gitmem.assistants.claude_code.hooks import (
    Edit,
    hook_output,
    hooks_of_another,
    reading,
)
from gitmem.assistants.codex.hooks import edits_of
from gitmem.assistants.copilot import HOOKS_TARGET
from gitmem.assistants.payload import inner, items, text
from gitmem.assistants.targets import AGENTS_RULES, server, server_in
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
    snake_case = {ours: payload.get(theirs) for ours, theirs in names.items()}
    return _read_event({**snake_case, **payload})


def _edits(payload: Mapping[str, Any]) -> list[Edit]:
    change = _CHANGES.get(text(payload, "tool_name"))
    if change is None:
        return []
    arguments = inner(payload, "tool_input")
    if "input" in arguments:
        return [*edits_of(text(arguments, "input"))]
    has_parts = "replacements" in arguments
    parts = items(arguments, "replacements") if has_parts else [arguments]
    return [(text(part, "filePath"), change) for part in parts]


_read_event = reading(_edits)


VSCODE = Assistant(
    "vscode",
    r"visual studio code|vscode",
    ("vs code", "vscode", "visual studio code"),
    title="VS Code",
    hooks=hooks_of_another(
        "vscode",
        read=_read,
        nudge=lambda text: hook_output("Stop", decision="block", reason=text),
        call=lambda _: "",  # how it names the tool is not written anywhere
        context=lambda kind, text: (  # a prompt takes none
            hook_output("PreToolUse", additionalContext=text)
            if kind in (EventKind.BEFORE_EDIT, EventKind.READ)
            else ""
        ),
        project_variable="",
        marks=("hookEventName",),
        transcripts="GitHub.copilot-chat",
    ),
    commands=("code",),
    folder=".vscode",
    traces=(".vscode/mcp.json",),
    targets=(
        server_in(
            ".vscode/mcp.json",
            "VS Code",
            server(
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
    is_untried=True,
)
