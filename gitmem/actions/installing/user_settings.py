"""Hooks and server in the user's own settings, for all folders.

A client reads a project's settings only in the folder it is started in. The user's own
serve repositories whose git configuration enables it, or all, if the user's does.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from pathlib import Path

from gitmem.actions.installing import managed_files
from gitmem.actions.installing.entries import allowed_in, entries_of
from gitmem.actions.installing.plan import Deed, Step
from gitmem.actions.installing.user_files import (
    Notes,
    UserFiles,
    placed,
    read_notes,
    undone,
)
from gitmem.assistants.assistant import LAUNCHER, Assistant, Server, Target
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.config import EVERYWHERE_SETTING, Environment
from gitmem.git.config import is_on, is_on_for_all, is_set_here, set_config, set_for_all
from gitmem.git.files import OWN
from gitmem.workspace import Workspace


class Scope(Enum):
    """Where a repository's assistants get hooks and server."""

    WORK_TREE = auto()  # by files of it, in its topmost folder
    REPOSITORY = auto()  # by the user's own settings, in all of its folders
    ALL = auto()  # the same, in every repository


def planned(
    workspace: Workspace,
    assistants: Iterable[Assistant],
    *,
    is_for_all: bool,
    allows_tools: bool,
) -> list[Step]:
    environment, files = workspace.environment, list[Step]()
    launcher, notes = environment.home / LAUNCHER, read_notes(environment.home)
    for target, path in _files(environment, assistants):
        if allows_tools or not target.is_permission or path.exists():
            rules = rules_for(target, path, allows_tools=allows_tools)
            entries = entries_of(target, launcher, rules)
            what, real = target.description.format(path=path), _real(path)
            files.append(placed(_files_beside(real, notes), real.name, what, entries))
    return [
        managed_files.noted(environment.home, notes),
        managed_files.launcher_there(environment.home),
        *files,
        *_said_yes(workspace, is_for_all=is_for_all),
    ]


def removal(environment: Environment) -> list[Step]:
    notes = read_notes(environment.home)
    paths = [Path(root, name) for root, name in notes]
    paths += [path for _, path in _files(environment, CONFIGURED)]
    real = list(dict.fromkeys(map(_real, paths)))
    real.sort(key=lambda path: len(path.parts), reverse=True)  # inner folders first
    undoing = (undone(_files_beside(path, notes), path.name) for path in real)
    files = [step for step in undoing if step]
    if is_on_for_all(EVERYWHERE_SETTING, environment.variables):
        files.append(_said(None, None, environment))
    return [
        *files,
        managed_files.launcher_gone(environment.home),
        managed_files.noted(environment.home, notes, is_last=True),
    ]


def said_nothing(workspace: Workspace) -> list[Step]:
    if not _is_said_here(workspace):
        return []
    return [_said(None, workspace, workspace.environment)]


def is_wanted(workspace: Workspace) -> bool:
    return is_on(workspace.repository, EVERYWHERE_SETTING)


def is_active(workspace: Workspace) -> bool:
    return is_wanted(workspace) and serves(workspace.environment)


def serves(environment: Environment) -> bool:
    paths = [
        _real(path)
        for target, path in _files(environment, CONFIGURED)
        if not isinstance(target.content, Server)
    ]
    return any(UserFiles(path.parent, {}).has_ours(path.name) for path in paths)


def noted_for_user(environment: Environment) -> list[str]:
    """Return the assistants whose user settings `ocm init` changed."""
    noted = {Path(root, name) for root, name in read_notes(environment.home)}
    return [
        each.name
        for each in CONFIGURED
        if any(_real(path) in noted for _, path in _files(environment, [each]))
    ]


def rules_for(target: Target, path: Path, *, allows_tools: bool) -> Sequence[str]:
    """Return the rules that the user agrees to, or agreed to before."""
    if allows_tools or not target.allow:
        return target.allow
    there = allowed_in(path)
    return [rule for rule in target.allow if rule in there]


def _files(
    environment: Environment, assistants: Iterable[Assistant]
) -> Iterator[tuple[Target, Path]]:
    chosen = list(assistants)
    alone = (target for each in chosen for target in each.user_targets)
    for target in (*targets_of(chosen), *alone):
        if target.user:
            yield target, target.user(environment.user_home, environment.variables)


def _files_beside(path: Path, notes: Notes) -> UserFiles:
    return UserFiles(path.parent, notes, is_named_whole=True, new_mode=OWN)


def _real(path: Path) -> Path:
    """Follow the user's own links, as from a folder of dotfiles."""
    return Path(os.path.realpath(path))


def _said_yes(workspace: Workspace, *, is_for_all: bool) -> Iterator[Step]:
    """Yield the steps that serve this repository, or all of them."""
    environment, is_so = workspace.environment, is_wanted(workspace)
    if is_for_all:
        step = _said("true", None, environment)
        is_there = is_on_for_all(EVERYWHERE_SETTING, environment.variables)
        yield Step(description=step.description) if is_there else step
    if not is_for_all or (_is_said_here(workspace) and not is_so):
        step = _said("true", workspace, environment)
        yield Step(description=step.description) if is_so else step


def _is_said_here(workspace: Workspace) -> bool:
    return is_set_here(workspace.repository, EVERYWHERE_SETTING)


def _said(
    value: str | None, workspace: Workspace | None, environment: Environment
) -> Step:
    """Return the step that sets or unsets it; without a workspace, for all."""

    def set_it() -> None:
        if workspace:
            set_config(workspace.repository, EVERYWHERE_SETTING, value)
        else:
            set_for_all(EVERYWHERE_SETTING, value, environment.variables)

    whom = workspace.project if workspace else "every repository of yours"
    what = f"your own settings serve {whom}, in all work trees and folders"
    if value is None:
        what = f"{EVERYWHERE_SETTING} says nothing about {whom}"
    scope = "" if workspace else "--global "
    command = f"git config {scope}{EVERYWHERE_SETTING} {value or ''}".rstrip()
    verb = "set" if value else "unset"
    return Step(description=what, deeds=(Deed(command, set_it),), verb=verb)
