"""Who runs a hook: the file it stands in does not say so.

Copilot, VS Code and, where its user allows it, Cursor run the hooks of Claude Code's
settings file. Assistants that run inside of one another inherit each other's variables,
so what the payload says comes first, then a variable that names this very conversation,
and only then one that is merely there.
"""

from collections.abc import Mapping
from typing import Any

from gitmem.assistants.claude_code import CLAUDE_CODE, ClaudeCode
from gitmem.assistants.copilot import COPILOT
from gitmem.assistants.cursor import CURSOR
from gitmem.assistants.known import tool_of_conversation
from gitmem.assistants.payload import text
from gitmem.assistants.protocol import Assistant
from gitmem.assistants.vscode import VSCODE
from gitmem.errors import InvalidInput

LISTENED_TO: tuple[Assistant, ...] = (CLAUDE_CODE, CURSOR, COPILOT, VSCODE)
"""Those whose hooks we read."""

_BY_NAME = {assistant.name: assistant for assistant in LISTENED_TO}


def calling(
    named: str, payload: Mapping[str, Any], variables: Mapping[str, str]
) -> Assistant:
    """The assistant that ran a hook which names the assistant `named`.

    Raises InvalidInput for the name of none whose hooks we read.
    """
    if named not in _BY_NAME:
        raise InvalidInput(f"{named!r} is no assistant whose hooks are read.")
    if named != CLAUDE_CODE.name:
        return _BY_NAME[named]
    return _by_payload(payload) or _by_variables(payload, variables)


def _by_payload(payload: Mapping[str, Any]) -> Assistant | None:
    if "conversation_id" in payload or "cursor_version" in payload:
        return CURSOR
    return VSCODE if "hookEventName" in payload else None


def _by_variables(
    payload: Mapping[str, Any], variables: Mapping[str, str]
) -> Assistant:
    name = tool_of_conversation(text(payload, "session_id"), variables)
    if name:
        return _BY_NAME.get(name) or ClaudeCode(name)
    if variables.get("COPILOT_CLI"):
        return COPILOT
    return CURSOR if variables.get("CURSOR_VERSION") else CLAUDE_CODE
