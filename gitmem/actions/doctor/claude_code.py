"""What `ocm doctor` looks at in Claude Code: whether it runs what it is configured to.

Hooks and the MCP server of a project run only once the user has said so, and not where
some settings file says no, or cannot be read.
"""

from collections.abc import Iterable, Iterator, Sequence

from gitmem.actions.doctor.assistants import heard_lately
from gitmem.actions.doctor.claude_project import (
    Project,
    project_of,
    settings_in,
    settings_of,
)
from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.actions.installing.detect import present
from gitmem.assistants.claude_settings import (
    LOCAL,
    OFF,
    REJECTED,
    JsonFile,
    asked_about,
    items,
    members,
    read_json,
    refused,
)
from gitmem.assistants.configured import SERVER
from gitmem.config import Environment
from gitmem.workspace import Workspace

_NAME, _TITLE = "claude-code", "Claude Code"
_START = "Start `claude` here once, and answer what it asks."
_OFF = ("disableAllHooks", "allowManagedHooksOnly")


def everywhere(environment: Environment) -> Iterator[Finding]:
    """What can be said outside of a repository."""
    files = settings_of(environment)
    if not files[0].path.parent.exists():
        return
    yield from _faults(files, Grade.WARNING)
    yield _hooks_allowed(files)


def here(workspace: Workspace) -> Iterator[Finding]:
    if _NAME not in (each.name for each in present(workspace, ())):
        return
    if workspace.repository.work_tree is None:
        yield from everywhere(workspace.environment)
        return
    files, project = settings_in(workspace), project_of(workspace)
    user, shared, local, managed = files
    servers = read_json(workspace.root / ".mcp.json")
    yield from _faults([shared, local, servers], Grade.PROBLEM)
    yield from _faults([user, managed, project.file], Grade.WARNING)
    yield _hooks_allowed(files)
    lately = heard_lately(workspace)
    yield _trust(project, is_heard=_NAME in lately.by_hooks)
    if SERVER in members(servers.values, "mcpServers") or SERVER in project.servers:
        yield _approval(files, project, has_saved=_NAME in lately.saved)
        yield _permission(files)


def _faults(files: Iterable[JsonFile], grade: Grade) -> Iterator[Finding]:
    for file in files:
        if file.fault:
            yield _finding(
                Code.SETTINGS_FILE,
                f"takes nothing from {file.path.name}: {file.fault}",
                "Mend it: one mistake voids the whole file.",
                grade,
                where=str(file.path),
            )


def _hooks_allowed(files: Sequence[JsonFile]) -> Finding:
    by, name = _disabling(files)
    if by is None:
        return _finding(Code.HOOKS_ALLOWED, "may run hooks, as far as settings say")
    return _finding(
        Code.HOOKS_ALLOWED,
        f"runs none of our hooks: {name} is set",
        "Whoever manages this machine has to allow them."
        if by.is_managed
        else f"Take `{name}` out of it; or overrule it with false in {LOCAL}.",
        Grade.PROBLEM,
        where=str(by.path),
    )


def _disabling(files: Sequence[JsonFile]) -> tuple[JsonFile | None, str]:
    """The file that turns our hooks off, and by what; the managed one overrules all."""
    managed = files[-1]
    for name in _OFF:
        if managed.values.get(name) is True:
            return managed, name
    saying = [file for file in files if _OFF[0] in file.values]
    is_off = bool(saying) and saying[-1].values[_OFF[0]] is True
    return (saying[-1] if is_off else None), _OFF[0]


def _trust(project: Project, *, is_heard: bool) -> Finding:
    """Whether hooks run here; without a terminal they do in any folder."""
    if project.is_below_trusted:
        return _finding(Code.FOLDER_TRUST, "trusts this folder")
    if is_heard:
        return _finding(Code.FOLDER_TRUST, "has run hooks in this folder")
    what = "was not told to trust this folder, so it runs no hooks here"
    where = str(project.file.path)
    return _finding(Code.FOLDER_TRUST, what, _START, Grade.WARNING, where=where)


def _approval(
    files: Sequence[JsonFile], project: Project, *, has_saved: bool
) -> Finding:
    """Of the MCP server, which a project cannot simply have started."""
    if SERVER in items(project.file.values, OFF):
        return _not_approved("is turned off", "Turn it on with `/mcp` in Claude Code.")
    if SERVER in project.servers:
        return _finding(Code.MCP_APPROVAL, f"has the MCP server {SERVER} from the user")
    sources = [*files, project.file]
    for file in sources:
        if SERVER in items(file.values, REJECTED):
            mend = f"Take it out of `{REJECTED}` in {file.path}."
            return _not_approved("was rejected", mend)
    counting = [file for file in sources if project.is_trusted or file.is_trusted]
    if any(map(_approves, counting)):
        return _finding(Code.MCP_APPROVAL, f"may start the MCP server {SERVER}")
    if has_saved:
        return _finding(Code.MCP_APPROVAL, f"is connected to {SERVER}: it has saved")
    return _not_approved("is not approved yet", _START)


def _permission(files: Sequence[JsonFile]) -> Finding:
    """Whether our tools run without a question, of which `-p` has nobody to ask."""
    for file in files:
        if rules := refused(file):
            what = f"refuses gitmem's tools: {', '.join(rules)} is denied"
            mend = f"Take it out of `permissions.deny` in {file.path}."
            return _finding(Code.TOOLS_ALLOWED, what, mend, Grade.WARNING)
    if tools := asked_about(files):
        return _finding(
            Code.TOOLS_ALLOWED,
            f"asks before it runs {', '.join(tools)}, and refuses where it cannot ask",
            "Run `ocm init --allow-tools`.",
            Grade.NOTE,
        )
    return _finding(Code.TOOLS_ALLOWED, "runs gitmem's tools without asking")


def _approves(file: JsonFile) -> bool:
    named = items(file.values, "enabledMcpjsonServers")
    return SERVER in named or file.values.get("enableAllProjectMcpServers") is True


def _not_approved(how: str, mend: str) -> Finding:
    what = f"does not start the MCP server {SERVER}: it {how}"
    return _finding(Code.MCP_APPROVAL, what, mend, Grade.WARNING)


def _finding(
    code: Code, what: str, mend: str = "", grade: Grade = Grade.OK, *, where: str = ""
) -> Finding:
    return Finding(
        code=code,
        grade=grade,
        about=_NAME,
        what=f"{_TITLE} {what}",
        where=where,
        mend=mend,
    )
