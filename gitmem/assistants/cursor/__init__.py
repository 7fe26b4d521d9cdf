"""Cursor: how it is configured, and what its hooks receive and answer.

After its documents, never run. When it runs the hooks of Claude Code's settings file,
it may use that one's names of events, so case is ignored.
"""

import json
from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    CommandLine,
    EventKind,
    HookClient,
    HookEvent,
)
from gitmem.assistants.payload import Keys, Read, inner, reads_in, text
from gitmem.assistants.targets import (
    AGENTS_RULES,
    hooks_in,
    server,
    server_in,
    user_path,
)

CHECKPOINT = "MCP:ocm__checkpoint"
_KEYS = Keys("conversation_id", "workspace_roots")


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    read = _EVENTS.get(text(payload, "hook_event_name").lower())
    return read(payload) if read else None


def _event(payload: Mapping[str, Any], kind: EventKind, **values: Any) -> HookEvent:
    keys = _KEYS if _KEYS.id in payload else _KEYS._replace(id="session_id")
    return keys.event(payload, kind, **values)


def _tool_use(payload: Mapping[str, Any]) -> HookEvent | None:
    """Read an edit, which without a window only the tool reports, or a read."""
    name, arguments = text(payload, "tool_name"), inner(payload, "tool_input")
    if name in ("Read", "Shell") and (reads := reads_in(arguments)):
        return _event(payload, EventKind.READ, reads=reads)
    if name != "Write":
        return None
    return _event(payload, EventKind.EDIT, path=text(arguments, "file_path"))


def _call(payload: Mapping[str, Any]) -> HookEvent | None:
    if text(payload, "tool_name") != CHECKPOINT:
        return None
    return _event(payload, EventKind.CALL, arguments=inner(payload, "tool_input"))


def _turn_end(payload: Mapping[str, Any]) -> HookEvent | None:
    if text(payload, "status", "completed") != "completed":
        return None
    return _event(
        payload, EventKind.TURN_END, is_answer=bool(payload.get("loop_count"))
    )


_EVENTS: Mapping[str, Read] = {
    "sessionstart": lambda p: _event(
        p, EventKind.START, source="startup"
    ),  # it never says
    "beforesubmitprompt": lambda p: _event(
        p, EventKind.PROMPT, prompt=text(p, "prompt")
    ),
    "userpromptsubmit": lambda p: _event(p, EventKind.PROMPT, prompt=text(p, "prompt")),
    "afterfileedit": lambda p: _event(p, EventKind.EDIT, path=text(p, "file_path")),
    "pretooluse": _call,
    "posttooluse": _tool_use,
    "stop": _turn_end,
    "precompact": lambda p: _event(p, EventKind.COMPACTION),
    "sessionend": lambda p: _event(p, EventKind.END),
}


CURSOR = Assistant(
    "cursor",
    r"cursor",
    ("cursor",),
    title="Cursor",
    command_line=CommandLine(("cursor-agent", "--resume", "{id}"), ("cursor-agent",)),
    hooks=HookClient(
        "cursor",
        _read,
        brief=lambda text: json.dumps({"additional_context": text}),
        nudge=lambda text: json.dumps({"followup_message": text}),
        call=lambda arguments: json.dumps({"updated_input": dict(arguments)}),
        context=lambda kind, text: (  # a prompt takes none
            json.dumps({"additional_context": text}) if kind is EventKind.READ else ""
        ),
        marks=("conversation_id", "cursor_version"),
        variable="CURSOR_VERSION",
        project_variable="CURSOR_PROJECT_DIR",
    ),
    commands=("cursor", "cursor-agent"),
    folder=".cursor",
    traces=(".cursor",),
    targets=(
        server_in(  # the user's own could not say where the work tree is
            ".cursor/mcp.json",
            "Cursor",
            server("OCM_PROJECT_DIR", env={"OCM_PROJECT_DIR": "${workspaceFolder}"}),
            manual_advice=f"In ~/.cursor/mcp.json, a server {SERVER}: {{ocm}} serve",
        ),
        hooks_in(
            ".cursor/hooks.json",
            "Cursor",
            "cursor/hooks.json",
            user=user_path(".cursor/hooks.json"),
        ),
        AGENTS_RULES,
    ),
    is_untried=True,
)
