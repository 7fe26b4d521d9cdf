"""Steps that add our entries to one file of the user, and remove them."""

from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from gitmem.actions.installing.entries import Entries, cleaned, has_ours, is_nothing
from gitmem.actions.installing.plan import FileEdit, Step, leftovers
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.errors import GitmemError, InvalidInput, NoPermission
from gitmem.frozen import frozen
from gitmem.git.files import MOST_BYTES, UserFile, left_of, read_user_file
from gitmem.git.repository import Repository
from gitmem.store.install_manifest import (
    InstalledFile,
    installed_files,
    is_intact,
    sha256,
    spans_of,
    without_spans,
)
from gitmem.store.readable_copies import exclude_path
from gitmem.text.insertion import inserted

LOCAL_PATHS = {each.local for each in targets_of(CONFIGURED) if each.local}
PATHS = LOCAL_PATHS | {each.path for each in targets_of(CONFIGURED)}
"""All files of a work tree that `ocm init` may write."""
Notes = dict[tuple[str, str], InstalledFile]
"""The planned manifest, by root and path."""


@frozen
class TargetFile:
    path: str
    """Relative to the root."""
    file: UserFile
    noted: InstalledFile | None

    @property
    def has_ours(self) -> bool:
        """Whether the file, readable or not, may have an entry of ours."""
        content = self.file.content or b""
        return has_ours(self.path, content.decode("utf-8", "replace"))

    @property
    def is_as_noted(self) -> bool:
        """Whether the file is unchanged since."""
        content = self.file.content
        return bool(self.noted and content and is_intact(self.noted, content))


def read_notes(common_dir: Path) -> Notes:
    """Return the manifest, corrected if the repository was moved."""
    files = installed_files(common_dir)
    name = exclude_path(common_dir).relative_to(common_dir).as_posix()
    was = next((Path(file.root) for file in files if file.path == name), common_dir)
    roots = {str(was): str(common_dir)}
    if was.name == common_dir.name == ".git":
        roots[str(was.parent)] = str(common_dir.parent)
    moved = [replace(file, root=roots.get(file.root, file.root)) for file in files]
    return {(file.root, file.path): file for file in moved}


class UserFiles:
    """Files of the user below a folder that is resolved; a plan reads each once."""

    def __init__(
        self,
        root: Path,
        notes: Notes,
        git: Repository | None = None,
        *,
        is_named_whole: bool = False,
        new_mode: int | None = None,
    ) -> None:
        self.root, self.notes, self._git = root, notes, git
        self._is_named_whole, self.new_mode = is_named_whole, new_mode
        self._read = cache(partial(read_user_file, root))
        self._made = {folder for note in self.noted for folder in note.folders}

    @property
    def noted(self) -> list[InstalledFile]:
        return [note for note in self.notes.values() if note.root == str(self.root)]

    def made_folders(self, path: Path) -> tuple[str, ...]:
        """Return those above that are missing or were made by us, inner ones first.

        A folder is noted for all files in it, so that it goes with the last of them.
        """
        inside = (each for each in path.parents if each.is_relative_to(self.root))
        names = (each.relative_to(self.root).as_posix() for each in inside)
        return tuple(
            name
            for name in names
            if name in self._made or not (self.root / name).exists()
        )

    def shown(self, name: str) -> str:
        return str(self.root / name) if self._is_named_whole else name

    def find(self, name: str) -> TargetFile:
        """Raises NoPermission for a file that is not to be touched."""
        file = self._read(name)
        path = file.path.relative_to(self.root).as_posix()
        return TargetFile(path, file, self.notes.get((str(self.root), path)))

    def found(self, name: str) -> TargetFile | None:
        """Return the same, or None."""
        try:
            return self.find(name)
        except NoPermission:
            return None

    def has_ours(self, name: str) -> bool:
        place = self.found(name)
        return place is not None and place.has_ours

    def is_tracked(self, path: str) -> bool:
        """Tell whether git has the file, in the index or at HEAD."""
        git = self._git
        return bool(git and (git.tracks(path) or self._at_head(git, path) is not None))

    def is_of_team(self, name: str) -> bool:
        """Tell whether what git has of the file has entries of ours."""
        if self._git is None or not self.is_tracked(name):
            return False
        text = self._at_head(self._git, name)
        return self.has_ours(name) if text is None else has_ours(name, text)

    def _at_head(self, git: Repository, path: str) -> str | None:
        """Return the text that HEAD has, "" if unreadable; None without the file."""
        blob = None
        with suppress(GitmemError):
            head = git.head().commit
            blob = git.blobs(head, [path]).get(path) if head else None
            content = git.read_blob(blob, MOST_BYTES) if blob else b""
            return content.decode("utf-8", "replace") if blob else None
        return "" if blob else None


