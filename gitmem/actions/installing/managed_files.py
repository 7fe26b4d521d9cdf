"""Steps for gitmem's own files: registry, launcher, manifest, git's exclude file."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gitmem.actions.installing.blocks import MarkedBlock
from gitmem.actions.installing.plan import FileEdit, Merge, Step, content_of
from gitmem.actions.installing.user_files import (
    LOCAL_PATHS,
    Notes,
    UserFiles,
    placed,
    undone,
)
from gitmem.assistants.assistant import LAUNCHER
from gitmem.git.files import OWN
from gitmem.resources import resource
from gitmem.store.install_manifest import manifest, manifest_path
from gitmem.store.readable_copies import EXCLUDED, exclude_path
from gitmem.store.registry import (
    Registration,
    is_unreadable,
    registry_lock,
    registry_path,
    with_registration,
    without_registration,
)
from gitmem.text.insertion import SHELL
from gitmem.workspace import Workspace


def registered(workspace: Workspace) -> Step:
    new = Registration(
        project=workspace.project,
        root=str(workspace.root),
        git_dir=str(workspace.repository.common_dir),
        registered_at=workspace.now().isoformat(),
    )
    what = f"{workspace.project} is in the registry of your repositories"
    return _registry_step(workspace, what, partial(with_registration, new))


def unregistered(workspace: Workspace) -> Step:
    git_dir = str(workspace.repository.common_dir)
    what = f"{workspace.project} is not in the registry of your repositories"
    return _registry_step(workspace, what, partial(without_registration, git_dir))


def launcher_there(common_dir: Path) -> Step:
    """Plan the launcher, which all our entries start."""
    path = common_dir / LAUNCHER
    template = resource("hooks/run").read_text("utf-8")
    content = template.replace("@PYTHON@", shlex.quote(sys.executable)).encode()
    what = f"{shown(path)} starts gitmem with {sys.executable}"
    return _step(what, path, lambda _: content, mode=0o755)


def launcher_gone(common_dir: Path) -> Step:
    path = common_dir / LAUNCHER
    return _step(f"{shown(path)} is gone", path, lambda _: None)


def noted(common_dir: Path, notes: Notes, *, is_last: bool = False) -> Step:
    """Plan the manifest: first of the steps, or last when it goes."""
    path = manifest_path(common_dir)
    content = manifest(notes.values()) if notes else None
    says = "has what `ocm uninstall` will undo" if notes else "is gone"
    step = _step(f"{shown(path)} {says}", path, lambda _: content)
    return replace(step, is_first=not is_last, is_last=is_last)


def excluded(common_dir: Path, notes: Notes) -> Step:
    """Hide readable copies and the user's own files from git."""
    made = (each for each in notes.values() if each.created)
    own = sorted(f"/{x.path}" for x in made if x.local or x.path in LOCAL_PATHS)
    what = f"`git status` leaves out {', '.join([EXCLUDED, *own])}"
    return _excluding(common_dir, what, [EXCLUDED, *own], notes)


def included(common_dir: Path, notes: Notes, *, are_copies_kept: bool) -> Step:
    name = _exclude(common_dir)
    if are_copies_kept:
        notes.pop((str(common_dir), name), None)
        what = f"`git status` leaves out {EXCLUDED}, which has copies of sessions"
        return _excluding(common_dir, what, [EXCLUDED], {})
    what = "`git status` leaves out nothing of ours"
    step = undone(UserFiles(common_dir, notes), name)
    return replace(step, description=what) if step else Step(description=what)


def shown(path: Path) -> str:
    return "/".join(path.parts[-3:])


def _excluding(common_dir: Path, what: str, lines: Sequence[str], notes: Notes) -> Step:
    block = MarkedBlock(SHELL, "".join(f"{each}\n" for each in lines))
    return placed(UserFiles(common_dir, notes), _exclude(common_dir), what, block)


def _exclude(common_dir: Path) -> str:
    return exclude_path(common_dir).relative_to(common_dir).as_posix()


def _registry_step(workspace: Workspace, what: str, merge: Merge) -> Step:
    home = workspace.environment.home
    path = registry_path(home)
    step = _step(what, path, merge, lock=registry_lock(home))
    before = step.changes[0].before if step.changes else None
    if not is_unreadable(before):
        return step
    aside = _step(what, path.with_name(f"{path.name}.unreadable"), lambda _: before)
    return Step(description=what, changes=aside.changes + step.changes)


def _step(
    what: str, path: Path, merge: Merge, *, mode: int = OWN, lock: Path | None = None
) -> Step:
    try:
        before = content_of(path)
        is_so = before is None or mode == path.stat().st_mode & 0o777
    except OSError as error:
        return Step(description=what, fault=f"{path}: {error.strerror}")
    after = merge(before)
    if after == before and is_so:
        return Step(description=what)
    change = FileEdit(path, before, after, mode, 0o700, (path.parent,))
    if lock:
        change = replace(change, merge=merge, lock=lock)
    return Step(description=what, changes=(change,))
