"""The repairs of `ocm doctor --fix`, in the order of need: write, read, find.

Each does one thing and may be run again; one that fails holds up no other.
"""

from collections.abc import Callable, Collection, Container, Iterator

from gitmem.actions.doctor.doctor import INSTALLED, examine
from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.doctor.local_state import dead_locks, open_to_others
from gitmem.actions.doctor.memory import journals_of_vanished
from gitmem.actions.doctor.mend_history import history
from gitmem.actions.installing import git_hooks
from gitmem.actions.installing.install import managed_steps, planned
from gitmem.actions.installing.plan import Outcome, Step, carry_out
from gitmem.actions.installing.present import is_installed, noted_assistants
from gitmem.actions.installing.user_files import read_notes
from gitmem.actions.reading.catch_up import rebuild_index
from gitmem.config import Environment
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.store.journal.journal import Entry
from gitmem.store.lock import locked
from gitmem.text.counting import counted
from gitmem.workspace import Workspace, open_workspace

Mender = Callable[[Workspace], Iterator[str]]
"""Yields a line for each thing done. Raises GitmemError and OSError."""


@frozen
class Mending:
    found: tuple[Finding, ...]
    done: tuple[str, ...]
    error: str = ""
    """Why the repair stopped."""


@frozen
class Mended:
    mendings: tuple[Mending, ...]
    left: list[Finding]
    """All findings afterwards."""


def mend(environment: Environment) -> Mended:
    """Run each repair that a finding needs, and examine again; raise nothing."""
    mendings: list[Mending] = []
    left = examine(environment)
    for mender, codes in _MENDERS.items():
        if found := tuple(f for f in left if f.is_mendable and f.code in codes):
            mendings.append(_mended(environment, mender, found))
            left = examine(environment)
    return Mended(tuple(mendings), left)


def replayed_again(
    workspace: Workspace, only: Container[str] | None = None
) -> list[str]:
    """Replay the journals of lost sessions; return the ids of those restored.

    `only` limits it to these ids.
    """
    journal = workspace.store.journal
    with locked(workspace.store.lock):
        names = journals_of_vanished(workspace, workspace.store.memory())
        if only is not None:
            names = [n for n in names if journal.position_of(n).document_id in only]
        for name in names:
            journal.mark(Entry(name, "", 0), None)
    workspace.store.replay()
    memory = workspace.store.memory()
    ids = filter(None, (journal.position_of(name).document_id for name in names))
    return [session_id for session_id in ids if memory.entry(session_id)]


def vanished(workspace: Workspace) -> Iterator[str]:
    for session_id in replayed_again(workspace):
        yield f"{session_id} is in the memory again"


def installation(workspace: Workspace) -> Iterator[str]:
    """Repeat what `ocm init` did here, and nothing else."""
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


def _mended(
    environment: Environment, mender: Mender, found: tuple[Finding, ...]
) -> Mending:
    done: list[str] = []
    error = ""
    try:
        done.extend(mender(open_workspace(environment)))
    except GitmemError as refused:
        error = refused.message
    except OSError as refused:
        error = refused.strerror or str(refused)
    return Mending(found, tuple(done), error)


def _locks(workspace: Workspace) -> Iterator[str]:
    with locked(workspace.store.lock):  # no writer of ours is moving a ref
        for path in dead_locks(workspace):
            path.unlink(missing_ok=True)
            yield f"{path.name} was removed"


def _permissions(workspace: Workspace) -> Iterator[str]:
    paths = open_to_others(workspace)
    for path in paths:
        path.chmod(path.stat().st_mode & 0o700)
    if paths:
        yield f"{counted(len(paths), 'path')} can be read and written by you alone now"


def _waiting(workspace: Workspace) -> Iterator[str]:
    workspace.store.replay()
    yield "what waited in the journal is in the memory"


def _index(workspace: Workspace) -> Iterator[str]:
    count = rebuild_index(workspace)
    yield f"the index was rebuilt from {counted(count, 'session')}"


def _steps(workspace: Workspace) -> list[Step]:
    if names := noted_assistants(workspace):
        return planned(workspace, names).steps
    notes = read_notes(workspace.repository.common_dir)
    return [*managed_steps(workspace, notes), *git_hooks.planned(workspace)]


_MENDERS: dict[Mender, Collection[Code]] = {
    _permissions: (Code.PERMISSIONS,),
    _locks: (Code.LOCK,),
    history: (Code.OBJECTS, Code.MEMORY, Code.CONVERSATIONS),
    vanished: (Code.VANISHED,),
    _waiting: (Code.JOURNAL,),
    _index: (Code.INDEX,),
    installation: INSTALLED,
}
