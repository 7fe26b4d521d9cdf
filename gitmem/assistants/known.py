"""The assistants we know, and which of them a client, a user or a hook means."""

import re
from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import SERVER, Assistant, CommandLine, HookClient
from gitmem.assistants.claude_code import CLAUDE_CODE
from gitmem.assistants.claude_code.hooks import hooks_of_another
from gitmem.assistants.copilot import COPILOT
from gitmem.assistants.cursor import CURSOR
from gitmem.assistants.payload import text
from gitmem.assistants.vscode import VSCODE
from gitmem.documents.names import clean_client_id, clean_tool
from gitmem.errors import InvalidInput

UNKNOWN = "assistant"
"""The tool of a session whose client gave no name at all."""
PERSON = "cli"
"""The tool of a session that a person saves without an assistant."""

# Order matters: `cursor-vscode` is Cursor, and Claude in an editor is Claude. Command
# lines are those that `--help` of Codex 0.169.0, OpenCode 1.18.33 and Gemini CLI 0.61.0
# says.
ASSISTANTS = (
    CLAUDE_CODE,
    CURSOR,
    Assistant(
        "codex",
        r"codex",
        ("codex cli", "openai codex", "codex"),
        title="Codex",
        session_variables=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
        names_itself_in_shell=True,
        command_line=CommandLine(("codex", "resume", "{id}"), ("codex",)),
        commands=("codex",),
        by_hand=f"codex mcp add {SERVER} -- {{ocm}} serve",
    ),
    Assistant(
        "opencode",
        r"opencode",
        ("opencode", "open code", "open-code"),
        title="OpenCode",
        command_line=CommandLine(
            ("opencode", "--session", "{id}"),
            ("opencode", "--prompt"),
            r"ses_[0-9A-Za-z]{1,100}",
        ),
        commands=("opencode",),
        by_hand=f"in opencode.json, a local server {SERVER}: {{ocm}} serve",
    ),
    Assistant(
        "gemini-cli",
        r"gemini",
        ("gemini cli", "gemini-cli", "google gemini", "gemini"),
        title="Gemini CLI",
        session_variables=("GEMINI_SESSION_ID",),
        command_line=CommandLine(
            ("gemini", "--resume", "{id}"), ("gemini", "--prompt-interactive")
        ),
        commands=("gemini",),
        by_hand=f"in .gemini/settings.json, a server {SERVER}: {{ocm}} serve",
    ),
    COPILOT,
    Assistant(
        "windsurf",
        r"windsurf|codeium",
        ("windsurf", "codeium"),
        title="Windsurf",
        commands=("windsurf",),
        by_hand=f"in ~/.codeium/windsurf/mcp_config.json, a server {SERVER}:"
        " {ocm} serve",
    ),
    Assistant(
        "antigravity",
        r"antigravity",
        ("antigravity",),
        title="Antigravity",
        commands=("antigravity",),
        by_hand=f"in .agents/mcp_config.json, a server {SERVER}: {{ocm}} serve",
    ),
    Assistant("aider", r"\baider\b", ("aider",)),
    Assistant("cline", r"\bcline\b", ("cline",)),
    Assistant("roo-code", r"\broo\b", ("roo code", "roo-code", "roo")),
    Assistant("kilo-code", r"\bkilo\b", ("kilo code", "kilo-code", "kilocode")),
    Assistant("continue", r"^continue\b", ("continue.dev", "continue")),
    Assistant("zed", r"^zed\b", ("zed",)),
    Assistant("amp", r"^amp\b", ("amp", "ampcode")),
    Assistant("kiro", r"\bkiro\b", ("kiro",)),
    Assistant("junie", r"junie|jetbrains", ("junie", "jetbrains junie", "jetbrains")),
    Assistant("devin", r"\bdevin\b", ("devin",)),
    Assistant("goose", r"\bgoose\b", ("goose",)),
    Assistant("qwen-code", r"\bqwen\b", ("qwen code", "qwen-code")),
    Assistant("augment", r"^augment\b", ("augment code", "augment")),
    Assistant("cody", r"\bcody\b", ("cody", "sourcegraph cody")),
    Assistant("trae", r"\btrae\b", ("trae",)),
    Assistant("warp", r"^warp\b", ("warp",)),
    Assistant("droid", r"\bdroid\b", ("factory droid", "droid")),
    Assistant("crush", r"^crush\b", ("crush",)),
    Assistant("amazon-q", r"amazon.?q\b", ("amazon q", "amazon-q", "q developer")),
    VSCODE,
)

