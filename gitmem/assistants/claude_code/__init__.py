"""Claude Code: how it is recognised, configured and started."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gitmem.assistants.assistant import (
    SERVER,
    TOOLS,
    Assistant,
    Check,
    Checked,
    CommandLine,
    Hooks,
    Rules,
    Target,
    server,
)
from gitmem.assistants.claude_code.hooks import HOOKS
from gitmem.assistants.claude_code.settings import (
    LOCAL,
    SHARED,
    asked_about,
    memory_path,
    paths,
    read_json,
    settings_path,
)

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader


def _reader() -> "TranscriptReader":
    from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE

    return CLAUDE_CODE


def _checks(checked: Checked) -> Iterator[Check]:
    from gitmem.assistants.claude_code.checks import checks

    return checks(checked)


def _asked_about(checked: Checked) -> list[str]:
    home, variables = checked.user_home, checked.variables
    user = settings_path(home, variables)
    files = paths(checked.root, home, variables) if checked.root else (user,)
    return asked_about(map(read_json, files))


CLAUDE_CODE = Assistant(
    "claude-code",
    r"claude",
    ("claude code", "claude-code", "claude"),
    title="Claude Code",
    session_variables=("CLAUDE_CODE_SESSION_ID",),
    names_itself_in_shell=True,
    command_line=CommandLine(("claude", "--resume", "{id}"), ("claude",)),
    hooks=HOOKS,
    reader=_reader,
    checks=_checks,
    asked_about=_asked_about,
    commands=("claude",),
    folder=".claude",
    traces=(".claude", ".mcp.json", "CLAUDE.md"),
    targets=(
        Target(
            path=".mcp.json",
            user=memory_path,
            what="Claude Code starts the MCP server as {path} says",
            # `claude -p` waits for such a server before its first request to the model,
            # and offers its tools there. In a terminal they may come later.
            content=server("CLAUDE_PROJECT_DIR", alwaysLoad=True),
            by_hand=f"claude mcp add {SERVER} -- {{ocm}} serve",
        ),
        Target(
            path=SHARED,
            local=LOCAL,
            user=settings_path,
            what="Claude Code runs the hooks in {path}",
            content=Hooks("hooks/claude-code/settings.json"),
            allow=tuple(f"mcp__{SERVER}__{tool}" for tool in TOOLS),
            what_allowed="Claude Code runs gitmem's tools without asking,"
            " as {path} says",
        ),
        Target(
            path=".claude/rules/opencodememory.md",
            local="CLAUDE.local.md",
            what="Claude Code is told by {path} when to save",
            # Its head keeps Copilot CLI from reading it, which has AGENTS.md for that.
            content=Rules(head="rules/claude-code.md"),
        ),
    ),
    skills=".claude/skills",
    asks="Claude Code will ask whether you trust this folder, before it runs hooks, and"
    f" once whether it may start the project's MCP server {SERVER}. Choose yes:"
    " newer versions suggest no.",
)
