"""Checks of Claude Code: whether it runs the hooks and the server that are configured.

It runs those of a project only after the user has agreed, and not if a settings file
forbids it or cannot be read. In version 2.1.197 settings come from the user, the
project, the local file beside that, and whoever manages the machine; the later wins,
and lists are joined.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.actions.doctor.assistants import heard_lately
from gitmem.actions.doctor.finding import Code, Finding, note, ok, problem, warning
from gitmem.actions.installing.present import present
from gitmem.assistants.assistant import SERVER
from gitmem.assistants.claude_code.settings import (
    LOCAL,
    OFF,
    REJECTED,
    SHARED,
    JsonFile,
    asked_about,
    items,
    members,
    memory_path,
    read_json,
    refused,
    settings_path,
)
from gitmem.config import Environment
from gitmem.workspace import Workspace

_NAME, _TITLE = "claude-code", "Claude Code"
_START = "Start `claude` here once, and answer what it asks."
_OFF = ("disableAllHooks", "allowManagedHooksOnly")
_ON_MACOS = "/Library/Application Support/ClaudeCode/managed-settings.json"
_ELSEWHERE = "/etc/claude-code/managed-settings.json"


def everywhere(environment: Environment) -> Iterator[Finding]:
    """Check the user's own settings."""
    files = _settings_of(environment)
    if files[0].path.parent.exists():
        yield from _faults(files, warning)
        yield _hooks_allowed(files)


def here(workspace: Workspace) -> Iterator[Finding]:
    if _NAME not in (each.name for each in present(workspace, ())):
        return
    if workspace.repository.work_tree is None:
        yield from everywhere(workspace.environment)
        return
    files, project = _settings_in(workspace), _project_of(workspace)
    user, shared, local, managed = files
    servers = read_json(workspace.root / ".mcp.json")
    yield from _faults([shared, local, servers], problem)
    yield from _faults([user, managed, project.file], warning)
    yield _hooks_allowed(files)
    lately = heard_lately(workspace)
    yield _trust(project, is_heard=_NAME in lately.by_hooks)
    if SERVER in members(servers.values, "mcpServers") or project.has_server:
        yield _approval(files, project, has_saved=_NAME in lately.saved)
        yield _permission(files)


class _Project(NamedTuple):
    """What Claude Code remembers of a project; empty where it has never seen it."""

    file: JsonFile
    has_server: bool
    """Whether the user added our MCP server without a file in the project."""
    is_below_trusted: bool
    """Whether the user trusts it or a folder above, which hooks need."""


def _settings_of(environment: Environment) -> list[JsonFile]:
    """Those that count everywhere; the later wins."""
    user = read_json(settings_path(environment.user_home, environment.variables))
    managed = read_json(Path(_ON_MACOS if sys.platform == "darwin" else _ELSEWHERE))
    return [
        replace(user, is_trusted=True),
        replace(managed, is_trusted=True, is_managed=True),
    ]


def _settings_in(workspace: Workspace) -> list[JsonFile]:
    """Those that count in the work tree; the later wins."""
    root = workspace.root
    local, shared = read_json(root / LOCAL), read_json(root / SHARED)
    is_link = local.path.is_symlink() or local.path.parent.is_symlink()
    is_own = not is_link and not workspace.repository.tracks(LOCAL)
    user, managed = _settings_of(workspace.environment)
    return [user, shared, replace(local, is_trusted=is_own), managed]


