"""What `ocm init` put in place, put there again: nothing that it did not put there."""

from collections.abc import Iterator

from gitmem.actions.installing import git_hooks, managed_files
from gitmem.actions.installing.earlier_install import is_installed, noted_assistants
from gitmem.actions.installing.file_steps import noted_files, notes_of
from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import Outcome, Step, carry_out
from gitmem.errors import GitmemError
from gitmem.workspace import Workspace


def installation(workspace: Workspace) -> Iterator[str]:
    """Raises GitmemError for what could not be done, after all else was."""
    if not is_installed(workspace):
        return
    failed = []
    for result in carry_out(_steps(workspace)):
        if result.outcome is Outcome.DONE:
            yield result.step.what
        elif result.outcome is Outcome.FAILED:
            failed.append(f"{result.step.what}: {result.reason}")
    if failed:
        raise GitmemError("; ".join(failed))


def _steps(workspace: Workspace) -> list[Step]:
    if names := noted_assistants(workspace):
        return planned(workspace, names).steps
    common_dir = workspace.repository.common_dir
    notes = notes_of(noted_files(common_dir))
    excluded = managed_files.excluded(common_dir, notes)
    own = [
        managed_files.noted(common_dir, notes),
        managed_files.launcher_there(common_dir),
    ]
    hooks = git_hooks.planned(workspace)
    return [managed_files.registered(workspace), *own, excluded, *hooks]
