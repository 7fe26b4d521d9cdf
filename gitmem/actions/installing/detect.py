"""Which assistants there are: on this machine, in this work tree, or by name."""

import shutil
from collections.abc import Sequence

from gitmem.assistants.assistant import Assistant
from gitmem.assistants.known import ASSISTANTS, CONFIGURED, tool_named
from gitmem.errors import InvalidInput
from gitmem.workspace import Workspace


def present(workspace: Workspace, named: Sequence[str]) -> list[Assistant]:
    """The assistants to configure: those that are named, else those that are found.

    Raises InvalidInput for a name of none that we can configure.
    """
    if named:
        wanted = {_configured(name).name for name in named}
        return [each for each in CONFIGURED if each.name in wanted]
    return [each for each in CONFIGURED if _is_found(workspace, each)]


def others(workspace: Workspace) -> list[Assistant]:
    """Those on the PATH that we cannot configure."""
    return [
        each
        for each in ASSISTANTS
        if each.by_hand and _is_command(workspace, each.commands[0])
    ]


def _configured(name: str) -> Assistant:
    for each in CONFIGURED:
        if each.name == tool_named(name):
            return each
    names = ", ".join(each.name for each in CONFIGURED)
    raise InvalidInput(
        f"`ocm init` cannot configure {name!r}.",
        hint=f"It can configure {names}. The MCP server serves every assistant:"
        " `ocm init` without a name says how it is added by hand.",
    )


def _is_found(workspace: Workspace, assistant: Assistant) -> bool:
    folder = workspace.environment.user_home / assistant.folder
    traces = [workspace.root / trace for trace in assistant.traces]
    return any(each.exists() for each in (folder, *traces)) or any(
        _is_command(workspace, command) for command in assistant.commands
    )


def _is_command(workspace: Workspace, command: str) -> bool:
    path = workspace.environment.variables.get("PATH", "")
    return shutil.which(command, path=path) is not None
