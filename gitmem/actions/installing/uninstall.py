"""What `ocm uninstall` does, as a plan: everything as it was before `ocm init`.

The memory is no part of that. It stays, unless it is to be purged.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.installing import everywhere, git_hooks, managed_files
from gitmem.actions.installing.file_steps import (
    Notes,
    find,
    guarded,
    noted_files,
    notes_of,
    taken_out,
)
from gitmem.actions.installing.merge_entries import Place
from gitmem.actions.installing.plan import Step
from gitmem.actions.installing.purge import (
    has_copies,
    has_memory,
    leftovers_gone,
    purged,
)
from gitmem.actions.installing.work_trees import work_trees
from gitmem.actions.sharing.share_settings import turn_off
from gitmem.assistants.known import CONFIGURED
from gitmem.errors import GitmemError, NoPermission
from gitmem.workspace import Workspace


def planned(workspace: Workspace, *, is_purge: bool = False) -> list[Step]:
    """The plan for all work trees of the repository; nothing is written.

    What others put into files of the workspace's own work tree goes as well; in the
    other ones, only what is noted.
    """
    common_dir = workspace.repository.common_dir
    notes = notes_of(noted_files(common_dir))
    trees = work_trees(workspace, [root for root, _ in notes])
    files = list(_files(trees, notes))
    are_copies_kept = not is_purge and any(has_copies(each.root) for each in trees)
    excluded = managed_files.included(
        common_dir, notes, are_copies_kept=are_copies_kept
    )
    kept = _of_places(notes, [common_dir, *(each.root for each in trees)])
    return [
        *files,
        *git_hooks.removal(trees),
        *_unshared(workspace),
        *everywhere.said_nothing(workspace),
        excluded,
        managed_files.launcher_gone(common_dir),
        managed_files.noted(common_dir, kept, is_last=True),
        *(purged(trees) if is_purge else _leftovers(workspace, kept)),
        managed_files.unregistered(workspace),
    ]


def replay(workspace: Workspace) -> None:
    """Make commits of what is pending, as far as that is possible: nobody else will."""
    with suppress(GitmemError):
        workspace.store.replay()


def _files(trees: list[Workspace], notes: Notes) -> Iterator[Step]:
    """The steps for files of the user; what is undone leaves the notes."""
    here, seen = trees[0].root.resolve(), set[Path]()
    for root, name in _candidates(trees, notes):
        shown = name if root == here else str(root / name)
        try:
            place = find(root, name, notes)
        except NoPermission as error:
            if (str(root), name) in notes:
                what = f"{shown} has nothing of ours any more"
                yield Step(what=what, why_not=f"{shown} {error.message}")
            continue
        if (place.noted or place.has_ours) and place.file.path not in seen:
            seen.add(place.file.path)
            yield _restored(place, shown, notes)


def _candidates(trees: list[Workspace], notes: Notes) -> Iterator[tuple[Path, str]]:
    """The files that are noted, and here those of all assistants."""
    roots = [each.root.resolve() for each in trees if each.repository.work_tree]
    for root in roots:
        yield from [(root, path) for at, path in notes if at == str(root)]
    if trees[0].repository.work_tree:
        targets = [target for each in CONFIGURED for target in each.targets]
        paths = [path for each in targets for path in (each.path, each.local)]
        yield from [(roots[0], path) for path in filter(None, paths)]


def _restored(place: Place, shown: str, notes: Notes) -> Step:
    what = f"{shown} is as it was before `ocm init`"
    if place.file.content and not place.is_as_noted:
        what = f"{shown} has nothing of ours any more"
    return guarded(shown, what, lambda: taken_out(place, what, notes))


def _unshared(workspace: Workspace) -> Iterator[Step]:
    """Before our folder goes: what is known of the remote is in there."""
    if workspace.chosen:
        off = _SharingOff(workspace)
        yield Step(what="memory is shared with nobody", deeds=(off,))


@dataclass(frozen=True, slots=True)
class _SharingOff:
    workspace: Workspace
    what: str = "what git's configuration says of sharing memory"

    def carry_out(self) -> None:
        turn_off(self.workspace)


def _of_places(notes: Notes, roots: list[Path]) -> Notes:
    """What could not be undone; of work trees that are gone nothing is."""
    there = {str(root.resolve()) for root in roots}
    return {key: note for key, note in notes.items() if note.root in there}


def _leftovers(workspace: Workspace, kept: Notes) -> list[Step]:
    if kept or has_memory(workspace):
        return []
    return [leftovers_gone(workspace.repository.common_dir)]
