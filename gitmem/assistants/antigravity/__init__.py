"""Antigravity: how it is configured, and what its hooks receive and answer.

After its documents, and what others recorded of versions 1.0 to 1.2; never run. A hook
that it runs before a tool has to allow or to refuse that, so edits are heard of later.
The hook before each request to the model asks Python at the first one of a turn alone.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from gitmem.assistants.assistant import (
    TURN,
    Assistant,
    EventKind,
    HookClient,
    HookEvent,
)
from gitmem.assistants.payload import Keys, inner, text
from gitmem.assistants.targets import AGENTS_RULES, hooks_in, server, server_in

EDITING = ("write_to_file", "replace_file_content", "multi_replace_file_content")
_event = Keys("conversationId", "workspacePaths", "transcriptPath").event


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    """Read an event, of which only its keys tell what it is."""
    if "invocationNum" in payload:
        is_first = payload["invocationNum"] == 0  # of the turn, or the conversation
        return _event(payload, EventKind.START, source=TURN) if is_first else None
    if payload.get("toolCall"):
        return _edit(payload)
    return _event(payload, EventKind.TURN_END) if payload.get("fullyIdle") else None


def _edit(payload: Mapping[str, Any]) -> HookEvent | None:
    call = inner(payload, "toolCall")
    if text(call, "name") not in EDITING or payload.get("error"):
        return None
    path = decoded(text(inner(call, "args"), "TargetFile"))
    return _event(payload, EventKind.EDIT, path=path)


def decoded(argument: str) -> str:
    """Return an argument, which some versions encode as JSON once more."""
    if argument.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(argument))
    return argument


def _injected(message: str) -> str:
    return json.dumps({"injectSteps": [{"ephemeralMessage": message}]})


ANTIGRAVITY = Assistant(
    "antigravity",
    r"antigravity",
    ("antigravity", "agy"),
    title="Antigravity",
    hooks=HookClient(
        "antigravity",
        _read,
        brief=_injected,
        nudge=lambda text: json.dumps({"decision": "continue", "reason": text}),
    ),
    commands=("antigravity", "agy"),
    folder=".gemini/antigravity",
    traces=(".agents/hooks.json", ".agents/mcp_config.json"),
    targets=(
        server_in(".agents/mcp_config.json", "Antigravity", server("OCM_PROJECT_DIR")),
        hooks_in(".agents/hooks.json", "Antigravity", "antigravity/hooks.json"),
        AGENTS_RULES,
    ),
    reader="antigravity.transcripts:ANTIGRAVITY",
    is_untried=True,
)
