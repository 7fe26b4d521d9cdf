"""What is present: assistants, work trees, and what `ocm init` did before."""

import shutil
from collections import Counter
from collections.abc import Sequence

from gitmem.actions.installing import user_settings
from gitmem.actions.installing.user_files import UserFolder, read_manifest
from gitmem.assistants.assistant import Assistant
from gitmem.assistants.known import CONFIGURED, SETTINGS, tool_named
from gitmem.config import EVERYWHERE_SETTING
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.config import is_on_for_all
from gitmem.workspace import Workspace

_ASSISTANTS_OF = Counter(t.path for assistant in CONFIGURED for t in assistant.targets)
"""How many assistants a file configures."""


def assistants_to_configure(
    workspace: Workspace, names: Sequence[str]
) -> list[Assistant]:
    """Return the assistants to configure: those named, else those found.

    Raises InvalidInput for one that cannot be configured.
    """
    if names:
        tools = {_configured(name) for name in names}
        return [assistant for assistant in CONFIGURED if assistant.name in tools]
    return [assistant for assistant in CONFIGURED if _is_present(workspace, assistant)]


@frozen
class Form:
    """Where the hooks and servers of a work tree are configured."""

    is_project: bool
    is_user: bool
    is_for_all: bool

    @property
    def words(self) -> str:
        """A clause without capital and full stop."""
        whom = "all your repositories" if self.is_for_all else "this repository"
        of_user = f"your own settings give assistants memory everywhere in {whom}"
        if self.is_project and self.is_user:
            by_files = "files of this work tree do as well"
            return f"{of_user}; {by_files}, and an event counts once"
        if self.is_user:
            return of_user
        if self.is_project:
            return "files give assistants memory at the top of this work tree"
        return "nothing gives assistants memory here"


def form_of(workspace: Workspace) -> Form:
    is_user = user_settings.is_active(workspace)
    variables = workspace.environment.variables
    is_for_all = is_user and is_on_for_all(EVERYWHERE_SETTING, variables)
    return Form(has_files(workspace), is_user, is_for_all)


def has_files(workspace: Workspace) -> bool:
    if workspace.repository.work_tree is None:
        return False
    return any(map(UserFolder(workspace.root.resolve(), {}).has_ours, SETTINGS))


def is_installed(workspace: Workspace) -> bool:
    return bool(read_manifest(workspace.repository.common_dir))


def installed_assistants(workspace: Workspace) -> list[str]:
    """Return the assistants whose files `ocm init` changed for this work tree."""
    manifest = read_manifest(workspace.repository.common_dir)
    files = UserFolder(workspace.root.resolve(), manifest).installed
    paths = {file.path for file in files}
    of_user: list[str] = []
    if user_settings.is_wanted(workspace):
        of_user = user_settings.installed_for_user(workspace.environment)
    return [
        assistant.name
        for assistant in CONFIGURED
        if assistant.name in of_user
        or any(
            {target.path, target.local} & paths
            for target in assistant.targets
            if _ASSISTANTS_OF[target.path] == 1
        )
    ]


def _configured(name: str) -> str:
    tool, names = tool_named(name), [assistant.name for assistant in CONFIGURED]
    if tool in names:
        return tool
    raise InvalidInput(
        f"`ocm init` cannot configure {name!r}.",
        hint=f"It can configure {', '.join(names)}. The MCP server serves every"
        " assistant: `ocm init` without a name says how it is added by hand.",
    )


def _is_present(workspace: Workspace, assistant: Assistant) -> bool:
    environment = workspace.environment
    folder = environment.user_home / assistant.folder
    traces = [workspace.root / trace for trace in assistant.traces]
    path = environment.variables.get("PATH", "")
    programs = (shutil.which(name, path=path) for name in assistant.commands)
    return any(trace.exists() for trace in (folder, *traces)) or any(programs)
