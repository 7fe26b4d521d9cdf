"""GitHub's Copilot CLI: how it is recognised, configured and started.

It also reads the server of `.mcp.json`, the hooks of Claude Code's settings and its
rules, so where those have our entries it needs none of its own. What it was seen to do
is that of version 1.0.102.
"""

from gitmem.assistants.assistant import Assistant, CommandLine, Hooks, Target
from gitmem.assistants.claude_code.settings import LOCAL, SHARED
from gitmem.assistants.copilot.hooks import HOOKS, of_home
from gitmem.assistants.targets import AGENTS_RULES, server, server_in

# Of VS Code as well. Commands are for `bash`: one for any shell would fail on Windows,
# where a hook that fails before a tool forbids the tool.
HOOKS_TARGET = Target(
    path=".github/hooks/opencodememory.json",
    user=of_home("hooks/opencodememory.json"),
    state="Copilot CLI and VS Code run the hooks in {path}",
    content=Hooks("hooks/copilot/hooks.json"),
    served_by=(SHARED, LOCAL),
)


COPILOT = Assistant(
    "copilot",
    r"copilot",
    ("github copilot", "copilot cli", "copilot"),
    title="Copilot CLI",
    session_variables=("COPILOT_AGENT_SESSION_ID",),
    command_line=CommandLine(
        ("copilot", "--resume={id}"), ("copilot", "--interactive")
    ),
    hooks=HOOKS,
    reader="copilot.transcripts:COPILOT",
    commands=("copilot",),
    folder=".copilot",
    traces=(".github/copilot", ".github/mcp.json"),
    targets=(
        server_in(
            ".github/mcp.json",
            "Copilot CLI",
            server("COPILOT_PROJECT_DIR"),
            user=of_home("mcp-config.json"),
            served_by=(".mcp.json",),
        ),
        HOOKS_TARGET,
        AGENTS_RULES,
    ),
    asks="Copilot CLI will ask whether you trust this folder. Choose yes: in others it"
    " runs no hooks and no MCP server. `copilot -p` needs `--trust-folder`.",
    shows="Trust the folder when it asks; `/mcp show` shows the server.",
)
