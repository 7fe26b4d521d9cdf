"""Steps that put our entries into one file of the user, and that take them out."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gitmem.actions.installing.entries import Entries
from gitmem.actions.installing.merge_entries import Place, with_entries, without_entries
from gitmem.actions.installing.plan import Change, Step, removals_of_left
from gitmem.errors import InvalidInput, NoPermission
from gitmem.git.files import left_of, read_user_file
from gitmem.store.install_manifest import InstalledFile, installed_files
from gitmem.store.readable_copies import exclude_path

Notes = dict[tuple[str, str], InstalledFile]
"""What the manifest shall have, by root and path: whoever plans keeps it true."""


def notes_of(files: list[InstalledFile]) -> Notes:
    return {(file.root, file.path): file for file in files}


def noted_files(common_dir: Path) -> list[InstalledFile]:
    """What the manifest has, by where the repository is now: it may have been moved.

    The manifest is inside of it, and has a file of the common dir itself.
    """
    files = installed_files(common_dir)
    name = exclude_path(common_dir).relative_to(common_dir).as_posix()
    was = next((Path(file.root) for file in files if file.path == name), common_dir)
    roots = {str(was): str(common_dir)}
    if was.name == common_dir.name == ".git":
        roots[str(was.parent)] = str(common_dir.parent)
    return [replace(file, root=roots.get(file.root, file.root)) for file in files]


def find(root: Path, name: str, notes: Notes) -> Place:
    """The file that a name leads to; `root` is an absolute path without links.

    Raises NoPermission where it is not to be touched.
    """
    file = read_user_file(root, name)
    path = file.path.relative_to(root).as_posix()
    return Place(root, file, notes.get((str(root), path)))


def added(
    place: Place, what: str, entries: Entries, notes: Notes, *, is_local: bool = False
) -> Step:
    """The step that makes the entries be in the file, and no others of ours.

    Raises NoPermission where an entry of the user stands in the way, InvalidInput for
    a file that cannot be read.
    """
    merged = with_entries(place, entries)
    if merged.note:
        note = replace(merged.note, local=is_local)
        notes[note.root, note.path] = note
    return _step(place, what, merged.content)


def taken_out(place: Place, what: str, notes: Notes) -> Step:
    """The step that takes ours out of the file. Raises InvalidInput as above."""
    step = _step(place, what, without_entries(place))
    notes.pop((str(place.root), place.path), None)
    return step


def guarded(name: str, what: str, planned: Callable[[], Step]) -> Step:
    """What is planned; or a step that is not done, and says why."""
    try:
        return planned()
    except NoPermission as error:
        return Step(what=what, why_not=f"{name} {error.message}")
    except InvalidInput as error:
        return Step(what=what, fault=f"{name}: {error.message}")


def _step(place: Place, what: str, after: bytes | None) -> Step:
    """What makes it have this content, and leaves nothing of an earlier time beside."""
    left = removals_of_left(place.file.path)
    return Step(what=what, changes=_changes(place, after), deeds=left)


def _changes(place: Place, after: bytes | None) -> tuple[Change, ...]:
    file = place.file
    folders = place.noted.folders if after is None and place.noted else ()
    paths = tuple(place.root / folder for folder in folders)
    left = set(left_of(file.path))
    if after == file.content and not any(_has_only(left, each) for each in paths):
        return ()
    return (Change(file.path, file.content, after, file.mode, folders=paths),)


def _has_only(left: set[Path], folder: Path) -> bool:
    """Of a folder that was made for a file, before somebody was cut off."""
    return folder.is_dir() and set(folder.iterdir()) <= left
