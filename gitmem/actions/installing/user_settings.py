"""Hooks and server in the user's own settings, for all folders.

A client reads a project's settings only in the folder it is started in. The user's own
serve repositories whose git configuration enables it, or all, if the user's does.
"""

import os
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from pathlib import Path

from gitmem.actions.installing import managed_files
from gitmem.actions.installing.entries import entries_of, permitted
from gitmem.actions.installing.plan import Deed, Step
from gitmem.actions.installing.user_files import (
    Manifest,
    Row,
    UserFolder,
    install_steps,
    read_manifest,
    removal_step,
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
    environment = workspace.environment
    manifest = read_manifest(environment.home)
    rows = _rows(environment, assistants, manifest, is_agreed=allows_tools)
    file_steps = [*install_steps(rows)]
    return [
        managed_files.manifest_step(environment.home, manifest),
        managed_files.launcher_step(environment.home),
        *file_steps,
        *_enabling_steps(workspace, is_for_all=is_for_all),
    ]


def removal(environment: Environment) -> list[Step]:
    manifest = read_manifest(environment.home)
    paths = [Path(root, name) for root, name in manifest]
    paths += [path for _, path in _files(environment, CONFIGURED)]
    real = list(dict.fromkeys(map(_real_path, paths)))
    real.sort(key=lambda path: len(path.parts), reverse=True)  # inner folders first
    undoing = (removal_step(_files_beside(path, manifest), path.name) for path in real)
    files = [step for step in undoing if step]
    if is_on_for_all(EVERYWHERE_SETTING, environment.variables):
        files.append(_setting_step(None, None, environment))
    return [
        *files,
        managed_files.launcher_removal_step(environment.home),
        managed_files.manifest_step(environment.home, manifest, is_last=True),
    ]


def unset_steps(workspace: Workspace) -> list[Step]:
    if not _is_set_here(workspace):
        return []
    return [_setting_step(None, workspace, workspace.environment)]


def is_wanted(workspace: Workspace) -> bool:
    return is_on(workspace.repository, EVERYWHERE_SETTING)


def is_active(workspace: Workspace) -> bool:
    return is_wanted(workspace) and serves(workspace.environment)


def serves(environment: Environment) -> bool:
    paths = [
        _real_path(path)
        for target, path in _files(environment, CONFIGURED)
        if not isinstance(target.content, Server)
    ]
    return any(UserFolder(path.parent, {}).has_ours(path.name) for path in paths)


def installed_for_user(environment: Environment) -> list[str]:
    """Return the assistants whose user settings `ocm init` changed."""
    recorded = {Path(root, name) for root, name in read_manifest(environment.home)}
    return [
        assistant.name
        for assistant in CONFIGURED
        if any(
            _real_path(path) in recorded for _, path in _files(environment, [assistant])
        )
    ]


def _rows(
    environment: Environment,
    assistants: Iterable[Assistant],
    manifest: Manifest,
    *,
    is_agreed: bool,
) -> Iterator[Row]:
    launcher = environment.home / LAUNCHER
    for target, path in _files(environment, assistants):
        if allowed := permitted(target, path, is_agreed=is_agreed):
            file, state = _real_path(path), target.state.format(path=path)
            entries = entries_of(allowed, launcher)
            yield Row(_files_beside(file, manifest), file.name, state, entries)


def _files(
    environment: Environment, assistants: Iterable[Assistant]
) -> Iterator[tuple[Target, Path]]:
    chosen = list(assistants)
    user_targets = (target for assistant in chosen for target in assistant.user_targets)
    for target in (*targets_of(chosen), *user_targets):
        if target.user:
            yield target, target.user(environment.user_home, environment.variables)


def _files_beside(path: Path, manifest: Manifest) -> UserFolder:
    return UserFolder(path.parent, manifest, is_named_whole=True, new_mode=OWN)


def _real_path(path: Path) -> Path:
    """Follow the user's own links, as from a folder of dotfiles."""
    return Path(os.path.realpath(path))


def _enabling_steps(workspace: Workspace, *, is_for_all: bool) -> Iterator[Step]:
    """Yield the steps that serve this repository, or all of them."""
    environment, is_served = workspace.environment, is_wanted(workspace)
    if is_for_all:
        step = _setting_step("true", None, environment)
        is_everywhere = is_on_for_all(EVERYWHERE_SETTING, environment.variables)
        yield Step(state=step.state) if is_everywhere else step
    if not is_for_all or (_is_set_here(workspace) and not is_served):
        step = _setting_step("true", workspace, environment)
        yield Step(state=step.state) if is_served else step


def _is_set_here(workspace: Workspace) -> bool:
    return is_set_here(workspace.repository, EVERYWHERE_SETTING)


def _setting_step(
    value: str | None, workspace: Workspace | None, environment: Environment
) -> Step:
    """Return the step that sets or unsets it; without a workspace, for all."""

    def change() -> None:
        if workspace:
            set_config(workspace.repository, EVERYWHERE_SETTING, value)
        else:
            set_for_all(EVERYWHERE_SETTING, value, environment.variables)

    served = workspace.project if workspace else "every repository of yours"
    state = f"your own settings serve {served}, in all work trees and folders"
    if value is None:
        state = f"{EVERYWHERE_SETTING} says nothing about {served}"
    scope = "" if workspace else "--global "
    command = f"git config {scope}{EVERYWHERE_SETTING} {value or ''}".rstrip()
    verb = "set" if value else "unset"
    return Step(state=state, deeds=(Deed(command, change),), verb=verb)