CONFIGURED = tuple(each for each in ASSISTANTS if each.targets)
SPOKEN: Mapping[str, str] = {
    word: assistant.name for assistant in ASSISTANTS for word in assistant.spoken
}
_BY_NAME = {assistant.name: assistant for assistant in ASSISTANTS}


def assistant_named(name: str) -> Assistant | None:
    return _BY_NAME.get(name)


def tool_of_client(client_name: str) -> str:
    """Return the tool for the name that an MCP client gave at `initialize`."""
    for assistant in ASSISTANTS:
        if re.search(assistant.client_pattern, client_name, re.IGNORECASE):
            return assistant.name
    try:
        return clean_tool(client_name)
    except InvalidInput:
        return UNKNOWN


def tool_named(text: str) -> str:
    """Return the tool that a person or a client names, also as people call it.

    Raises InvalidInput for text that cannot be the name of one.
    """
    return SPOKEN.get(text.strip().lower()) or clean_tool(text)


def conversation_in_environment(tool: str, variables: Mapping[str, str]) -> str | None:
    """Return the conversation's id, where the assistant's environment names it."""
    known = _BY_NAME.get(tool)
    values = (
        variables.get(name) for name in (known.session_variables if known else ())
    )
    return next(map(clean_client_id, filter(None, values)), None)


def names_itself_in_shell(tool: str) -> bool:
    """Tell whether a command that this assistant ran knows the conversation."""
    return tool in _BY_NAME and _BY_NAME[tool].names_itself_in_shell


def conversation_in_meta(meta: Mapping[str, Any]) -> str | None:
    """Return the conversation's id, where the client sends it along with a tool call.

    Codex does, as `sessionId`, or inside its turn metadata.
    """
    turn = meta.get("x-codex-turn-metadata")
    inner = turn.get("session_id") if isinstance(turn, Mapping) else None
    ids = (
        id_ for id_ in (meta.get("sessionId"), inner) if isinstance(id_, str) and id_
    )
    return next(map(clean_client_id, ids), None)


def calling(
    named: str, payload: Mapping[str, Any], variables: Mapping[str, str]
) -> HookClient:
    """Return the assistant that ran a hook of the settings file of `named`.

    Copilot, VS Code and, where its user allows it, Cursor run the hooks of Claude
    Code's file. Assistants that run inside of one another inherit each other's
    variables. So what the payload says comes first, then a variable that names this
    conversation, then one that is merely there. Raises InvalidInput for the name of an
    assistant whose hooks we do not read.
    """
    known = _BY_NAME.get(named)
    if known is None or known.hooks is None:
        raise InvalidInput(f"{named!r} is no assistant whose hooks are read.")
    if known is not CLAUDE_CODE:
        return known.hooks
    name = _by_payload(payload) or _by_variables(payload, variables)
    return _BY_NAME[name].hooks or hooks_of_another(name)


def _by_payload(payload: Mapping[str, Any]) -> str | None:
    if "conversation_id" in payload or "cursor_version" in payload:
        return CURSOR.name
    return VSCODE.name if "hookEventName" in payload else None


def _by_variables(payload: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    conversation = text(payload, "session_id")
    for assistant in ASSISTANTS:
        named = {variables.get(name, "") for name in assistant.session_variables}
        if conversation in named - {""}:
            return assistant.name
    if variables.get("COPILOT_CLI"):
        return COPILOT.name
    return CURSOR.name if variables.get("CURSOR_VERSION") else CLAUDE_CODE.name
