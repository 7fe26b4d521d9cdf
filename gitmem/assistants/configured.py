"""Which files configure each assistant, and what we put there.

Facts about other programs, as data. What is put into a file that people share names no
path of any machine: it finds the launcher `ocm/run` in the repository's common dir.
What is put into the user's own settings names the one in the user's gitmem folder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitmem.assistants.user_files import (
    claude_code_memory,
    claude_code_settings,
    cursor_hooks,
)

SERVER = "opencodememory"
"""The name of the MCP server in the settings of every assistant."""
TOOLS = (
    "ocm__checkpoint",
    "ocm__search_sessions",
    "ocm__list_sessions",
    "ocm__get_session_files",
)
"""Tools that may run without a question: they save and read, and forget nothing."""
LAUNCHER = "ocm/run"
"""Where in the common dir the launcher is; entries that name it are ours."""


@dataclass(frozen=True, slots=True)
class Server:
    """The entry of the MCP server in a JSON file."""

    entry: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hooks:
    """The entries of a packaged JSON file, merged into another."""

    template: str


@dataclass(frozen=True, slots=True)
class Rules:
    """A packaged text between marks."""

    text: str
    head: str = ""
    """The packaged text that the file begins with, where it is all ours."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Rules by which tools run without a question, where the user agrees to that."""

    rules: tuple[str, ...]
    what: str
    """What is so once they are in the file at `{path}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    path: str
    """Relative to the work tree."""
    local: str = ""
    """The file for one user alone that the assistant reads as well, if there is one."""
    user: Callable[[Path, Mapping[str, str]], Path] | None = None
    """The file that it reads wherever it is started, by the user's home and variables;
    None where the content is not needed there, or could not work."""
    what: str
    """What is so once our entries are in the file at `{path}`."""
    content: Server | Hooks | Rules
    allowed: Allowed | None = None
    """What comes into the file `local`, whichever of the two has the content, and into
    that of the user."""
    by_hand: str = ""
    """What the user can do where the file shall stay as it is; `{ocm}` runs us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """An assistant that `ocm init` can configure."""

    name: str
    title: str
    commands: tuple[str, ...]
    """Programs that show that it is on this machine."""
    folder: str
    """Its folder in the user's home."""
    traces: tuple[str, ...]
    """What shows in a work tree that somebody uses it."""
    targets: tuple[Target, ...]
    asks: str = ""
    """What it will ask the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """An assistant that the user has to tell where the MCP server is."""

    title: str
    command: str
    how: str
    """`{ocm}` runs us."""


# Claude Code itself replaces `${...}` in .mcp.json, so there is none. An assistant that
# was started from a desktop may work anywhere; others do not set the variable. A clone
# may bring a bare repository along, which must not be taken for the common dir.
_SERVE = (
    'cd "${variable}" 2>/dev/null; d=.git; [ -d "$d" ] ||'
    " d=$(git -c safe.bareRepository=explicit rev-parse --git-common-dir 2>/dev/null);"
    f' exec "$d/{LAUNCHER}" serve'
)
_RULES = "rules/opencodememory.md"
_TOOLS_AT_ONCE = {"alwaysLoad": True}
"""`claude -p` waits for the server before its first request to the model, and offers
the tools of it there. In a terminal they may come with a later one."""


def _server(variable: str, **more: Any) -> Server:
    """The server of the work tree that the variable names."""
    script = _SERVE.replace("{variable}", variable)
    return Server({"command": "sh", "args": ["-c", script], **more})


_CLAUDE_CODE = Configured(
    name="claude-code",
    title="Claude Code",
    commands=("claude",),
    folder=".claude",
    traces=(".claude", ".mcp.json", "CLAUDE.md"),
    targets=(
        Target(
            path=".mcp.json",
            user=claude_code_memory,
            what="Claude Code starts the MCP server as {path} says",
            content=_server("CLAUDE_PROJECT_DIR", **_TOOLS_AT_ONCE),
            by_hand=f"claude mcp add {SERVER} -- {{ocm}} serve",
        ),
        Target(
            path=".claude/settings.json",
            local=".claude/settings.local.json",
            user=claude_code_settings,
            what="Claude Code runs the hooks in {path}",
            content=Hooks("hooks/claude-code/settings.json"),
            allowed=Allowed(
                tuple(f"mcp__{SERVER}__{tool}" for tool in TOOLS),
                what="Claude Code runs gitmem's tools without asking, as {path} says",
            ),
        ),
        Target(
            path="CLAUDE.md",
            local="CLAUDE.local.md",
            what="Claude Code is told by {path} when to save",
            content=Rules(_RULES),
        ),
    ),
    asks="Claude Code will ask whether you trust this folder, before it runs hooks, and"
    f" once whether it may start the project's MCP server {SERVER}. Choose yes:"
    " newer versions suggest no.",
)

_CURSOR = Configured(
    name="cursor",
    title="Cursor",
    commands=("cursor", "cursor-agent"),
    folder=".cursor",
    traces=(".cursor",),
    targets=(
        Target(  # the user's own could not say where the work tree is
            path=".cursor/mcp.json",
            what="Cursor starts the MCP server as {path} says",
            content=_server(
                "OCM_PROJECT_DIR", env={"OCM_PROJECT_DIR": "${workspaceFolder}"}
            ),
            by_hand=f"In ~/.cursor/mcp.json, a server {SERVER}: {{ocm}} serve",
        ),
        Target(
            path=".cursor/hooks.json",
            user=cursor_hooks,
            what="Cursor runs the hooks in {path}",
            content=Hooks("hooks/cursor/hooks.json"),
        ),
        Target(
            path=".cursor/rules/opencodememory.mdc",
            what="Cursor is told by {path} when to save",
            content=Rules(_RULES, head="rules/cursor.mdc"),
        ),
    ),
)

CONFIGURED = (_CLAUDE_CODE, _CURSOR)

BY_HAND = (
    ByHand(
        title="Codex",
        command="codex",
        how=f"codex mcp add {SERVER} -- {{ocm}} serve",
    ),
    ByHand(
        title="OpenCode",
        command="opencode",
        how=f"in opencode.json, a local server {SERVER}: {{ocm}} serve",
    ),
    ByHand(
        title="Gemini CLI",
        command="gemini",
        how=f"in .gemini/settings.json, a server {SERVER}: {{ocm}} serve",
    ),
    ByHand(
        title="Copilot CLI",
        command="copilot",
        how=f"in .github/mcp.json, a server {SERVER}: {{ocm}} serve",
    ),
    ByHand(
        title="Windsurf",
        command="windsurf",
        how=f"in ~/.codeium/windsurf/mcp_config.json, a server {SERVER}: {{ocm}} serve",
    ),
    ByHand(
        title="Antigravity",
        command="antigravity",
        how=f"in .agents/mcp_config.json, a server {SERVER}: {{ocm}} serve",
    ),
)
