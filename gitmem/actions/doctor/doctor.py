"""Everything that `ocm doctor` looks at.

It only looks: nothing is written, but for what reading puts back itself (see
`gitmem.git.retry_reads`), and what a `git fetch` brought is taken in: something may
have been forgotten there. What should be installed is asked of the plans that install
it. Each check stands for itself: one that cannot be made, whatever it meets, is a
finding like any other.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gitmem.actions.doctor import assistants as check_assistants
from gitmem.actions.doctor import claude_code as check_claude_code
from gitmem.actions.doctor import copies as check_copies
from gitmem.actions.doctor import installation as check_installation
from gitmem.actions.doctor import leftovers as check_leftovers
from gitmem.actions.doctor import memory as check_memory
from gitmem.actions.doctor import reach as check_reach
from gitmem.actions.doctor import refs as check_refs
from gitmem.actions.doctor import remote as check_sharing
from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade, Group
from gitmem.actions.doctor.git_hooks import git_hooks
from gitmem.actions.doctor.log import log
from gitmem.actions.doctor.objects import objects
from gitmem.actions.doctor.oversized import oversized
from gitmem.actions.doctor.redaction_rules import user_rules
from gitmem.actions.doctor.vanished import vanished
from gitmem.actions.installing.earlier_install import is_installed, noted_assistants
from gitmem.config import Environment
from gitmem.errors import GitmemError, NotARepository
from gitmem.redaction.redact import redact_own
from gitmem.workspace import Workspace, open_workspace

_OF_ASSISTANTS = (Code.MCP_ENTRY, Code.HOOK_ENTRIES, Code.RULES)
INSTALLED = (
    *(Code.LAUNCHER, Code.REGISTRY, Code.COPIES, Code.GIT_HOOK),
    *_OF_ASSISTANTS,
)
"""What `ocm init` put there, and puts there again."""


@dataclass(frozen=True, slots=True)
class Section:
    group: Group
    findings: tuple[Finding, ...]


def examine(environment: Environment) -> list[Section]:
    """All there is to say, in a repository and outside; raises nothing."""
    checks = [*_on_machine(environment), *_around(environment)]
    found = [(check.group, finding) for check in checks for finding in _made(check)]
    sections = (
        _section(group, [f for of, f in found if of is group]) for group in Group
    )
    return [section for section in sections if section.findings]


def _section(group: Group, findings: list[Finding]) -> Section:
    """What is about the same thing stands together, and no file is told of twice."""
    order = list(dict.fromkeys(finding.about for finding in findings))
    findings.sort(key=lambda finding: order.index(finding.about))
    return Section(group, tuple(map(_without_secrets, _told_once(findings))))


def _without_secrets(finding: Finding) -> Finding:
    """A finding may quote a setting."""
    return replace(finding, what=redact_own(finding.what))


def _told_once(findings: list[Finding]) -> Iterator[Finding]:
    """A file that cannot be parsed may be no good to its owner and to us."""
    told = set()
    for finding in findings:
        is_known = finding.code is Code.SETTINGS_FILE and finding.where in told
        if not is_known:
            yield finding
        if finding.grade is Grade.PROBLEM:
            told.add(finding.where)


@dataclass(frozen=True, slots=True)
class _Check:
    group: Group
    code: Code
    """What a check is called that cannot be made."""
    make: Callable[[], Iterable[Finding]]


def _on_machine(environment: Environment) -> Iterator[_Check]:
    for code, check in (
        (Code.VERSIONS, check_installation.versions),
        (Code.PATH, check_installation.on_path),
        (Code.ENVIRONMENT, check_installation.surroundings),
    ):
        yield _Check(Group.INSTALLATION, code, partial(check, environment))


def _around(environment: Environment) -> Iterator[_Check]:
    try:
        workspace = open_workspace(environment)
    except (GitmemError, OSError) as error:
        no_repository = partial(_no_repository, error, environment.start)
        yield _Check(Group.MEMORY, Code.REPOSITORY, no_repository)
        reached = partial(check_reach.everywhere, environment)
        yield _Check(Group.ASSISTANTS, Code.REACH, reached)
        client = partial(check_claude_code.everywhere, environment)
        yield _Check(Group.ASSISTANTS, Code.HOOKS_ALLOWED, client)
        return
    workspace.take_in_fetched()
    for group, code, check in _IN_REPOSITORY:
        tells = partial(_with_installed, check) if code in _WITH_INSTALLED else check
        yield _Check(group, code, partial(tells, workspace))


_IN_REPOSITORY: tuple[
    tuple[Group, Code, Callable[[Workspace], Iterable[Finding]]], ...
] = (
    (Group.INSTALLATION, Code.LAUNCHER, check_installation.launcher),
    (Group.MEMORY, Code.REPOSITORY, check_memory.repository),
    (Group.MEMORY, Code.MEMORY, check_refs.memory),
    (Group.MEMORY, Code.CONVERSATIONS, check_refs.conversations),
    (Group.MEMORY, Code.OBJECTS, objects),
    (Group.MEMORY, Code.OVERSIZED, oversized),
    (Group.MEMORY, Code.PLACE, check_leftovers.places),
    (Group.MEMORY, Code.LOCK, check_leftovers.locks),
    (Group.MEMORY, Code.PERMISSIONS, check_leftovers.permissions),
    (Group.MEMORY, Code.OWN_FILE, check_leftovers.own_files),
    (Group.MEMORY, Code.VANISHED, vanished),
    (Group.MEMORY, Code.JOURNAL, check_memory.journal),
    (Group.MEMORY, Code.INDEX, check_memory.index),
    (Group.MEMORY, Code.REGISTRY, check_memory.registry),
    (Group.MEMORY, Code.COPIES, check_memory.copies),
    (Group.MEMORY, Code.STALE_COPY, check_copies.copies),
    (Group.MEMORY, Code.SETTING, check_memory.settings),
    (Group.MEMORY, Code.SETTING, user_rules),
    (Group.SHARING, Code.SHARING, check_sharing.sharing),
    (Group.SHARING, Code.FETCH, check_sharing.refspecs),
    (Group.ASSISTANTS, Code.REACH, check_reach.reach),
    (Group.ASSISTANTS, Code.ASSISTANT, check_assistants.assistants),
    (Group.ASSISTANTS, Code.SETTINGS_FILE, check_claude_code.here),
    (Group.ASSISTANTS, Code.HEARD, check_assistants.heard),
    (Group.GIT_HOOKS, Code.GIT_HOOK, git_hooks),
    (Group.LOG, Code.LOG, log),
)


_WITH_INSTALLED = (*INSTALLED, Code.ASSISTANT)
"""Checks that tell of such things."""


def _with_installed(
    check: Callable[[Workspace], Iterable[Finding]], workspace: Workspace
) -> Iterator[Finding]:
    """What was put there before comes again without being asked for."""
    is_here, ours = is_installed(workspace), noted_assistants(workspace)
    for finding in check(workspace):
        is_ours = finding.code not in _OF_ASSISTANTS or finding.about in ours
        is_mendable = is_here and is_ours and finding.mend == INIT
        yield replace(finding, is_mendable=True) if is_mendable else finding


def _no_repository(error: Exception, start: Path) -> Iterator[Finding]:
    """Whether there is none, or one that nobody can open."""
    is_there = any((each / ".git").exists() for each in (start, *start.parents))
    is_outside = isinstance(error, NotARepository) and not is_there
    yield Finding(
        code=Code.REPOSITORY,
        grade=Grade.NOTE if is_outside else Grade.PROBLEM,
        what=_words_of(error),
        mend=getattr(error, "hint", None) or "",
    )


def _made(check: _Check) -> Iterator[Finding]:
    try:
        yield from check.make()
    except Exception as error:  # noqa: BLE001 - whatever is broken, the rest is told
        yield Finding(
            code=check.code,
            grade=Grade.PROBLEM,
            what=_words_of(error),
            mend=getattr(error, "hint", None) or "",
        )


def _words_of(error: Exception) -> str:
    if isinstance(error, GitmemError):
        return error.message
    reason = error.strerror if isinstance(error, OSError) else ""
    return f"this could not be looked at: {reason or type(error).__name__}"
