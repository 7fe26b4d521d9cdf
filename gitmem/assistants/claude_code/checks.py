"""Checks whether Claude Code runs the hooks and the server that are configured.

It runs those of a project only after the user has agreed, and not if a settings file
forbids it or cannot be read. In version 2.1.197 settings come from the user, the
project, the local file beside that, and whoever manages the machine; the later wins,
and lists are joined.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.assistants.assistant import SERVER, Check, Checked, trust
from gitmem.assistants.claude_code.settings import (
    LOCAL,
    OF_USER,
    OFF,
    REJECTED,
    SHARED,
    JsonFile,
    asked_in,
    memory_path,
    read_json,
    refused,
)
from gitmem.assistants.targets import items, members

_OFF = ("disableAllHooks", "allowManagedHooksOnly")
_ON_MACOS = "/Library/Application Support/ClaudeCode/managed-settings.json"
_ELSEWHERE = "/etc/claude-code/managed-settings.json"


def checks(checked: Checked) -> Iterator[Check]:
    files = _settings(checked)
    if checked.root is None:
        if files[0].path.parent.exists():
            yield from _faults(files, "warning")
            yield _hooks_allowed(files)
        return
    project, (user, shared, local, managed) = _project_of(checked), files
    servers = read_json(checked.root / ".mcp.json")
    yield from _faults([shared, local, servers], "problem")
    yield from _faults([user, managed, project.file], "warning")
    yield _hooks_allowed(files)
    yield _trust(project, is_heard=checked.is_heard)
    if SERVER in members(servers.values, "mcpServers") or project.has_server:
        yield _approval(files, project, has_saved=checked.has_saved)
        yield _permission(files)


class _Project(NamedTuple):
    """What Claude Code remembers of a project; empty for a new one."""

    file: JsonFile
    has_server: bool
    """Our server is configured for the user."""
    is_below_trusted: bool
    """The folder or one above is trusted, which hooks need."""


def _settings(checked: Checked) -> list[JsonFile]:
    """Return those that count; the later wins."""
    user = read_json(OF_USER(checked.user_home, checked.variables))
    managed = read_json(Path(_ON_MACOS if sys.platform == "darwin" else _ELSEWHERE))
    user, managed = (replace(each, is_trusted=True) for each in (user, managed))
    if checked.root is None:
        return [user, managed]
    local, shared = read_json(checked.root / LOCAL), read_json(checked.root / SHARED)
    is_link = local.path.is_symlink() or local.path.parent.is_symlink()
    is_own = not is_link and not checked.tracks(LOCAL)
    return [user, shared, replace(local, is_trusted=is_own), managed]


def _project_of(checked: Checked) -> _Project:
    file = read_json(memory_path(checked.user_home, checked.variables))
    projects = members(file.values, "projects")
    own = members(projects, str(checked.main_root))
    root = (checked.root or Path()).resolve()
    around = [members(projects, str(each)) for each in (root, *root.parents)]
    return _Project(
        file=replace(file, values=own, is_trusted=True),
        has_server=any(SERVER in members(e, "mcpServers") for e in (file.values, own)),
        is_below_trusted=any(map(_is_trusted, [own, *around])),
    )


def _is_trusted(project: Mapping[str, Any]) -> bool:
    return project.get("hasTrustDialogAccepted") is True


def _faults(files: Iterable[JsonFile], grade: str) -> Iterator[Check]:
    for file in files:
        if file.fault:
            what = f"takes nothing from {file.path.name}: {file.fault}"
            mend = "Mend it: one mistake voids the whole file."
            yield Check(grade, "settings-file", what, mend, str(file.path))


def _hooks_allowed(files: Sequence[JsonFile]) -> Check:
    by, name = _disabling(files)
    if by is None:
        return Check("ok", "hooks-allowed", "may run hooks, as far as settings say")
    what = f"runs none of our hooks: {name} is set"
    mend = f"Take `{name}` out of it; or overrule it with false in {LOCAL}."
    if by is files[-1]:
        mend = "Whoever manages this machine has to allow them."
    return Check("problem", "hooks-allowed", what, mend, str(by.path))


def _disabling(files: Sequence[JsonFile]) -> tuple[JsonFile | None, str]:
    """Return the file that turns hooks off, and its setting; the managed one wins."""
    managed = files[-1]
    for name in _OFF:
        if managed.values.get(name) is True:
            return managed, name
    saying = [file for file in files if _OFF[0] in file.values]
    is_off = bool(saying) and saying[-1].values[_OFF[0]] is True
    return (saying[-1] if is_off else None), _OFF[0]


def _trust(project: _Project, *, is_heard: bool) -> Check:
    """Check the folder's trust; without a terminal, hooks run in any folder."""
    is_given = project.is_below_trusted
    if is_heard and not is_given:
        return Check("ok", "folder-trust", "has run hooks in this folder")
    so = ", so it runs no hooks here"
    return trust("claude", so, project.file.path, is_given=is_given)


def _approval(
    files: Sequence[JsonFile], project: _Project, *, has_saved: bool
) -> Check:
    """Check the approval of the MCP server, which a project needs."""
    code = "mcp-approval"
    if SERVER in items(project.file.values, OFF):
        return _not_approved("is turned off", "Turn it on with `/mcp` in Claude Code.")
    if project.has_server:
        return Check("ok", code, f"has the MCP server {SERVER} from the user")
    sources = [*files, project.file]
    for file in sources:
        if SERVER in items(file.values, REJECTED):
            mend = f"Take it out of `{REJECTED}` in {file.path}."
            return _not_approved("was rejected", mend)
    is_trusted = _is_trusted(project.file.values)
    counting = [file for file in sources if is_trusted or file.is_trusted]
    if any(map(_approves, counting)):
        return Check("ok", code, f"may start the MCP server {SERVER}")
    if has_saved:
        return Check("ok", code, f"is connected to {SERVER}: it has saved")
    mend = "Start `claude` here once, and answer what it asks."
    return _not_approved("is not approved yet", mend)


def _approves(file: JsonFile) -> bool:
    named = items(file.values, "enabledMcpjsonServers")
    return SERVER in named or file.values.get("enableAllProjectMcpServers") is True


def _not_approved(how: str, mend: str) -> Check:
    what = f"does not start the MCP server {SERVER}: it {how}"
    return Check("warning", "mcp-approval", what, mend)


def _permission(files: Sequence[JsonFile]) -> Check:
    """Check whether our tools run without a question; `claude -p` cannot ask."""
    code = "tools-allowed"
    for file in files:
        if rules := refused(file):
            what = f"refuses gitmem's tools: {', '.join(rules)} is denied"
            mend = f"Take it out of `permissions.deny` in {file.path}."
            return Check("warning", code, what, mend)
    if tools := ", ".join(asked_in(files)):
        what = f"asks before it runs {tools}, and refuses where it cannot ask"
        return Check("note", code, what, "Run `ocm init --allow-tools`.")
    return Check("ok", code, "runs gitmem's tools without asking")