def placed(
    files: UserFiles, name: str, what: str, entries: Entries, *, is_local: bool = False
) -> Step:
    """Return the step that makes the file have these entries of ours alone.

    It is skipped if an entry of the user conflicts; an unreadable file is a failure.
    """
    try:
        place = files.find(name)
        after, note = _with_entries(files, place, entries)
    except (NoPermission, InvalidInput) as error:
        return _refused(what, files.shown(name), error)
    if note:
        files.notes[note.root, note.path] = replace(note, local=is_local)
    return _step(files, place, what, after)


def stays(files: UserFiles, name: str) -> bool:
    """Tell whether our entries stay in a tracked file.

    They do where somebody else put them there, or git would lose the file.
    """
    try:
        place = files.find(name)
        if not (place.has_ours and files.is_tracked(place.path)):
            return False
        return place.noted is None or _without_entries(place) is None
    except (InvalidInput, NoPermission):
        return False


def undone(files: UserFiles, name: str) -> Step | None:
    """Return the step that removes our entries; None if there are none."""
    shown = files.shown(name)
    what = f"{shown} has nothing of ours any more"
    try:
        place = files.find(name)
        if not (place.noted or place.has_ours):
            return None
        if place.is_as_noted or not place.file.content:
            what = f"{shown} is as it was before `ocm init`"
        step = _step(files, place, what, _without_entries(place))
    except NoPermission as error:
        is_noted = (str(files.root), name) in files.notes
        return _refused(what, shown, error) if is_noted else None
    except InvalidInput as error:
        return _refused(what, shown, error)
    files.notes.pop((str(files.root), place.path), None)
    return step


def _refused(what: str, shown: str, error: GitmemError) -> Step:
    if isinstance(error, NoPermission):
        return Step(description=what, why_not=f"{shown} {error.message}")
    return Step(description=what, fault=f"{shown}: {error.message}")


def _with_entries(
    files: UserFiles, place: TargetFile, entries: Entries
) -> tuple[bytes | None, InstalledFile | None]:
    """Return the content with the entries, and its note for the manifest."""
    if entries.are_in(_text(place.file.content)):
        return place.file.content, place.noted
    base = _without_entries(place)
    insertions = entries.added_to(_text(base))
    after = inserted(_text(base), insertions).encode()
    return after, InstalledFile(
        root=str(files.root),
        path=place.path,
        created=base is None or bool(place.noted and place.noted.created),
        folders=files.made_folders(place.file.path),
        spans=spans_of(insertions),
        sha256=sha256(after),
    )


def _without_entries(place: TargetFile) -> bytes | None:
    """Return the content without our entries; None if the file is to go.

    Byte for byte the earlier content, if the file is unchanged since.
    """
    if place.file.content is None:
        return None
    text = _text(place.file.content)
    if place.noted and place.is_as_noted:
        base = without_spans(text, place.noted.spans)
    else:
        base = cleaned(place.path, text)
    if base == text:
        return place.file.content
    is_our_file = place.noted is None or place.noted.created
    return None if is_our_file and is_nothing(place.path, base) else base.encode()


def _text(content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"line {line}: this is no UTF-8 text") from error


def _step(files: UserFiles, place: TargetFile, what: str, after: bytes | None) -> Step:
    """Return what gives it this content, and removes what an earlier run left there."""
    file = place.file
    noted = place.noted.folders if after is None and place.noted else ()
    folders = tuple(files.root / folder for folder in noted)
    there = (set(each.iterdir()) for each in folders if each.is_dir())
    is_left = any(each <= set(left_of(file.path)) for each in there)
    changes: tuple[FileEdit, ...] = ()
    if after != file.content or is_left:
        mode = file.mode or files.new_mode
        changes = (FileEdit(file.path, file.content, after, mode, folders=folders),)
    return Step(description=what, changes=changes, deeds=leftovers(file.path))
