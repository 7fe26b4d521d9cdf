"""What Claude Code is told by its settings, and what it remembers of a project.

Where it keeps what, and what counts, was seen with version 2.1.197. Settings come from
the user, the project, the local file beside that, and whoever manages the machine; the
later wins, and lists are put together. They are strict JSON, and one mistake voids the
whole file, without a word where there is no terminal.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gitmem.config import Environment
from gitmem.workspace import Workspace

LOCAL = ".claude/settings.local.json"

_SHARED = ".claude/settings.json"
_ON_MACOS = "/Library/Application Support/ClaudeCode/managed-settings.json"
_ELSEWHERE = "/etc/claude-code/managed-settings.json"
_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class JsonFile:
    """As Claude Code reads it; without values and fault where there is none."""

    path: Path
    values: Mapping[str, Any]
    fault: str = ""
    """Why Claude Code takes nothing from it."""
    is_trusted: bool = False
    """Whether it counts in a folder that the user does not trust yet."""
    is_managed: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """What Claude Code remembers of a project; empty where it has never seen it."""

    file: JsonFile
    """Where it does, with what it has of this project."""
    servers: frozenset[str]
    """MCP servers that the user added without a file in the project."""
    is_trusted: bool
    """Whether the user trusts this folder, which MCP servers of a project need."""
    is_below_trusted: bool
    """Whether the user trusts it or one above, which hooks need."""


def settings_of(environment: Environment) -> list[JsonFile]:
    """Those that count everywhere; the later wins."""
    user = read_json(_folder(environment) / "settings.json")
    managed = read_json(Path(_ON_MACOS if sys.platform == "darwin" else _ELSEWHERE))
    return [
        replace(user, is_trusted=True),
        replace(managed, is_trusted=True, is_managed=True),
    ]


def settings_in(workspace: Workspace) -> list[JsonFile]:
    """Those that count in the work tree; the later wins."""
    root = workspace.root
    local, shared = read_json(root / LOCAL), read_json(root / _SHARED)
    is_link = local.path.is_symlink() or local.path.parent.is_symlink()
    is_own = not is_link and not workspace.repository.tracks(LOCAL)
    user, managed = settings_of(workspace.environment)
    return [user, shared, replace(local, is_trusted=is_own), managed]


def project_of(workspace: Workspace) -> Project:
    file = read_json(_memory_path(workspace.environment))
    projects = members(file.values, "projects")
    own, root = members(projects, str(_key(workspace))), workspace.root.resolve()
    servers = *members(file.values, "mcpServers"), *members(own, "mcpServers")
    around = [members(projects, str(each)) for each in (root, *root.parents)]
    return Project(
        file=replace(file, values=own, is_trusted=True),
        servers=frozenset(servers),
        is_trusted=_is_trusted(own),
        is_below_trusted=any(map(_is_trusted, [own, *around])),
    )


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


def members(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Those of the object under `key`; none where there is another thing."""
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def items(values: Mapping[str, Any], key: str) -> list[Any]:
    """Those of the list under `key`; none where there is another thing."""
    found = values.get(key)
    return found if isinstance(found, list) else []


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


def _folder(environment: Environment) -> Path:
    named = environment.variables.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else environment.user_home / ".claude"


def _memory_path(environment: Environment) -> Path:
    older = _folder(environment) / ".config.json"
    if older.exists():
        return older
    named = environment.variables.get("CLAUDE_CONFIG_DIR")
    return Path(named or environment.user_home) / ".claude.json"


def _key(workspace: Workspace) -> Path:
    """The top of the main work tree, also for linked ones."""
    repository = workspace.repository
    common_dir = repository.common_dir.resolve()
    if repository.git_dir.resolve() == common_dir:
        return workspace.root.resolve()
    return common_dir.parent if common_dir.name == ".git" else common_dir


def _is_trusted(project: Mapping[str, Any]) -> bool:
    return project.get("hasTrustDialogAccepted") is True