def _project_of(workspace: Workspace) -> _Project:
    environment = workspace.environment
    file = read_json(memory_path(environment.user_home, environment.variables))
    projects = members(file.values, "projects")
    own, root = members(projects, str(_key(workspace))), workspace.root.resolve()
    around = [members(projects, str(each)) for each in (root, *root.parents)]
    return _Project(
        file=replace(file, values=own, is_trusted=True),
        has_server=any(SERVER in members(e, "mcpServers") for e in (file.values, own)),
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


def _faults(
    files: Iterable[JsonFile], make: Callable[..., Finding]
) -> Iterator[Finding]:
    for file in files:
        if file.fault:
            what = f"takes nothing from {file.path.name}: {file.fault}"
            mend = "Mend it: one mistake voids the whole file."
            yield _finding(make, Code.SETTINGS_FILE, what, mend, str(file.path))


def _hooks_allowed(files: Sequence[JsonFile]) -> Finding:
    by, name = _disabling(files)
    if by is None:
        return _finding(ok, Code.HOOKS_ALLOWED, "may run hooks, as far as settings say")
    what = f"runs none of our hooks: {name} is set"
    mend = f"Take `{name}` out of it; or overrule it with false in {LOCAL}."
    if by.is_managed:
        mend = "Whoever manages this machine has to allow them."
    return _finding(problem, Code.HOOKS_ALLOWED, what, mend, str(by.path))


def _disabling(files: Sequence[JsonFile]) -> tuple[JsonFile | None, str]:
    """The file that turns our hooks off, and by what; the managed one overrules all."""
    managed = files[-1]
    for name in _OFF:
        if managed.values.get(name) is True:
            return managed, name
    saying = [file for file in files if _OFF[0] in file.values]
    is_off = bool(saying) and saying[-1].values[_OFF[0]] is True
    return (saying[-1] if is_off else None), _OFF[0]


def _trust(project: _Project, *, is_heard: bool) -> Finding:
    """Whether hooks run here; without a terminal they do in any folder."""
    if project.is_below_trusted:
        return _finding(ok, Code.FOLDER_TRUST, "trusts this folder")
    if is_heard:
        return _finding(ok, Code.FOLDER_TRUST, "has run hooks in this folder")
    what = "does not trust this folder yet, so it runs no hooks here"
    return _finding(warning, Code.FOLDER_TRUST, what, _START, str(project.file.path))


def _approval(
    files: Sequence[JsonFile], project: _Project, *, has_saved: bool
) -> Finding:
    """Of the MCP server, which a project cannot simply have started."""
    code = Code.MCP_APPROVAL
    if SERVER in items(project.file.values, OFF):
        return _not_approved("is turned off", "Turn it on with `/mcp` in Claude Code.")
    if project.has_server:
        return _finding(ok, code, f"has the MCP server {SERVER} from the user")
    sources = [*files, project.file]
    for file in sources:
        if SERVER in items(file.values, REJECTED):
            mend = f"Take it out of `{REJECTED}` in {file.path}."
            return _not_approved("was rejected", mend)
    is_trusted = _is_trusted(project.file.values)
    counting = [file for file in sources if is_trusted or file.is_trusted]
    if any(map(_approves, counting)):
        return _finding(ok, code, f"may start the MCP server {SERVER}")
    if has_saved:
        return _finding(ok, code, f"is connected to {SERVER}: it has saved")
    return _not_approved("is not approved yet", _START)


def _approves(file: JsonFile) -> bool:
    named = items(file.values, "enabledMcpjsonServers")
    return SERVER in named or file.values.get("enableAllProjectMcpServers") is True


def _not_approved(how: str, mend: str) -> Finding:
    what = f"does not start the MCP server {SERVER}: it {how}"
    return _finding(warning, Code.MCP_APPROVAL, what, mend)


def _permission(files: Sequence[JsonFile]) -> Finding:
    """Whether our tools run without a question; `claude -p` cannot ask one."""
    code = Code.TOOLS_ALLOWED
    for file in files:
        if rules := refused(file):
            what = f"refuses gitmem's tools: {', '.join(rules)} is denied"
            mend = f"Take it out of `permissions.deny` in {file.path}."
            return _finding(warning, code, what, mend)
    if tools := ", ".join(asked_about(files)):
        what = f"asks before it runs {tools}, and refuses where it cannot ask"
        return _finding(note, code, what, "Run `ocm init --allow-tools`.")
    return _finding(ok, code, "runs gitmem's tools without asking")


def _finding(
    make: Callable[..., Finding], code: Code, what: str, mend: str = "", where: str = ""
) -> Finding:
    return make(code, f"{_TITLE} {what}", mend, _NAME, where)
