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
    Manifest,
    Row,
    UserFolder,
    install_step,
    removal_step,
)
from gitmem.assistants.assistant import LAUNCHER
from gitmem.git.files import OWN
from gitmem.resources import resource
from gitmem.store.install_manifest import manifest_content, manifest_path
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


def registration_step(workspace: Workspace) -> Step:
    new = Registration(
        project=workspace.project,
        root=str(workspace.root),
        git_dir=str(workspace.repository.common_dir),
        registered_at=workspace.now().isoformat(),
    )
    state = f"{workspace.project} is in the registry of your repositories"
    return _registry_step(workspace, state, partial(with_registration, new))


def unregistration_step(workspace: Workspace) -> Step:
    git_dir = str(workspace.repository.common_dir)
    state = f"{workspace.project} is not in the registry of your repositories"
    return _registry_step(workspace, state, partial(without_registration, git_dir))


def launcher_step(common_dir: Path) -> Step:
    """Plan the launcher, which all our entries start."""
    path = common_dir / LAUNCHER
    template = resource("hooks/run").read_text("utf-8")
    content = template.replace("@PYTHON@", shlex.quote(sys.executable)).encode()
    state = f"{short_path(path)} starts gitmem with {sys.executable}"
    return _step(state, path, lambda _: content, mode=0o755)


def launcher_removal_step(common_dir: Path) -> Step:
    path = common_dir / LAUNCHER
    return _step(f"{short_path(path)} is gone", path, lambda _: None)


def manifest_step(
    common_dir: Path, manifest: Manifest, *, is_last: bool = False
) -> Step:
    """Plan the manifest: first of the steps, or last when it goes."""
    path = manifest_path(common_dir)
    content = manifest_content(manifest.values()) if manifest else None
    says = "has what `ocm uninstall` will undo" if manifest else "is gone"
    step = _step(f"{short_path(path)} {says}", path, lambda _: content)
    return replace(step, is_first=not is_last, is_last=is_last)


def exclude_step(common_dir: Path, manifest: Manifest) -> Step:
    """Hide readable copies and the user's own files from git."""
    private = sorted(
        f"/{file.path}"
        for file in manifest.values()
        if file.created and (file.local or file.path in LOCAL_PATHS)
    )
    state = f"`git status` leaves out {', '.join([EXCLUDED, *private])}"
    return _excluding(common_dir, state, [EXCLUDED, *private], manifest)


def exclude_removal_step(
    common_dir: Path, manifest: Manifest, has_copies: bool
) -> Step:
    name = _exclude(common_dir)
    if has_copies:
        manifest.pop((str(common_dir), name), None)
        state = f"`git status` leaves out {EXCLUDED}, which has copies of sessions"
        return _excluding(common_dir, state, [EXCLUDED], {})
    state = "`git status` leaves out nothing of ours"
    step = removal_step(UserFolder(common_dir, manifest), name)
    return replace(step, state=state) if step else Step(state=state)


def short_path(path: Path) -> str:
    return "/".join(path.parts[-3:])


def _excluding(
    common_dir: Path, state: str, lines: Sequence[str], manifest: Manifest
) -> Step:
    block = MarkedBlock(SHELL, "".join(f"{line}\n" for line in lines))
    files = UserFolder(common_dir, manifest)
    return install_step(Row(files, _exclude(common_dir), state, block))


def _exclude(common_dir: Path) -> str:
    return exclude_path(common_dir).relative_to(common_dir).as_posix()


def _registry_step(workspace: Workspace, state: str, merge: Merge) -> Step:
    home = workspace.environment.home
    path = registry_path(home)
    step = _step(state, path, merge, lock=registry_lock(home))
    before = step.changes[0].before if step.changes else None
    if not is_unreadable(before):
        return step
    aside = _step(state, path.with_name(f"{path.name}.unreadable"), lambda _: before)
    return Step(state=state, changes=aside.changes + step.changes)


def _step(
    state: str, path: Path, merge: Merge, *, mode: int = OWN, lock: Path | None = None
) -> Step:
    try:
        before = content_of(path)
        is_so = before is None or mode == path.stat().st_mode & 0o777
    except OSError as error:
        return Step(state=state, fault=f"{path}: {error.strerror}")
    after = merge(before)
    if after == before and is_so:
        return Step(state=state)
    change = FileEdit(path, before, after, mode, 0o700, (path.parent,))
    if lock:
        change = replace(change, merge=merge, lock=lock)
    return Step(state=state, changes=(change,))
