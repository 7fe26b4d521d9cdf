"""All checks of `ocm doctor`, and the repairs of `ocm doctor --fix`.

Checks write nothing, except what every reader does: restore objects from the backup,
and merge what `git fetch` brought. A check that fails becomes a finding. A repair does
one thing and may be run again; one that fails holds up no other.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from gitmem.actions.doctor import (
    assistants,
    installation,
    local_state,
    memory,
    sharing,
    transcripts,
)
from gitmem.actions.doctor.finding import (
    FIX,
    INIT,
    Code,
    Finding,
    Grade,
    Group,
    problem,
)
from gitmem.actions.doctor.mend_history import history
from gitmem.actions.installing import git_hooks
from gitmem.actions.installing.install import managed_steps, planned
from gitmem.actions.installing.plan import Step, StepOutcome, carry_out
from gitmem.actions.installing.present import installed_assistants, is_installed
from gitmem.actions.installing.user_files import read_manifest
from gitmem.config import Environment
from gitmem.errors import GitmemError, NotARepository
from gitmem.frozen import frozen
from gitmem.indexing import rebuild_index
from gitmem.redaction.redact import redact_own
from gitmem.store.lock import locked
from gitmem.text.counting import counted
from gitmem.workspace import Workspace, open_workspace

T = TypeVar("T", Environment, Workspace)

_OF_ASSISTANTS = (Code.MCP_ENTRY, Code.HOOK_ENTRIES, Code.RULES)
_INSTALLED = (
    *(Code.LAUNCHER, Code.REGISTRY, Code.COPIES, Code.GIT_HOOK),
    *_OF_ASSISTANTS,
)
"""Findings that `ocm init` repairs by installing again."""
RepairAction = Callable[[Workspace], Iterator[str]]
"""Yields a line for each thing done. Raises GitmemError and OSError."""


@frozen
class Repair:
    findings: tuple[Finding, ...]
    steps: tuple[str, ...]
    """A line for each thing done."""
    error: str = ""
    """Why the repair stopped."""


@frozen
class Repairs:
    repairs: tuple[Repair, ...]
    remaining: list[Finding]
    """All findings afterwards."""


def examine(environment: Environment) -> list[Finding]:
    """Return the findings by group, in a repository or outside; raise nothing."""
    findings = [*_results(_ON_MACHINE, environment), *_around(environment)]
    groups = list(Group)
    about = list(dict.fromkeys(finding.about for finding in findings))
    findings.sort(key=lambda f: (groups.index(f.code.group), about.index(f.about)))
    # What is found may quote a setting.
    return [
        replace(finding, message=redact_own(finding.message)) for finding in findings
    ]


def repair(environment: Environment) -> Repairs:
    """Run each repair that a finding needs, and examine again; raise nothing."""
    repairs: list[Repair] = []
    findings = examine(environment)
    for action, codes in _REPAIRS.items():
        if repairable := tuple(
            f for f in findings if f.is_repairable and f.code in codes
        ):
            repairs.append(_repaired(environment, action, repairable))
            findings = examine(environment)
    return Repairs(tuple(repairs), findings)


def _around(environment: Environment) -> Iterator[Finding]:
    try:
        workspace = open_workspace(environment)
    except (GitmemError, OSError) as error:
        yield _not_opened(error, environment.start)
        yield from _results(_OUTSIDE, environment)
        return
    workspace.take_in_fetched()
    ours: list[str] | None = None
    with suppress(GitmemError, OSError):
        ours = installed_assistants(workspace) if is_installed(workspace) else None
    for finding in _results(_IN_REPOSITORY, workspace):
        yield replace(finding, is_repairable=_is_mendable(finding, ours))


def _is_mendable(finding: Finding, ours: list[str] | None) -> bool:
    """Tell whether `ocm doctor --fix` repairs it.

    `ours` are the assistants installed here; None if `ocm init` never ran.
    """
    if finding.remedy.startswith(FIX):
        return True
    if finding.remedy != INIT or finding.code not in _INSTALLED or ours is None:
        return False
    return finding.code not in _OF_ASSISTANTS or finding.about in ours


def _not_opened(error: Exception, start: Path) -> Finding:
    is_there = any((folder / ".git").exists() for folder in (start, *start.parents))
    is_outside = isinstance(error, NotARepository) and not is_there
    finding = _failed(Code.REPOSITORY, error)
    return replace(finding, grade=Grade.NOTE) if is_outside else finding


def _results(
    checks: Iterable[tuple[Code, Callable[[T], Iterable[Finding]]]], subject: T
) -> Iterator[Finding]:
    for code, check in checks:
        try:
            yield from check(subject)
        except Exception as error:  # noqa: BLE001 - the other checks go on
            yield _failed(code, error)


def _failed(code: Code, error: Exception) -> Finding:
    if isinstance(error, GitmemError):
        return problem(code, error.message, error.hint or "")
    reason = error.strerror if isinstance(error, OSError) else ""
    return problem(code, f"cannot be checked: {reason or type(error).__name__}")


def repair_installation(workspace: Workspace) -> Iterator[str]:
    """Repeat what `ocm init` did here, and nothing else."""
    if not is_installed(workspace):
        return
    failed = []
    for result in carry_out(_steps(workspace)):
        if result.outcome is StepOutcome.DONE:
            yield result.step.state
        elif result.outcome is StepOutcome.FAILED:
            failed.append(f"{result.step.state}: {result.reason}")
    if failed:
        raise GitmemError("; ".join(failed))


def _repaired(
    environment: Environment, action: RepairAction, findings: tuple[Finding, ...]
) -> Repair:
    steps: list[str] = []
    error = ""
    try:
        steps.extend(action(open_workspace(environment)))
    except GitmemError as refused:
        error = refused.message
    except OSError as refused:
        error = refused.strerror or str(refused)
    return Repair(findings, tuple(steps), error)


def _locks(workspace: Workspace) -> Iterator[str]:
    with locked(workspace.store.lock):  # no writer of ours is moving a ref
        for path in local_state.dead_locks(workspace):
            path.unlink(missing_ok=True)
            yield f"{path.name} was removed"


def _permissions(workspace: Workspace) -> Iterator[str]:
    paths = local_state.open_to_others(workspace)
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
    if names := installed_assistants(workspace):
        return planned(workspace, names).steps
    manifest = read_manifest(workspace.repository.common_dir)
    return [*managed_steps(workspace, manifest), *git_hooks.planned(workspace)]


_ON_MACHINE = (
    (Code.VERSIONS, installation.versions),
    (Code.PATH, installation.on_path),
)
_OUTSIDE = ((Code.REACH, assistants.everywhere),)
_IN_REPOSITORY: tuple[tuple[Code, Callable[[Workspace], Iterable[Finding]]], ...] = (
    (Code.LAUNCHER, installation.launcher),
    (Code.REPOSITORY, memory.repository),
    (Code.MEMORY, memory.kinds),
    (Code.OBJECTS, memory.objects),
    (Code.PLACE, local_state.places),
    (Code.LOCK, local_state.locks),
    (Code.PERMISSIONS, local_state.permissions),
    (Code.OWN_FILE, local_state.manifest),
    (Code.VANISHED, memory.changed_refs),
    (Code.VANISHED, memory.vanished),
    (Code.JOURNAL, local_state.journal),
    (Code.INDEX, local_state.index),
    (Code.REGISTRY, installation.registry),
    (Code.COPIES, installation.copies),
    (Code.SETTING, local_state.settings),
    (Code.SETTING, local_state.redaction_rules),
    (Code.SHARING, sharing.shared),
    (Code.FETCH, sharing.refspecs),
    (Code.REACH, assistants.reach),
    (Code.ASSISTANT, assistants.entries),
    (Code.HEARD, assistants.last_signs),
    (Code.VANISHING, transcripts.vanishing),
    (Code.PASSED_OVER, transcripts.passed_over),
    (Code.GIT_HOOK, installation.git_hooks),
    (Code.LOG, local_state.log),
)
"""Each with the code of the finding if the check itself fails."""
_REPAIRS: dict[RepairAction, Collection[Code]] = {
    _permissions: (Code.PERMISSIONS,),
    _locks: (Code.LOCK,),
    history: (Code.OBJECTS, Code.MEMORY, Code.CONVERSATIONS),
    _waiting: (Code.JOURNAL,),
    _index: (Code.INDEX,),
    repair_installation: _INSTALLED,
}
