"""What `ocm init` did here before, and by what assistants have memory here now."""

from collections.abc import Iterator
from dataclasses import dataclass

from gitmem.actions.installing import everywhere
from gitmem.actions.installing.file_steps import find, noted_files
from gitmem.assistants.assistant import Rules
from gitmem.assistants.known import CONFIGURED
from gitmem.config import EVERYWHERE_SETTING
from gitmem.errors import NoPermission
from gitmem.git.config import is_on_for_all
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Form:
    """Where the hooks and servers are that serve a work tree."""

    is_project: bool
    """In files of it; they count where a client is started in its topmost folder."""
    is_user: bool
    """In the user's own settings; they count in every folder and work tree."""
    is_for_all: bool
    """Whether those serve every repository of the user."""

    @property
    def words(self) -> str:
        """A sentence without its capital and full stop."""
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
    is_user = everywhere.is_active(workspace)
    variables = workspace.environment.variables
    return Form(
        is_project=has_files(workspace),
        is_user=is_user,
        is_for_all=is_user and is_on_for_all(EVERYWHERE_SETTING, variables),
    )


def has_files(workspace: Workspace) -> bool:
    """Whether hooks or server stand in files of the work tree, of whoever."""
    return any(_has_ours(workspace))


def is_installed(workspace: Workspace) -> bool:
    """Whether it was run in this repository."""
    return bool(noted_files(workspace.repository.common_dir))


def noted_assistants(workspace: Workspace) -> list[str]:
    """Names of those in whose files it put something for this work tree."""
    root = str(workspace.root.resolve())
    noted = noted_files(workspace.repository.common_dir)
    paths = {file.path for file in noted if file.root == root}
    is_wanted = everywhere.is_wanted(workspace)
    of_user = everywhere.noted_for_user(workspace.environment) if is_wanted else []
    return [
        assistant.name
        for assistant in CONFIGURED
        if assistant.name in of_user
        or any({each.path, each.local} & paths for each in assistant.targets)
    ]


def _has_ours(workspace: Workspace) -> Iterator[bool]:
    root = workspace.root.resolve()
    for target in (target for each in CONFIGURED for target in each.targets):
        names = (target.path, target.local)
        if workspace.repository.work_tree and not isinstance(target.content, Rules):
            for name in filter(None, names):
                try:
                    yield find(root, name, {}).has_ours
                except NoPermission:
                    yield False
