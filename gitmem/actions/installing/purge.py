"""Steps that remove the memory itself, or what is left of it where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.installing.plan import Deed, Step
from gitmem.assistants.assistant import LAUNCHER
from gitmem.git.layout import OUR_REFS, own_dir
from gitmem.git.repository import Repository
from gitmem.store.install_manifest import manifest_path
from gitmem.store.readable_copies import copies_of, is_real_folder
from gitmem.store.trees.notes import REF as NOTES
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def has_memory(workspace: Workspace) -> bool:
    """Whether anything would be lost with the memory."""
    return bool(workspace.repository.refs(OUR_REFS) or workspace.store.journal.names())


def purged(work_trees: list[Workspace]) -> list[Step]:
    """The steps after which there is no memory: refs, journal, index and copies.

    `work_trees` are all those of the repository.
    """
    repository = work_trees[0].repository
    ids = [each.id for each in work_trees[0].store.memory().newest()]
    return [
        Step(
            what=f"{OUR_REFS} and {NOTES} are gone,"
            f" and {counted(len(ids), 'session')} with them",
            deeds=tuple(_ref_removals(repository)),
        ),
        Step(
            what="the readable copies of sessions are gone",
            deeds=tuple(_copy_removals(work_trees, ids)),
        ),
        leftovers_gone(repository.common_dir),
    ]


def leftovers_gone(common_dir: Path) -> Step:
    """Removes our folders in the common dir, journal included."""
    ours, index = own_dir(common_dir), common_dir / "ocm-index"
    deeds = [_FolderRemoval(index)] if index.exists() else []
    if set(_inside(ours)) - {common_dir / LAUNCHER, manifest_path(common_dir)}:
        deeds.append(_FolderRemoval(ours))
    return Step(what="journal, log and search index are gone", deeds=tuple(deeds))


def has_copies(work_tree: Path) -> bool:
    return bool(_inside(copies_of(work_tree)))


@dataclass(frozen=True, slots=True)
class _RefRemoval:
    repository: Repository
    what: str

    def carry_out(self) -> None:
        self.repository.delete_ref(self.what)
        for folder in ("refs", "logs/refs"):
            self._prune(self.repository.common_dir / folder)

    def _prune(self, folder: Path) -> None:
        """Remove the empty folders that it leaves behind."""
        parts = self.what.split("/")[1:-1]
        for depth in range(len(parts), 0, -1):
            with suppress(OSError):
                folder.joinpath(*parts[:depth]).rmdir()


@dataclass(frozen=True, slots=True)
class _FolderRemoval:
    folder: Path

    @property
    def what(self) -> str:
        return f"{self.folder}/"

    def carry_out(self) -> None:
        shutil.rmtree(self.folder)


@dataclass(frozen=True, slots=True)
class _CopyRemoval:
    copies: list[Path]

    @property
    def what(self) -> str:
        return f"{self.copies[0].parent}/ ({counted(len(self.copies), 'copy')})"

    def carry_out(self) -> None:
        for copy in self.copies:
            copy.unlink(missing_ok=True)
        folder = self.copies[0].parent
        for each in (folder, folder.parent):
            with suppress(OSError):  # somebody else has something there
                each.rmdir()


def _ref_removals(repository: Repository) -> Iterator[Deed]:
    """Of our refs and of the notes, which repeat what the memory says."""
    names = [*repository.refs(OUR_REFS), *repository.refs(NOTES)]
    for name in names:
        if name == NOTES or name.startswith(OUR_REFS):
            yield _RefRemoval(repository, name)


def _copy_removals(work_trees: list[Workspace], ids: list[str]) -> Iterator[Deed]:
    """The copies in the work trees, but for those that git tracks, and in our home."""
    home = work_trees[0].environment.home / "sessions"
    groups = [[home / f"{each}.md" for each in ids]]
    for each in work_trees:
        inside, root = _inside(copies_of(each.root)), each.root
        tracks = each.repository.tracks
        groups.append([p for p in inside if not tracks(str(p.relative_to(root)))])
    for group in groups:
        if there := [path for path in group if path.exists()]:
            yield _CopyRemoval(there)


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if is_real_folder(folder) else []
