"""Gemini CLI: how it is recognised, configured and started."""

from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    CommandLine,
    Hooks,
    Permission,
    Rules,
    Target,
)
from gitmem.assistants.gemini.hooks import HOOKS, of_home
from gitmem.assistants.targets import names_agents, server

GEMINI = Assistant(
    "gemini-cli",
    r"gemini",
    ("gemini cli", "gemini-cli", "google gemini", "gemini"),
    title="Gemini CLI",
    session_variables=("GEMINI_SESSION_ID",),
    reads_ignored=False,
    command_line=CommandLine(
        ("gemini", "--resume", "{id}"), ("gemini", "--prompt-interactive")
    ),
    hooks=HOOKS,
    reader="gemini.transcripts:GEMINI",
    commands=("gemini",),
    folder=".gemini/tmp",
    traces=(".gemini", "GEMINI.md"),
    targets=(
        Target(
            path=".gemini/settings.json",
            user=of_home(".gemini/settings.json"),
            state="Gemini CLI runs the hooks and starts the MCP server in {path}",
            content=Hooks("hooks/gemini/settings.json", server("GEMINI_PROJECT_DIR")),
            manual_advice=f"gemini mcp add {SERVER} {{ocm}} serve",
        ),
        Target(  # a line that imports the other: Copilot CLI reads this file as well
            path="GEMINI.md",
            state="Gemini CLI reads the rules that {path} names",
            served_by=("AGENTS.md",),
            is_served=lambda root: names_agents(root / "GEMINI.md"),
            content=Rules(text="rules/gemini.md"),
        ),
        Target(
            path=".gemini/opencodememory.md",
            state="Gemini CLI is told by {path} when to save",
            served_by=("AGENTS.md",),
            is_served=lambda root: names_agents(root / "GEMINI.md"),
            content=Rules(),
        ),
    ),
    user_targets=(
        Target(
            path=f".gemini/policies/{SERVER}.toml",
            user=of_home(f".gemini/policies/{SERVER}.toml"),
            state="Gemini CLI runs gitmem's tools without asking, as {path} says",
            content=Permission(text="hooks/gemini/policy.toml"),
        ),
    ),
    asks="Gemini CLI will ask whether you trust this folder, before it runs hooks or"
    " starts servers.",
    shows="Trust the folder, when it asks or with `/permissions`; `/hooks` and `/mcp`"
    " show what it runs.",
)
