"""What `ocm init` did here before, as its manifest says."""

from gitmem.actions.installing.placing import noted_files
from gitmem.assistants.configured import CONFIGURED
from gitmem.workspace import Workspace


def is_installed(workspace: Workspace) -> bool:
    """Whether it was run in this repository."""
    return bool(noted_files(workspace.repository.common_dir))


def noted_assistants(workspace: Workspace) -> list[str]:
    """Names of those in whose files it put something, in this work tree."""
    root = str(workspace.root.resolve())
    noted = noted_files(workspace.repository.common_dir)
    paths = {file.path for file in noted if file.root == root}
    return [
        assistant.name
        for assistant in CONFIGURED
        if any({each.path, each.local} & paths for each in assistant.targets)
    ]
