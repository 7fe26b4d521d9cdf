"""The settings files of Claude Code.

Seen with versions 2.1.197 and 2.1.330. They are strict JSON, and one mistake voids the
whole file, silently where there is no terminal.
"""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import SERVER, TOOLS, Checked
from gitmem.assistants.targets import items, members, names_agents, of_user
from gitmem.frozen import frozen

LOCAL = ".claude/settings.local.json"
SHARED = ".claude/settings.json"
_REJECTED = "disabledMcpjsonServers"
"""Servers to which the user said no when asked."""
TOOL_RULES = {f"mcp__{SERVER}__{tool}": tool for tool in TOOLS}
"""The rules that name our tools."""
_ALL_OF_US = (f"mcp__{SERVER}", f"mcp__{SERVER}__*")
_OFF = "disabledMcpServers"
"""Servers turned off with `/mcp`."""

of_folder = partial(of_user, ".claude", "CLAUDE_CONFIG_DIR")
OF_USER = of_folder("settings.json")
"""The user's own settings, which count in every folder."""
_MOST_BYTES = 50_000_000
_RULES = ("CLAUDE.md", "CLAUDE.local.md")


@frozen
class JsonFile:
    """A file as Claude Code reads it; empty if there is none."""

    path: Path
    values: Mapping[str, Any]
    fault: str = ""
    """Why Claude Code ignores it."""


def reads_agents(root: Path) -> bool:
    """Tell whether AGENTS.md is read there, as versions from 2.1.330 on do.

    They do not beside rules of their own, unless those import it.
    """
    above = (folder / name for folder in (root, *root.parents) for name in _RULES)
    files = [each for each in (*above, root / ".claude/CLAUDE.md") if each.exists()]
    return not files or any(map(names_agents, files))


def memory_path(user_home: Path, variables: Mapping[str, str]) -> Path:
    """Return the file in which it remembers projects, and has the user's servers."""
    older = of_folder(".config.json")(user_home, variables)
    if older.exists():
        return older
    return Path(variables.get("CLAUDE_CONFIG_DIR") or user_home) / ".claude.json"


def paths(
    root: Path | None, user_home: Path, variables: Mapping[str, str]
) -> tuple[Path, ...]:
    """Return the settings files, those of a work tree last; the later wins."""
    of_work_tree = (root / SHARED, root / LOCAL) if root else ()
    return OF_USER(user_home, variables), *of_work_tree


def is_declined(
    root: Path, common_dir: Path, user_home: Path, variables: Mapping[str, str]
) -> bool:
    """Tell whether the user said no to our server, here or everywhere.

    The user's own server replaces a rejected one of the project.
    """
    memory = read_json(memory_path(user_home, variables))
    projects = members(memory.values, "projects")
    own = [members(projects, str(each)) for each in (root, common_dir.parent)]
    if any(SERVER in items(each, _OFF) for each in own):
        return True
    if SERVER in members(memory.values, "mcpServers"):
        return False
    settings = map(read_json, paths(root, user_home, variables))
    saying = [*own, *(each.values for each in settings)]
    return any(SERVER in items(each, _REJECTED) for each in saying)


def asked_about(checked: Checked) -> list[str]:
    files = paths(checked.root, checked.user_home, checked.variables)
    permissions = (members(read_json(file).values, "permissions") for file in files)
    allowed = [rule for each in permissions for rule in items(each, "allow")]
    is_all = any(rule in allowed for rule in _ALL_OF_US)
    missing = [tool for rule, tool in TOOL_RULES.items() if rule not in allowed]
    return [] if is_all else missing


def read_json(path: Path) -> JsonFile:
    try:
        if not path.exists():
            return JsonFile(path, {})
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return JsonFile(path, {}, "it is no file of a sensible size")
        text = path.read_text("utf-8-sig", "replace")
    except OSError as error:
        return JsonFile(path, {}, error.strerror or "it cannot be read")
    values, fault = _parsed(text)
    return JsonFile(path, values, fault)


def _parsed(text: str) -> tuple[Mapping[str, Any], str]:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        return {}, f"line {error.lineno} is no JSON, which knows no comments either"
    except (ValueError, RecursionError):
        return {}, "it is no JSON"
    if not isinstance(values, dict):
        return {}, "it is no JSON object"
    for event, groups in members(values, "hooks").items():
        if not (isinstance(groups, list) and all(map(_is_group, groups))):
            return {}, f"an entry of hooks.{event} is not shaped as one"
    return values, ""


def _is_group(value: Any) -> bool:
    match value:
        case {"hooks": [*hooks]}:
            return all(map(_is_hook, hooks))
    return False


def _is_hook(value: Any) -> bool:
    match value:
        case {"type": "command", "command": str()}:
            return True
        case {"type": str(kind)}:
            return kind != "command"
    return False
