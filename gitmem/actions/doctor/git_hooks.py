"""What `ocm doctor` looks at among git's hooks: whether they lead to ocm."""

from collections.abc import Iterator

from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade
from gitmem.actions.installing.git_hooks import Installed, installed, planned
from gitmem.actions.installing.plan import Outcome, Result, foresee
from gitmem.actions.sharing.share_settings import AUTO_PUSH
from gitmem.workspace import Workspace


def git_hooks(workspace: Workspace) -> Iterator[Finding]:
    results = foresee(planned(workspace))
    for there, result in zip(installed(workspace), results, strict=True):
        yield _finding(there, result)


def _finding(there: Installed, result: Result) -> Finding:
    hook, is_planned = there.hook, result.outcome is Outcome.PLANNED
    if there.is_live and there.is_wanted and not is_planned:
        return Finding(
            code=Code.GIT_HOOK,
            about=hook.name,
            what=f"{result.step.what}: {hook.name}{_manner(there)}",
            where=str(hook.path),
        )
    advice = result.step.advice
    return Finding(
        code=Code.GIT_HOOK,
        grade=Grade.WARNING if is_planned or advice else Grade.NOTE,
        about=hook.name,
        what=f"{hook.name} {_state(there, result)}",
        where=str(hook.path),
        mend=INIT if is_planned else _to_add(advice),
    )


def _manner(there: Installed) -> str:
    if there.owner:
        return f", through {there.owner}"
    if there.hook.version is None:
        return ", through a line in it"
    chained = ", after the one before it" if there.hook.beside.exists() else ""
    return f" of version {there.hook.version}{chained}"


def _state(there: Installed, result: Result) -> str:
    if result.reason:
        return f"is left to you: {result.reason}"
    if not there.is_wanted:
        return f"is there and does nothing: {AUTO_PUSH} does not say yes"
    if there.is_live:
        return f"is of version {there.hook.version}, and not the newest"
    if there.hook.version is not None:
        return "is ours, but git does not run it: it is not executable"
    return "does not lead to ocm"


def _to_add(advice: str) -> str:
    return f"Add to it:\n{advice}" if advice else ""
