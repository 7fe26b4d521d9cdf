"""Claude Code: how it is recognised, configured and started."""

from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    CommandLine,
    Permission,
    Rules,
    Target,
)
from gitmem.assistants.claude_code.hooks import HOOKS
from gitmem.assistants.claude_code.settings import (
    LOCAL,
    OF_USER,
    SHARED,
    TOOL_RULES,
    memory_path,
    reads_agents,
)
from gitmem.assistants.targets import hooks_in, server, server_in

CLAUDE_CODE = Assistant(
    "claude-code",
    r"claude",
    ("claude code", "claude-code", "claude"),
    title="Claude Code",
    session_variables=("CLAUDE_CODE_SESSION_ID",),
    names_itself_in_shell=True,
    command_line=CommandLine(("claude", "--resume", "{id}"), ("claude",)),
    hooks=HOOKS,
    reader="claude_code.transcripts:CLAUDE_CODE",
    commands=("claude",),
    folder=".claude",
    traces=(".claude", ".mcp.json", "CLAUDE.md"),
    targets=(
        server_in(
            ".mcp.json",
            "Claude Code",
            # `claude -p` waits for such a server before its first request to the model,
            # and offers its tools there. In a terminal they may come later.
            server("CLAUDE_PROJECT_DIR", alwaysLoad=True),
            user=memory_path,
            manual_advice=f"claude mcp add {SERVER} -- {{ocm}} serve",
        ),
        hooks_in(
            SHARED,
            "Claude Code",
            "claude-code/settings.json",
            local=LOCAL,
            user=OF_USER,
            approves=True,
        ),
        Target(
            path=".claude/rules/opencodememory.md",
            served_by=("AGENTS.md",),
            is_served=reads_agents,
            state="Claude Code is told by {path} when to save",
            # Its head keeps Copilot CLI from reading it, which has AGENTS.md for that.
            content=Rules(head="rules/claude-code.md"),
        ),
        Target(
            path=LOCAL,
            state="Claude Code runs gitmem's tools without asking, as {path} says",
            content=Permission(TOOL_RULES),
            user=OF_USER,
        ),
    ),
    skills=".claude/skills",
    asks="Claude Code will ask whether you trust this folder, before it runs hooks."
    " Choose yes: it suggests no.",
    shows="Answer what `claude` asks at its start; `claude mcp list` shows the server,"
    " `/hooks` the hooks.",
)
