"""Making a repository known: the registry, and the folder that git shall not see."""

from dataclasses import dataclass

from gitmem.store.copies import exclude_copies
from gitmem.store.registry import Registration, register
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    done: bool
    """False: it was so already."""


def init(workspace: Workspace) -> list[Step]:
    """Register the repository; a second run changes nothing."""
    repository = workspace.repository
    registered = register(
        workspace.environment.home,
        Registration(
            project=workspace.project,
            root=str(workspace.root),
            git_dir=str(repository.common_dir),
            registered_at=workspace.now().isoformat(),
        ),
    )
    excluded = exclude_copies(repository.common_dir)
    return [
        Step(
            f"{workspace.project} is in the registry of your repositories", registered
        ),
        Step(".openCodeMemory/ is left out of `git status`", excluded),
    ]
