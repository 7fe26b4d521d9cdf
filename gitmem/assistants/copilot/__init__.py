"""GitHub's Copilot CLI: how it is recognised, configured and started.

It also reads the server of `.mcp.json`, the hooks of Claude Code's settings and its
rules, so where those have our entries it needs none of its own. What it was seen to do
is that of version 1.0.102.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gitmem.assistants.assistant import (
    AGENTS_RULES,
    Assistant,
    Check,
    Checked,
    CommandLine,
    Hooks,
    Target,
    server,
)
from gitmem.assistants.claude_code.settings import LOCAL, SHARED
from gitmem.assistants.copilot.hooks import HOOKS, home_of

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader

# Of VS Code as well. Commands are for `bash`: one for any shell would fail on Windows,
# where a hook that fails before a tool forbids the tool.
HOOKS_TARGET = Target(
    path=".github/hooks/opencodememory.json",
    user=lambda *place: home_of(*place) / "hooks" / "opencodememory.json",
    what="Copilot CLI and VS Code run the hooks in {path}",
    content=Hooks("hooks/copilot/hooks.json"),
    served_by=(SHARED, LOCAL),
)


def _reader() -> "TranscriptReader":
    from gitmem.assistants.copilot.transcripts import COPILOT

    return COPILOT


def _checks(checked: Checked) -> Iterator[Check]:
    from gitmem.assistants.copilot.checks import checks

    return checks(checked)


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
    reader=_reader,
    checks=_checks,
    commands=("copilot",),
    folder=".copilot",
    traces=(".github/copilot", ".github/mcp.json"),
    targets=(
        Target(
            path=".github/mcp.json",
            user=lambda *place: home_of(*place) / "mcp-config.json",
            what="Copilot CLI starts the MCP server as {path} says",
            content=server("COPILOT_PROJECT_DIR"),
            served_by=(".mcp.json",),
        ),
        HOOKS_TARGET,
        AGENTS_RULES,
    ),
    lacks="to-do lists",
    asks="Copilot CLI will ask whether you trust this folder. Choose yes: in others it"
    " runs no hooks and no MCP server. `copilot -p` needs `--trust-folder`.",
)
