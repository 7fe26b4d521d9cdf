"""The plan of `ocm uninstall`: every file as it was before `ocm init`.

The memory stays, unless it is to be purged.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from gitmem.actions.installing import git_hooks, managed_files, user_settings
from gitmem.actions.installing.plan import Deed, Step, remove_empty
from gitmem.actions.installing.user_files import (
    PATHS,
    Manifest,
    UserFolder,
    is_left_to_team,
    read_manifest,
    removal_step,
)
from gitmem.actions.sharing.share_settings import turn_off
from gitmem.assistants.assistant import LAUNCHER
from gitmem.documents.kinds import SESSION
from gitmem.errors import GitmemError
from gitmem.git.layout import OUR_REFS, own_dir, private_dir
from gitmem.git.odb.packs import release
from gitmem.git.repository import Repository
from gitmem.store.install_manifest import manifest_path
from gitmem.store.readable_copies import (
    copies_of,
    copy_names,
    is_of_predecessor,
    is_real_folder,
)
from gitmem.store.trees.notes import REF as NOTES
from gitmem.text.counting import counted
from gitmem.work_trees import work_trees
from gitmem.workspace import Workspace


def planned(
    workspace: Workspace, *, is_purge: bool = False, is_for_team: bool = False
) -> list[Step]:
    """Return the plan for all work trees; write nothing.

    `is_for_team` takes our entries out of tracked files as well, in the workspace's
    own work tree also what others installed.
    """
    common_dir = workspace.repository.common_dir
    manifest = read_manifest(common_dir)
    trees = work_trees(workspace, [root for root, _ in manifest])
    files = list(_files(trees, manifest, is_for_team=is_for_team))
    has_copies = not is_purge and any(_inside(copies_of(tree.root)) for tree in trees)
    excluded = managed_files.exclude_removal_step(common_dir, manifest, has_copies)
    roots = {str(root.resolve()) for root in (common_dir, *(t.root for t in trees))}
    # What could not be undone stays recorded, so that a second run undoes it.
    remaining = {key: note for key, note in manifest.items() if note.root in roots}
    return [
        *files,
        *git_hooks.removal(trees),
        *_unshared(workspace),
        *user_settings.unset_steps(workspace),
        excluded,
        managed_files.launcher_removal_step(common_dir),
        managed_files.manifest_step(common_dir, remaining, is_last=True),
        *(_purged(trees) if is_purge else _leftovers(workspace, remaining)),
        managed_files.unregistration_step(workspace),
    ]


def has_memory(workspace: Workspace) -> bool:
    return bool(workspace.repository.refs(OUR_REFS) or workspace.store.journal.names())


def replay(workspace: Workspace) -> None:
    """Commit what is pending, if possible: no later command will."""
    with suppress(GitmemError):
        workspace.store.replay()


def left_to_team(workspace: Workspace) -> list[str]:
    """Return the files of the work tree that stay as they are, as git tracks them."""
    manifest = read_manifest(workspace.repository.common_dir)
    candidates = _candidates([workspace], manifest)
    return [name for files, name in candidates if is_left_to_team(files, name)]


def _files(
    trees: list[Workspace], manifest: Manifest, *, is_for_team: bool
) -> Iterator[Step]:
    for files, name in _candidates(trees, manifest):
        if not is_for_team and is_left_to_team(files, name):
            manifest.pop((str(files.root), name), None)
        elif step := removal_step(files, name):
            yield step


def _candidates(
    trees: list[Workspace], manifest: Manifest
) -> list[tuple[UserFolder, str]]:
    """Return each file that may have entries of ours once, also behind links."""
    candidates: dict[str, tuple[UserFolder, str]] = {}
    for tree in trees:
        if tree.repository.work_tree:
            root, is_here = tree.root.resolve(), tree is trees[0]
            git = tree.repository
            files = UserFolder(root, manifest, git, is_named_whole=not is_here)
            names = [file.path for file in files.installed]
            for name in (*names, *sorted(PATHS)) if is_here else names:
                candidates.setdefault(os.path.realpath(root / name), (files, name))
    return list(candidates.values())


def _unshared(workspace: Workspace) -> list[Step]:
    """Stop sharing, before the folder goes that knows the remote."""
    if not workspace.chosen:
        return []
    description = "what git's configuration says of sharing memory"
    off = Deed(description, partial(turn_off, workspace))
    return [Step(state="memory is shared with nobody", deeds=(off,))]


def _leftovers(workspace: Workspace, remaining: Manifest) -> list[Step]:
    if remaining or has_memory(workspace):
        return []
    return [_folders_gone(workspace.repository.common_dir)]


def _purged(trees: list[Workspace]) -> list[Step]:
    git = trees[0].repository
    memory = [*trees[0].store.memory().newest()]
    sessions = counted(len(memory), "session")
    names = [name for session in memory for name in copy_names(SESSION, session)]
    refs = [*git.refs(OUR_REFS), *(ref for ref in git.refs(NOTES) if ref == NOTES)]
    return [
        Step(
            state=f"{OUR_REFS} and {NOTES} are gone, and {sessions} with them",
            deeds=tuple(Deed(ref, partial(_remove_ref, git, ref)) for ref in refs),
        ),
        Step(
            state="the readable copies of sessions are gone",
            deeds=tuple(_copy_removals(trees, names)),
        ),
        _folders_gone(git.common_dir, private_dir(git.common_dir)),
    ]


def _folders_gone(common_dir: Path, *more: Path) -> Step:
    ours, index = own_dir(common_dir), common_dir / "ocm-index"
    folders = [folder for folder in (index, *more) if folder.exists()]
    if set(_inside(ours)) - {common_dir / LAUNCHER, manifest_path(common_dir)}:
        folders.append(ours)
    deeds = tuple(Deed(f"{path}/", partial(shutil.rmtree, path)) for path in folders)
    return Step(state="journal, log and search index are gone", deeds=deeds)


def _remove_ref(repository: Repository, ref: str) -> None:
    repository.delete_ref(ref)
    release(repository.common_dir)
    parts = ref.split("/")[1:-1]
    # Only empty folders go: `refs/ocm` may hold what another program put there.
    for folder in ("refs", "logs/refs"):
        top = repository.common_dir / folder
        remove_empty(top.joinpath(*parts[:n]) for n in range(len(parts), 0, -1))


def _copy_removals(trees: list[Workspace], names: list[str]) -> Iterator[Deed]:
    home = trees[0].environment.home / "sessions"
    groups = [[home / f"{name}.md" for name in names]]
    for tree in trees:
        root, tracks = tree.root, tree.repository.tracks
        ours = (x for x in _inside(copies_of(root)) if not is_of_predecessor(x))
        groups.append([x for x in ours if not tracks(str(x.relative_to(root)))])
    for group in groups:
        if existing := [path for path in group if path.exists()]:
            copies = counted(len(existing), "copy")
            description = f"{existing[0].parent}/ ({copies})"
            yield Deed(description, partial(_remove_copies, existing))


def _remove_copies(copies: list[Path]) -> None:
    for copy in copies:
        copy.unlink(missing_ok=True)
    folder = copies[0].parent
    remove_empty((folder, folder.parent))


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if is_real_folder(folder) else []
