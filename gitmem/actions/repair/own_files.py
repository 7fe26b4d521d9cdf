"""Repair of what is ours beside the refs: files, locks, index, installation."""

from collections.abc import Iterator

from gitmem.actions.doctor.local_state import dead_locks, open_to_others
from gitmem.actions.installing import git_hooks
from gitmem.actions.installing.install import managed_steps, planned
from gitmem.actions.installing.plan import Outcome, Step, carry_out
from gitmem.actions.installing.present import is_installed, noted_assistants
from gitmem.actions.installing.user_files import read_notes
from gitmem.actions.reading.catch_up import rebuild_index
from gitmem.errors import GitmemError
from gitmem.store.lock import locked
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def locks(workspace: Workspace) -> Iterator[str]:
    """Under the lock of writers: none of ours is in the middle of moving a ref."""
    with locked(workspace.store.lock):
        for path in dead_locks(workspace):
            path.unlink(missing_ok=True)
            yield f"{path.name} was removed"


def permissions(workspace: Workspace) -> Iterator[str]:
    paths = open_to_others(workspace)
    for path in paths:
        path.chmod(path.stat().st_mode & 0o700)
    if paths:
        yield f"{counted(len(paths), 'path')} can be read and written by you alone now"


def index(workspace: Workspace) -> Iterator[str]:
    """Raises NoPermission and Busy."""
    count = rebuild_index(workspace)
    yield f"the index was rebuilt from {counted(count, 'session')}"


def installation(workspace: Workspace) -> Iterator[str]:
    """Put again what `ocm init` put there, and nothing else.

    Raises GitmemError for what could not be done, after all else was.
    """
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
    notes = read_notes(workspace.repository.common_dir)
    return [*managed_steps(workspace, notes), *git_hooks.planned(workspace)]
