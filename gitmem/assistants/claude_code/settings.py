"""The settings files of Claude Code, as seen with versions 2.1.197 and 2.1.330."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from gitmem.assistants.assistant import SERVER, TOOLS
from gitmem.assistants.targets import names_agents, user_path

LOCAL = ".claude/settings.local.json"
SHARED = ".claude/settings.json"
TOOL_RULES = tuple(f"mcp__{SERVER}__{tool}" for tool in TOOLS)
"""The rules that name our tools."""

of_folder = partial(user_path, ".claude", "CLAUDE_CONFIG_DIR")
OF_USER = of_folder("settings.json")
"""The user's own settings, which count in every folder."""
_RULES = ("CLAUDE.md", "CLAUDE.local.md")


def reads_agents(root: Path) -> bool:
    """Tell whether AGENTS.md is read there, as versions from 2.1.330 on do.

    They do not beside rules of their own, unless those import it.
    """
    above = (folder / name for folder in (root, *root.parents) for name in _RULES)
    rules = [path for path in (*above, root / ".claude/CLAUDE.md") if path.exists()]
    return not rules or any(map(names_agents, rules))


def memory_path(user_home: Path, variables: Mapping[str, str]) -> Path:
    """Return the file in which it remembers projects, and has the user's servers."""
    older = of_folder(".config.json")(user_home, variables)
    if older.exists():
        return older
    return Path(variables.get("CLAUDE_CONFIG_DIR") or user_home) / ".claude.json"
