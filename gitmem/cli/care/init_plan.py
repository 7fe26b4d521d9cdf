"""The plan of `ocm init` in at most ten lines, and what is asked about it."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import typer

from gitmem.actions.installing.install import Plan
from gitmem.actions.installing.plan import Step, preview
from gitmem.actions.installing.user_settings import Scope
from gitmem.cli.output import FAINT, PATH, note, say, say_whole
from gitmem.errors import InvalidInput
from gitmem.git.files import make_folder, replace_file
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_COLUMN = 13
_WHOM = {
    "local": "you, in this repository: git ignores it, nothing is to be committed",
    "team": "the team: files to commit, which name no path of your machine",
    "user": "you, in all folders and work trees: your own settings",
}


def say_summary(plan: Plan, workspace: Workspace, *, is_new: bool) -> None:
    say_whole(f"Plan for {workspace.root}")
    if not is_to_do(plan):
        say("\nNothing is left to do.")
        return
    for name, text in _rows(plan, workspace, is_new=is_new):
        say("  ", (f"{name:<{_COLUMN - 2}}", FAINT), text, hang=_COLUMN)


def is_to_do(plan: Plan) -> bool:
    return any(result.outcome != "already" for result in preview(plan.steps))


def chosen_scope(
    local: bool | None, *, is_user: bool, is_for_all: bool, may_ask: bool
) -> Scope | None:
    """Return the scope of the options, or of an answer; None is the last choice."""
    if is_for_all and not is_user:
        raise InvalidInput("`--all-repositories` needs `--user`.")
    if is_user and local is not None:
        raise InvalidInput("`--user` excludes `--local` and `--team`.")
    if not is_user:
        return None if local is None else Scope.WORK_TREE
    question = "Serve all your repositories, and not this one alone?"
    if is_for_all or (may_ask and typer.confirm(question, err=True)):
        return Scope.ALL
    return Scope.REPOSITORY


def agreed(
    make: partial[Plan], workspace: Workspace, *, is_open: bool
) -> partial[Plan]:
    """Return what makes the plan that the user agrees to. Raises typer.Abort."""
    if not is_open:
        typer.confirm("Go ahead?", default=True, abort=True, err=True)
        return make
    question = "For [y]ou here, for the [t]eam, for you [e]verywhere, or [n]ot at all?"
    letter = typer.prompt(question, default="y", value_proc=_first_letter, err=True)
    if letter == "n":
        raise typer.Abort
    if letter == "t":
        make = partial(make, is_local=False)
    if letter == "e":
        scope = chosen_scope(None, is_user=True, is_for_all=False, may_ask=True)
        make = partial(make, scope=scope)
    if letter != "y":
        say_summary(make(), workspace, is_new=False)
    return make


def _first_letter(answer: str) -> str:
    letter = answer.strip()[:1].lower()
    if letter not in ("y", "t", "e", "n"):
        raise typer.BadParameter("please answer y, t, e or n")
    return letter


def is_replaced(earlier: list[Step], workspace: Workspace, *, may_ask: bool) -> bool:
    """Name the steps that take the earlier program out, and ask whether to do them."""
    say("\nAnother program, ocm-session-memory, has an openCodeMemory set up:")
    say_whole("  ", ", ".join(step.state for step in earlier))
    question = "Take it out, so that gitmem has its place?"
    if may_ask and agrees_once(workspace, "replace", question):
        return True
    say_whole("To take it out: ", ("ocm init --replace", PATH))
    return False


def agrees_once(workspace: Workspace, about: str, question: str) -> bool:
    """Ask, unless the user said no before; note a no."""
    declined = workspace.own_dir / f"declined-{about}"
    if declined.exists() or _agrees(question):
        return not declined.exists()
    make_folder(declined.parent)
    replace_file(declined, b"")
    note("You are not asked this again.")
    return False


def _rows(
    plan: Plan, workspace: Workspace, *, is_new: bool
) -> Iterator[tuple[str, str]]:
    yield "for", _WHOM[plan.form]
    yield (
        "with",
        ", ".join(assistant.title for assistant in plan.assistants) or "no assistant",
    )
    yield "writes", ", ".join(dict.fromkeys(_places(plan, workspace)))
    if plan.is_unasked:
        yield "unasked", "Claude Code starts the server and runs gitmem's tools"
    skipped = [result for result in preview(plan.steps) if result.outcome == "skipped"]
    if skipped:
        yield "skips", f"{counted(len(skipped), 'step')}, told below"
    if is_new:
        yield "or", "`--team`: files to commit; `--user`: your own settings"


def _places(plan: Plan, workspace: Workspace) -> Iterator[str]:
    """Yield the topmost folder or file of each change."""
    home, root = workspace.environment.user_home, workspace.root.resolve()
    for result in preview(plan.steps):
        if result.outcome == "planned":
            for change in result.step.changes:
                yield _top(change.path, root, home)


def _top(path: Path, root: Path, home: Path) -> str:
    for folder, begin in ((root, ""), (home, "~/")):
        if path.is_relative_to(folder):
            top, *inner = path.relative_to(folder).parts
            return f"{begin}{top}/" if inner else f"{begin}{top}"
    return str(path.parent)


def _agrees(question: str) -> bool:
    return typer.confirm(harmless(question), default=True, err=True)
