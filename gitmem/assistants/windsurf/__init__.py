"""Windsurf (Devin Desktop): how it is configured, and what its hooks receive.

After its documents, never run. None of its events begins or ends a conversation, and
its model reads nothing that a hook prints.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import (
    AGENTS_RULES,
    TURN,
    Assistant,
    HookClient,
    HookEvent,
    Hooks,
    Target,
    What,
    server,
)
from gitmem.assistants.payload import client_id, inner, text


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    match text(payload, "agent_action_name"):
        case "pre_user_prompt":
            prompt = text(inner(payload, "tool_info"), "user_prompt")
            return _event(payload, What.PROMPT, prompt=prompt, source=TURN)
        case "post_write_code":
            path = text(inner(payload, "tool_info"), "file_path")
            return _event(payload, What.EDIT, path=path)
        case "post_cascade_response":
            said = text(inner(payload, "tool_info"), "response", "")
            return _event(payload, What.TURN_END, last_answer=said)
    return None


def _event(payload: Mapping[str, Any], what: What, **values: Any) -> HookEvent:
    """Return an event in the folder of the hook, which is the work tree's."""
    client_session_id = client_id(payload, "trajectory_id")
    return HookEvent(what=what, client_session_id=client_session_id, **values)


WINDSURF = Assistant(
    "windsurf",
    r"windsurf|codeium",
    ("windsurf", "codeium", "devin desktop"),
    title="Windsurf",
    hooks=HookClient("windsurf", _read, brief=lambda _: "", nudge=lambda _: ""),
    commands=("windsurf",),
    folder=".codeium/windsurf",
    traces=(".windsurf", ".windsurfrules"),
    targets=(
        Target(
            path=".windsurf/hooks.json",
            user=lambda home, _: home / ".codeium" / "windsurf" / "hooks.json",
            what="Windsurf runs the hooks in {path}",
            content=Hooks("hooks/windsurf/hooks.json"),
        ),
        AGENTS_RULES,
    ),
    user_targets=(
        Target(
            path="mcp_config.json",
            user=lambda home, _: home / ".codeium" / "windsurf" / "mcp_config.json",
            what="Windsurf starts the MCP server as {path} says",
            content=server("OCM_PROJECT_DIR"),
        ),
    ),
    asks="Windsurf reads MCP servers from your own settings alone; to add ours:"
    " `ocm init --user --assistant windsurf`.",
    lacks="the brief and the reminder, compactions, the end of a conversation, and MCP"
    " servers of a project",
    is_untried=True,
)
