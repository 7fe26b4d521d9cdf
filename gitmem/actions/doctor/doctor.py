"""All checks of `ocm doctor`.

They write nothing, except what every reader does: restore objects from the backup, and
merge what `git fetch` brought. A check that fails becomes a finding.
"""

from collections.abc import Callable, Iterable, Iterator
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
from gitmem.actions.installing.present import is_installed, noted_assistants
from gitmem.config import Environment
from gitmem.errors import GitmemError, NotARepository
from gitmem.redaction.redact import redact_own
from gitmem.workspace import Workspace, open_workspace

T = TypeVar("T", Environment, Workspace)

_OF_ASSISTANTS = (Code.MCP_ENTRY, Code.HOOK_ENTRIES, Code.RULES)
INSTALLED = (
    *(Code.LAUNCHER, Code.REGISTRY, Code.COPIES, Code.GIT_HOOK),
    *_OF_ASSISTANTS,
)
"""What `ocm init` installs, and repairs by installing again."""


def examine(environment: Environment) -> list[Finding]:
    """Return the findings by group, in a repository or outside; raise nothing."""
    found = [*_made(_ON_MACHINE, environment), *_around(environment)]
    groups, about = list(Group), list(dict.fromkeys(each.about for each in found))
    found.sort(key=lambda f: (groups.index(f.code.group), about.index(f.about)))
    return list(map(_without_secrets, found))


def _without_secrets(finding: Finding) -> Finding:
    """Redact a finding, which may quote a setting."""
    return replace(finding, what=redact_own(finding.what))


def _around(environment: Environment) -> Iterator[Finding]:
    try:
        workspace = open_workspace(environment)
    except (GitmemError, OSError) as error:
        yield _not_opened(error, environment.start)
        yield from _made(_OUTSIDE, environment)
        return
    workspace.take_in_fetched()
    ours: list[str] | None = None
    with suppress(GitmemError, OSError):
        ours = noted_assistants(workspace) if is_installed(workspace) else None
    for finding in _made(_IN_REPOSITORY, workspace):
        yield replace(finding, is_mendable=_is_mendable(finding, ours))


def _is_mendable(finding: Finding, ours: list[str] | None) -> bool:
    """Tell whether `ocm doctor --fix` repairs it.

    `ours` are the assistants installed here; None if `ocm init` never ran.
    """
    if finding.mend.startswith(FIX):
        return True
    if finding.mend != INIT or finding.code not in INSTALLED or ours is None:
        return False
    return finding.code not in _OF_ASSISTANTS or finding.about in ours


def _not_opened(error: Exception, start: Path) -> Finding:
    is_there = any((each / ".git").exists() for each in (start, *start.parents))
    is_outside = isinstance(error, NotARepository) and not is_there
    found = _failed(Code.REPOSITORY, error)
    return replace(found, grade=Grade.NOTE) if is_outside else found


def _made(
    checks: Iterable[tuple[Code, Callable[[T], Iterable[Finding]]]], given: T
) -> Iterator[Finding]:
    for code, check in checks:
        try:
            yield from check(given)
        except Exception as error:  # noqa: BLE001 - the other checks go on
            yield _failed(code, error)


def _failed(code: Code, error: Exception) -> Finding:
    if isinstance(error, GitmemError):
        return problem(code, error.message, error.hint or "")
    reason = error.strerror if isinstance(error, OSError) else ""
    return problem(code, f"cannot be checked: {reason or type(error).__name__}")


_ON_MACHINE = (
    (Code.VERSIONS, installation.versions),
    (Code.PATH, installation.on_path),
)
_OUTSIDE = (
    (Code.REACH, assistants.everywhere),
    (Code.HOOKS_ALLOWED, assistants.own_checks_of_user),
)
_IN_REPOSITORY: tuple[tuple[Code, Callable[[Workspace], Iterable[Finding]]], ...] = (
    (Code.LAUNCHER, installation.launcher),
    (Code.REPOSITORY, memory.repository),
    (Code.MEMORY, memory.sessions),
    (Code.CONVERSATIONS, memory.conversations),
    (Code.OBJECTS, memory.objects),
    (Code.PLACE, local_state.places),
    (Code.LOCK, local_state.locks),
    (Code.PERMISSIONS, local_state.permissions),
    (Code.OWN_FILE, local_state.manifest),
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
    (Code.SETTINGS_FILE, assistants.own_checks),
    (Code.HEARD, assistants.heard),
    (Code.GIT_HOOK, installation.git_hooks),
    (Code.LOG, local_state.log),
)
"""Each with the code of the finding if the check itself fails."""
