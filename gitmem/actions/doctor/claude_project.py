"""What Claude Code is told by its settings, and what it remembers of a project.

Where it keeps what, and what counts, was seen with version 2.1.197. Settings come from
the user, the project, the local file beside that, and whoever manages the machine; the
later wins, and lists are put together.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gitmem.assistants.claude_settings import (
    LOCAL,
    SHARED,
    JsonFile,
    members,
    read_json,
)
from gitmem.assistants.user_files import claude_code_memory, claude_code_settings
from gitmem.config import Environment
from gitmem.workspace import Workspace

_ON_MACOS = "/Library/Application Support/ClaudeCode/managed-settings.json"
_ELSEWHERE = "/etc/claude-code/managed-settings.json"


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
    user = read_json(claude_code_settings(environment.user_home, environment.variables))
    managed = read_json(Path(_ON_MACOS if sys.platform == "darwin" else _ELSEWHERE))
    return [
        replace(user, is_trusted=True),
        replace(managed, is_trusted=True, is_managed=True),
    ]


def settings_in(workspace: Workspace) -> list[JsonFile]:
    """Those that count in the work tree; the later wins."""
    root = workspace.root
    local, shared = read_json(root / LOCAL), read_json(root / SHARED)
    is_link = local.path.is_symlink() or local.path.parent.is_symlink()
    is_own = not is_link and not workspace.repository.tracks(LOCAL)
    user, managed = settings_of(workspace.environment)
    return [user, shared, replace(local, is_trusted=is_own), managed]


def project_of(workspace: Workspace) -> Project:
    environment = workspace.environment
    file = read_json(claude_code_memory(environment.user_home, environment.variables))
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


def _key(workspace: Workspace) -> Path:
    """The top of the main work tree, also for linked ones."""
    repository = workspace.repository
    common_dir = repository.common_dir.resolve()
    if repository.git_dir.resolve() == common_dir:
        return workspace.root.resolve()
    return common_dir.parent if common_dir.name == ".git" else common_dir


def _is_trusted(project: Mapping[str, Any]) -> bool:
    return project.get("hasTrustDialogAccepted") is True
