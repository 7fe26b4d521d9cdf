"""Install git's hooks where git looks for them, and remove them.

A hook of the user is kept beside ours, which runs it first. A hook that another program
manages stays as it is, and the user gets the line to add.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from gitmem.actions.installing.hook_files import (
    LINES,
    GitHook,
    git_hook,
    hooks_folder,
    obstacle_to,
    our_text,
    version,
)
from gitmem.actions.installing.managed_files import launcher_there
from gitmem.actions.installing.plan import FileEdit, Step, content_of, leftovers
from gitmem.actions.sharing.share_settings import AUTO_PUSH
from gitmem.assistants.assistant import LAUNCHER
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.workspace import Workspace

_WHAT = {
    "post-commit": "git tells ocm of commits",
    "post-rewrite": "git tells ocm of commits that are amended or rebased",
    "pre-push": "git tells ocm of pushes",
}
_ALWAYS = ("post-commit", "post-rewrite")
_PUSH = "pre-push"
"""Installed only with auto-push: other programs, such as Git LFS, want it."""
_TAKEN_OVER = ("", ".legacy", ".old")
"""What pre-commit and lefthook append to the name of a hook they replace."""


@frozen
class Installed:
    hook: GitHook
    is_wanted: bool
    is_live: bool
    owner: str = ""


def planned(workspace: Workspace) -> list[Step]:
    always = _steps(workspace, hooks_folder(workspace), _ALWAYS, _planned)
    return [*always, *pre_push_steps(workspace)]


def fitting_push(workspace: Workspace) -> list[Step]:
    """Return the steps of `pre_push_steps`, and the launcher they need."""
    launcher = launcher_there(workspace.repository.common_dir)
    steps = pre_push_steps(workspace)
    return [launcher, *steps] if _is_push_wanted(workspace) else steps


def pre_push_steps(workspace: Workspace) -> list[Step]:
    """Return the steps that install or remove `pre-push`, by `ocm.autoPush`."""
    folder = hooks_folder(workspace)
    if _is_push_wanted(workspace):
        return _steps(workspace, folder, (_PUSH,), _planned)
    removal_steps = _steps(workspace, folder, (_PUSH,), _removal)
    return [step for step in removal_steps if step.changes]


def push_trouble(workspace: Workspace) -> str:
    """Return why auto-push does not work though it is on, else ""."""
    if not _is_push_wanted(workspace):
        return ""
    try:
        there = _installed(workspace, git_hook(hooks_folder(workspace), _PUSH))
    except (OSError, RuntimeError):
        return f"the hook {_PUSH} cannot be read"
    if not there.is_live:
        left = f"is left to {there.owner}" if there.owner else "does not lead to ocm"
        return f"{there.hook.path} {left}"
    launcher = workspace.repository.common_dir / LAUNCHER
    return "" if launcher.exists() else f"{launcher} is not there"


def removal(work_trees: list[Workspace]) -> list[Step]:
    """Return the steps that remove our hooks and restore earlier ones.

    Git may look elsewhere in each of the work trees, or did so before.
    """
    folders = [(each, hooks_folder(each)) for each in work_trees]
    folders.append((work_trees[0], work_trees[0].repository.common_dir / "hooks"))
    steps, seen = list[Step](), set[str]()
    for workspace, folder in folders:
        place = os.path.realpath(folder)  # also where links lead in a circle
        if place in seen:
            continue
        always = _steps(workspace, folder, _ALWAYS, _removal)
        push = filter(_is_needed, _steps(workspace, folder, (_PUSH,), _removal))
        if seen:
            needed = [*filter(_is_needed, always), *push]
            steps += [
                replace(x, description=f"{x.description}, in {folder}") for x in needed
            ]
        else:
            steps += [*always, *push]
        seen.add(place)
    return steps


def installed(workspace: Workspace) -> list[Installed]:
    """Return the state of each hook of `planned`. Raises OSError."""
    folder = hooks_folder(workspace)
    names = (*_ALWAYS, _PUSH) if pre_push_steps(workspace) else _ALWAYS
    return [_installed(workspace, git_hook(folder, name)) for name in names]


def _is_needed(step: Step) -> bool:
    return bool(step.changes or step.why_not)


def _is_push_wanted(workspace: Workspace) -> bool:
    return is_on(workspace.repository, AUTO_PUSH)


def _steps(
    workspace: Workspace,
    folder: Path,
    names: Iterable[str],
    make: Callable[[Workspace, GitHook], Step],
) -> list[Step]:
    steps = []
    for name in names:
        try:
            hook = git_hook(folder, name)
            step = make(workspace, hook)
            if not step.why_not:
                left = leftovers(hook.path) + leftovers(hook.beside)
                step = replace(step, deeds=left)
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
            why_not = f"the hook cannot be read: {error}"
            step = Step(description=_WHAT[name], why_not=why_not)
        steps.append(step)
    return steps


def _installed(workspace: Workspace, hook: GitHook) -> Installed:
    is_wanted = hook.name in _ALWAYS or _is_push_wanted(workspace)
    if obstacle := obstacle_to(workspace, hook):
        return Installed(hook, is_wanted, obstacle.is_overcome, obstacle.owner)
    return Installed(hook, is_wanted, hook.version is not None and hook.is_executable)


def _planned(workspace: Workspace, hook: GitHook) -> Step:
    what, text = _WHAT[hook.name], our_text(workspace, hook)
    obstacle = obstacle_to(workspace, hook)
    if obstacle and not obstacle.is_overcome:
        return Step(description=what, why_not=obstacle.why_not, advice=obstacle.advice)
    if obstacle or (hook.version == version(text) and hook.is_executable):
        return Step(description=what)
    new = FileEdit(hook.path, hook.content, text, 0o755)
    if hook.content is None or hook.version is not None:
        return Step(description=what, changes=(new,))
    there = content_of(hook.beside)
    if there not in (None, hook.content):
        why_not = f"{hook.beside} is in the way"
        return Step(description=what, why_not=why_not, advice=LINES[hook.name])
    kept = FileEdit(hook.beside, there, hook.content, _mode(hook.path))
    return Step(
        description=f"{what}, after the hook that is there", changes=(kept, new)
    )


def _removal(workspace: Workspace, hook: GitHook) -> Step:
    what = f"{_WHAT[hook.name]} no more"
    there = (git_hook(hook.path.parent, hook.name, suffix) for suffix in _TAKEN_OVER)
    ours = next((each for each in there if each.version is not None), None)
    if ours is None:
        return _removal_without_ours(workspace, hook, what)
    if obstacle := obstacle_to(workspace, ours):
        why_not = f"{obstacle.why_not}; it does nothing without ocm"
        return Step(description=what, why_not=why_not)
    text = our_text(workspace, ours)
    if ours.content != text and ours.version == version(text):
        return Step(description=what, why_not=f"{ours.path} was changed since")
    return Step(description=what, changes=_restored(ours))


def _removal_without_ours(workspace: Workspace, hook: GitHook, what: str) -> Step:
    obstacle = obstacle_to(workspace, hook)
    if obstacle and obstacle.is_overcome:
        why_not = "you added the line that calls ocm; it does nothing without ocm"
        return Step(description=what, why_not=why_not)
    if not hook.beside.exists():
        return Step(description=what)
    if hook.content is None:
        return Step(description=what, changes=_restored(hook))
    if hook.content == hook.beside.read_bytes():  # who put it there was cut off
        return Step(
            description=what, changes=(FileEdit(hook.beside, hook.content, None),)
        )
    why_not = f"{hook.path} is another one now; the one before is {hook.beside}"
    return Step(description=what, why_not=why_not)


def _restored(hook: GitHook) -> tuple[FileEdit, ...]:
    if not hook.beside.exists():
        return (FileEdit(hook.path, hook.content, None, folders=(hook.path.parent,)),)
    before = hook.beside.read_bytes()
    return (
        FileEdit(hook.path, hook.content, before, _mode(hook.beside)),
        FileEdit(hook.beside, before, None),
    )


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777
