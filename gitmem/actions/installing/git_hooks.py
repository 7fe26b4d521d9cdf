"""Install git's hooks where git looks for them, and remove them.

A hook of the user is kept beside ours, which runs it first. A hook that another program
manages stays as it is, and the user gets the line to add.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path

from gitmem.actions.installing.hook_files import (
    LINES,
    GitHook,
    git_hook,
    hook_text,
    hooks_folder,
    obstacle_to,
    version,
)
from gitmem.actions.installing.managed_files import launcher_step
from gitmem.actions.installing.plan import FileEdit, Step, content_of, leftover_deeds
from gitmem.assistants.assistant import LAUNCHER
from gitmem.config import AUTO_PUSH_SETTING, TRAILER_SETTING, TRAILERS
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.workspace import Workspace

_WHAT = {
    "post-commit": "git tells ocm of commits",
    "post-rewrite": "git tells ocm of commits that are amended or rebased",
    "prepare-commit-msg": "git asks ocm for the trailer of a commit",
    "pre-push": "git tells ocm of pushes",
}
_ALWAYS = ("post-commit", "post-rewrite")
_PUSH = "pre-push"
OPTIONAL = {"prepare-commit-msg": TRAILER_SETTING, _PUSH: AUTO_PUSH_SETTING}
"""Hooks that are installed only where a setting asks for them, as other programs want
them too, such as Git LFS."""
_TAKEN_OVER = ("", ".legacy", ".old")
"""Endings that pre-commit and lefthook give to a hook they replace."""


@frozen
class HookState:
    hook: GitHook
    is_wanted: bool
    is_live: bool
    owner: str = ""


def planned(workspace: Workspace) -> list[Step]:
    regular = _steps(workspace, hooks_folder(workspace), _ALWAYS, _planned)
    optional = (optional_steps(workspace, name) for name in OPTIONAL)
    return [*regular, *chain.from_iterable(optional)]


def pre_push_setup(workspace: Workspace) -> list[Step]:
    """Return the steps for `pre-push`, and the launcher that it needs."""
    launcher = launcher_step(workspace.repository.common_dir)
    steps = optional_steps(workspace, _PUSH)
    return [launcher, *steps] if _is_wanted(workspace, _PUSH) else steps


def optional_steps(workspace: Workspace, name: str) -> list[Step]:
    """Return the steps that install or remove an OPTIONAL hook, by its setting."""
    folder = hooks_folder(workspace)
    if _is_wanted(workspace, name):
        return _steps(workspace, folder, (name,), _planned)
    removal_steps = _steps(workspace, folder, (name,), _removal)
    return [step for step in removal_steps if step.changes]


def pre_push_fault(workspace: Workspace) -> str:
    """Return why auto-push does not work though it is on, else ""."""
    if not _is_wanted(workspace, _PUSH):
        return ""
    try:
        state = _installed(workspace, git_hook(hooks_folder(workspace), _PUSH))
    except (OSError, RuntimeError):
        return f"the hook {_PUSH} cannot be read"
    if not state.is_live:
        fault = f"is left to {state.owner}" if state.owner else "does not lead to ocm"
        return f"{state.hook.path} {fault}"
    launcher = workspace.repository.common_dir / LAUNCHER
    return "" if launcher.exists() else f"{launcher} is not there"


def removal(work_trees: list[Workspace]) -> list[Step]:
    """Return the steps that remove our hooks and restore earlier ones.

    Git may look elsewhere in each of the work trees, or did so before.
    """
    folders = [(tree, hooks_folder(tree)) for tree in work_trees]
    folders.append((work_trees[0], work_trees[0].repository.common_dir / "hooks"))
    steps, seen = list[Step](), set[str]()
    for workspace, folder in folders:
        place = os.path.realpath(folder)  # also where links lead in a circle
        if place in seen:
            continue
        always = _steps(workspace, folder, _ALWAYS, _removal)
        optional = filter(_is_needed, _steps(workspace, folder, OPTIONAL, _removal))
        if seen:
            needed = [*filter(_is_needed, always), *optional]
            steps += [replace(x, state=f"{x.state}, in {folder}") for x in needed]
        else:
            steps += [*always, *optional]
        seen.add(place)
    return steps


def installed(workspace: Workspace) -> list[HookState]:
    """Return the state of each hook of `planned`. Raises OSError."""
    folder = hooks_folder(workspace)
    optional = (name for name in OPTIONAL if optional_steps(workspace, name))
    names = (*_ALWAYS, *optional)
    return [_installed(workspace, git_hook(folder, name)) for name in names]


def _is_needed(step: Step) -> bool:
    return bool(step.changes or step.why_not)


def _is_wanted(workspace: Workspace, name: str) -> bool:
    if name in _ALWAYS:
        return True
    if name == _PUSH:
        return is_on(workspace.repository, AUTO_PUSH_SETTING)
    return workspace.repository.config(TRAILER_SETTING) in TRAILERS


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
                leftovers = leftover_deeds(hook.path) + leftover_deeds(hook.beside)
                step = replace(step, deeds=leftovers)
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
            why_not = f"the hook cannot be read: {error}"
            step = Step(state=_WHAT[name], why_not=why_not)
        steps.append(step)
    return steps


def _installed(workspace: Workspace, hook: GitHook) -> HookState:
    is_wanted = _is_wanted(workspace, hook.name)
    if obstacle := obstacle_to(workspace, hook):
        return HookState(hook, is_wanted, obstacle.is_overcome, obstacle.owner)
    return HookState(hook, is_wanted, hook.version is not None and hook.is_executable)


def _planned(workspace: Workspace, hook: GitHook) -> Step:
    state, text = _WHAT[hook.name], hook_text(workspace, hook)
    obstacle = obstacle_to(workspace, hook)
    if obstacle and not obstacle.is_overcome:
        return Step(state=state, why_not=obstacle.why_not, advice=obstacle.advice)
    if obstacle or (hook.version == version(text) and hook.is_executable):
        return Step(state=state)
    new = FileEdit(hook.path, hook.content, text, 0o755)
    if hook.content is None or hook.version is not None:
        return Step(state=state, changes=(new,))
    displaced = content_of(hook.beside)
    if displaced not in (None, hook.content):
        why_not = f"{hook.beside} is in the way"
        return Step(state=state, why_not=why_not, advice=LINES[hook.name])
    # The backup comes first: if the second write fails, the hook of the user stays.
    backup = FileEdit(hook.beside, displaced, hook.content, _mode(hook.path))
    return Step(state=f"{state}, after the hook that is there", changes=(backup, new))


def _removal(workspace: Workspace, hook: GitHook) -> Step:
    state = f"{_WHAT[hook.name]} no more"
    folder, name = hook.path.parent, hook.name
    hooks = (git_hook(folder, name, suffix) for suffix in _TAKEN_OVER)
    ours = next((hook for hook in hooks if hook.version is not None), None)
    if ours is None:
        return _removal_without_ours(workspace, hook, state)
    if obstacle := obstacle_to(workspace, ours):
        why_not = f"{obstacle.why_not}; it does nothing without ocm"
        return Step(state=state, why_not=why_not)
    text = hook_text(workspace, ours)
    if ours.content != text and ours.version == version(text):
        return Step(state=state, why_not=f"{ours.path} was changed since")
    return Step(state=state, changes=_restored(ours))


def _removal_without_ours(workspace: Workspace, hook: GitHook, state: str) -> Step:
    obstacle = obstacle_to(workspace, hook)
    if obstacle and obstacle.is_overcome:
        why_not = "you added the line that calls ocm; it does nothing without ocm"
        return Step(state=state, why_not=why_not)
    if not hook.beside.exists():
        return Step(state=state)
    if hook.content is None:
        return Step(state=state, changes=_restored(hook))
    if hook.content == hook.beside.read_bytes():  # who put it there was cut off
        return Step(state=state, changes=(FileEdit(hook.beside, hook.content, None),))
    why_not = f"{hook.path} is another one now; the one before is {hook.beside}"
    return Step(state=state, why_not=why_not)


def _restored(hook: GitHook) -> tuple[FileEdit, ...]:
    if not hook.beside.exists():
        return (FileEdit(hook.path, hook.content, None, folders=(hook.path.parent,)),)
    before = hook.beside.read_bytes()
    # The backup goes last, so that a crash between the two loses nothing.
    return (
        FileEdit(hook.path, hook.content, before, _mode(hook.beside)),
        FileEdit(hook.beside, before, None),
    )


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777
