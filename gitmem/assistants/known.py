"""The assistants we know by name: what their clients and their users call them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gitmem.documents.session.identity import clean_client_id, clean_tool
from gitmem.errors import InvalidInput

UNKNOWN = "assistant"
"""The tool of a session whose client gave no name at all."""
PERSON = "cli"
"""The tool of a session that a person saves without an assistant."""


@dataclass(frozen=True, slots=True)
class Assistant:
    name: str
    """As it stands in session ids and in the `tool` of a session."""
    client_pattern: str
    """Found, ignoring case, in the name an MCP client gives itself."""
    spoken: tuple[str, ...]
    """What people call it in a query."""
    session_variables: tuple[str, ...] = ()
    """Environment variables in which it tells its children the conversation."""
    names_itself_in_shell: bool = False
    """Whether they are seen to be set in the commands that it runs."""


# Order matters: `cursor-vscode` is Cursor, and Claude in an editor is Claude.
ASSISTANTS = (
    Assistant(
        "claude-code",
        r"claude",
        ("claude code", "claude-code", "claude"),
        ("CLAUDE_CODE_SESSION_ID",),
        names_itself_in_shell=True,
    ),
    Assistant("cursor", r"cursor", ("cursor",)),
    Assistant(
        "codex",
        r"codex",
        ("codex cli", "openai codex", "codex"),
        ("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
        names_itself_in_shell=True,
    ),
    Assistant("opencode", r"opencode", ("opencode", "open code", "open-code")),
    Assistant(
        "gemini-cli",
        r"gemini",
        ("gemini cli", "gemini-cli", "google gemini", "gemini"),
        ("GEMINI_SESSION_ID",),
    ),
    Assistant(
        "copilot",
        r"copilot",
        ("github copilot", "copilot cli", "copilot"),
        ("COPILOT_AGENT_SESSION_ID",),
    ),
    Assistant("windsurf", r"windsurf|codeium", ("windsurf", "codeium")),
    Assistant("antigravity", r"antigravity", ("antigravity",)),
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
    Assistant(
        "vscode",
        r"visual studio code|vscode",
        ("vs code", "vscode", "visual studio code"),
    ),
)

SPOKEN: Mapping[str, str] = {
    word: assistant.name for assistant in ASSISTANTS for word in assistant.spoken
}


def tool_of_client(client_name: str) -> str:
    """The tool for the name that an MCP client gave at `initialize`."""
    for assistant in ASSISTANTS:
        if re.search(assistant.client_pattern, client_name, re.IGNORECASE):
            return assistant.name
    try:
        return clean_tool(client_name)
    except InvalidInput:
        return UNKNOWN


def tool_named(text: str) -> str:
    """The tool that a person or a client names, `Claude` for `claude-code` included.

    Raises InvalidInput for text that cannot be the name of one.
    """
    return SPOKEN.get(text.strip().lower()) or clean_tool(text)


def conversation_in_environment(tool: str, variables: Mapping[str, str]) -> str | None:
    """The conversation's id, where the assistant passes it on in the environment."""
    for assistant in ASSISTANTS:
        if assistant.name == tool:
            values = (variables.get(name) for name in assistant.session_variables)
            return next(map(clean_client_id, filter(None, values)), None)
    return None


def names_itself_in_shell(tool: str) -> bool:
    """Whether a command that this assistant ran knows the conversation."""
    return any(each.names_itself_in_shell for each in ASSISTANTS if each.name == tool)


def tool_of_conversation(
    client_session_id: str, variables: Mapping[str, str]
) -> str | None:
    """The assistant whose variable names this very conversation."""
    for assistant in ASSISTANTS:
        named = {variables.get(name, "") for name in assistant.session_variables}
        if client_session_id in named - {""}:
            return assistant.name
    return None


def conversation_in_meta(meta: Mapping[str, Any]) -> str | None:
    """The conversation's id, where the client sends it along with a tool call.

    Codex does, as `sessionId`, or inside its turn metadata.
    """
    return next(_ids_in_meta(meta), None)


def _ids_in_meta(meta: Mapping[str, Any]) -> Iterator[str]:
    turn = meta.get("x-codex-turn-metadata")
    inner = turn.get("session_id") if isinstance(turn, Mapping) else None
    for value in (meta.get("sessionId"), inner):
        if isinstance(value, str) and value:
            yield clean_client_id(value)
