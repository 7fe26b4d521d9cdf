"""The repositories that are served, each by a name; no other is reached."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gitmem.assistants.known import without_conversations
from gitmem.config import PROJECT_VARIABLE, SERVED, Environment, read_environment
from gitmem.errors import InvalidInput, NotFound
from gitmem.server.client import Worker
from gitmem.workspace import open_workspace

REPOSITORY = "repository"
"""The parameter that names one."""
Repositories = Mapping[str, Worker]
"""Who works in each, by the name of the folder."""


def repositories_at(
    folders: Iterable[Path], environment: Environment, *, is_opt_in: bool = False
) -> Repositories:
    """Return the repositories around the folders.

    Raises NotARepository, and InvalidInput for two of one name.
    """
    workspaces = [
        open_workspace(
            replace(environment, start=environment.start / folder, git_dir=None)
        )
        for folder in folders
    ]
    common_dirs = (str(workspace.repository.common_dir) for workspace in workspaces)
    variables = {
        **without_conversations(environment.variables),
        SERVED: os.pathsep.join(common_dirs),
    }
    workers: dict[str, Worker] = {}
    for root in (workspace.root for workspace in workspaces):
        if root.name in workers:
            raise InvalidInput(f"Two repositories have the name {root.name!r}.")
        of_root = variables | {PROJECT_VARIABLE: str(root)}
        at_root = read_environment(of_root, root, environment.user_home)
        workers[root.name] = Worker(at_root, is_opt_in=is_opt_in)
    return workers


def served_name(repositories: Repositories, values: Mapping[str, Any]) -> str:
    """Return the name of the repository that a request is about.

    It names a project, a folder or the repository; without any, the only one is meant.
    """
    name, project = values.get(REPOSITORY), values.get("project_id")
    folder = Path(str(values.get("cwd")))
    for served, worker in repositories.items():
        if served == project or folder.is_relative_to(worker.environment.start):
            return served
    if not name and len(repositories) == 1:
        return next(iter(repositories))
    if isinstance(name, str) and name in repositories:
        return name
    raise NotFound(
        f"No repository {name!r} is served." if name else "No repository is named.",
        hint=f"`repository` is one of: {', '.join(repositories)}.",
    )
