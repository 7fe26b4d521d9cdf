"""Windsurf (Devin Desktop): how it is configured, and what its hooks receive.

After its documents, never run. None of its events begins or ends a conversation, and
its model reads nothing that a hook prints.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import TURN, Assistant, EventKind, HookClient
from gitmem.assistants.payload import Keys, Read, by_name, inner, text
from gitmem.assistants.targets import (
    AGENTS_RULES,
    hooks_in,
    server,
    server_in,
    user_path,
)

_event = Keys("trajectory_id").event  # in the folder of the hook, the work tree's


def _tool_info(payload: Mapping[str, Any], key: str, default: str | None = None) -> str:
    return text(inner(payload, "tool_info"), key, default)


_EVENTS: Mapping[str, Read] = {
    "pre_user_prompt": lambda p: _event(
        p, EventKind.PROMPT, prompt=_tool_info(p, "user_prompt"), source=TURN
    ),
    "post_write_code": lambda p: _event(
        p, EventKind.EDIT, path=_tool_info(p, "file_path")
    ),
    "post_cascade_response": lambda p: _event(
        p, EventKind.TURN_END, last_answer=_tool_info(p, "response", "")
    ),
}


WINDSURF = Assistant(
    "windsurf",
    r"windsurf|codeium",
    ("windsurf", "codeium", "devin desktop"),
    title="Windsurf",
    hooks=HookClient(
        "windsurf",
        by_name("agent_action_name", _EVENTS),
        brief=lambda _: "",
        nudge=lambda _: "",
    ),
    commands=("windsurf",),
    folder=".codeium/windsurf",
    traces=(".windsurf", ".windsurfrules"),
    targets=(
        hooks_in(
            ".windsurf/hooks.json",
            "Windsurf",
            "windsurf/hooks.json",
            user=user_path(".codeium/windsurf/hooks.json"),
        ),
        AGENTS_RULES,
    ),
    user_targets=(
        server_in(
            "mcp_config.json",
            "Windsurf",
            server("OCM_PROJECT_DIR"),
            user=user_path(".codeium/windsurf/mcp_config.json"),
        ),
    ),
    asks="Windsurf reads MCP servers from your own settings alone; to add ours:"
    " `ocm init --user --assistant windsurf`.",
    is_untried=True,
)
