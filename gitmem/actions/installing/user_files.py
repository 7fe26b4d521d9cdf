"""Steps that add our entries to one file of the user, and remove them."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from gitmem.actions.installing.blocks import Entries, joined
from gitmem.actions.installing.entries import cleaned, has_ours, is_nothing
from gitmem.actions.installing.plan import FileEdit, Step, leftover_deeds
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

LOCAL_PATHS = {target.local for target in targets_of(CONFIGURED) if target.local}
PATHS = LOCAL_PATHS | {target.path for target in targets_of(CONFIGURED)}
"""All files of a work tree that `ocm init` may write."""
Manifest = dict[tuple[str, str], InstalledFile]
"""The planned manifest, by root and path."""


@frozen
class TargetFile:
    path: str
    """Relative to the root."""
    file: UserFile
    record: InstalledFile | None

    @property
    def has_ours(self) -> bool:
        """Whether the file, readable or not, may have an entry of ours."""
        content = self.file.content or b""
        return has_ours(self.path, content.decode("utf-8", "replace"))

    @property
    def is_unchanged(self) -> bool:
        """Whether the file is unchanged since."""
        content = self.file.content
        return bool(self.record and content and is_intact(self.record, content))


def read_manifest(common_dir: Path) -> Manifest:
    """Return the manifest, corrected if the repository was moved."""
    files = installed_files(common_dir)
    name = exclude_path(common_dir).relative_to(common_dir).as_posix()
    was = next((Path(file.root) for file in files if file.path == name), common_dir)
    roots = {str(was): str(common_dir)}
    if was.name == common_dir.name == ".git":
        roots[str(was.parent)] = str(common_dir.parent)
    moved = [replace(file, root=roots.get(file.root, file.root)) for file in files]
    return {(file.root, file.path): file for file in moved}


class UserFolder:
    """Files of the user below a folder that is resolved; a plan reads each once."""

    def __init__(
        self,
        root: Path,
        manifest: Manifest,
        git: Repository | None = None,
        *,
        is_named_whole: bool = False,
        new_mode: int | None = None,
    ) -> None:
        self.root, self.manifest, self._git = root, manifest, git
        self._is_named_whole, self.new_mode = is_named_whole, new_mode
        self._read = cache(partial(read_user_file, root))
        self._made = {folder for note in self.installed for folder in note.folders}

    @property
    def installed(self) -> list[InstalledFile]:
        return [note for note in self.manifest.values() if note.root == str(self.root)]

    def made_folders(self, path: Path) -> tuple[str, ...]:
        """Return the folders above that are missing or ours, inner ones first.

        A folder is recorded for all files in it, so that it goes with the last of them.
        """
        inside = (folder for folder in path.parents if folder.is_relative_to(self.root))
        names = (folder.relative_to(self.root).as_posix() for folder in inside)
        return tuple(
            name
            for name in names
            if name in self._made or not (self.root / name).exists()
        )

    def display_name(self, name: str) -> str:
        return str(self.root / name) if self._is_named_whole else name

    def find(self, name: str) -> TargetFile:
        """Raises NoPermission for a file that is not to be touched."""
        file = self._read(name)
        path = file.path.relative_to(self.root).as_posix()
        return TargetFile(path, file, self.manifest.get((str(self.root), path)))

    def find_or_none(self, name: str) -> TargetFile | None:
        """Return None for a file that is not to be touched."""
        try:
            return self.find(name)
        except NoPermission:
            return None

    def has_ours(self, name: str) -> bool:
        place = self.find_or_none(name)
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


@frozen
class Row:
    """A file, and entries of ours that it is to have."""

    files: UserFolder
    path: str
    state: str
    entries: Entries
    is_local: bool = False


def install_steps(rows: Iterable[Row]) -> Iterator[Step]:
    """Yield a step for each file of a table; several rows of a file become one."""
    table: dict[tuple[Path, str], Row] = {}
    for row in rows:
        first = table.get(key := (row.files.root, row.path))
        entries = joined(first.entries, row.entries) if first else row.entries
        table[key] = replace(first or row, entries=entries)
    yield from map(install_step, table.values())


def install_step(row: Row) -> Step:
    """Return the step that makes the file have these entries of ours alone.

    It is skipped if an entry of the user conflicts; an unreadable file is a failure.
    """
    files = row.files
    try:
        place = files.find(row.path)
        after, record = _with_entries(files, place, row.entries)
    except (NoPermission, InvalidInput) as error:
        return _refused(row.state, files.display_name(row.path), error)
    if record:
        files.manifest[record.root, record.path] = replace(record, local=row.is_local)
    return _step(files, place, row.state, after)


def is_left_to_team(files: UserFolder, name: str) -> bool:
    """Tell whether our entries stay in a tracked file.

    They do where somebody else put them there, or git would lose the file.
    """
    try:
        place = files.find(name)
        if not (place.has_ours and files.is_tracked(place.path)):
            return False
        return place.record is None or _without_entries(place) is None
    except (InvalidInput, NoPermission):
        return False


def removal_step(files: UserFolder, name: str) -> Step | None:
    """Return the step that removes our entries; None if there are none."""
    name_shown = files.display_name(name)
    state = f"{name_shown} has nothing of ours any more"
    try:
        place = files.find(name)
        if not (place.record or place.has_ours):
            return None
        if place.is_unchanged or not place.file.content:
            state = f"{name_shown} is as it was before `ocm init`"
        step = _step(files, place, state, _without_entries(place))
    except NoPermission as error:
        is_recorded = (str(files.root), name) in files.manifest
        return _refused(state, name_shown, error) if is_recorded else None
    except InvalidInput as error:
        return _refused(state, name_shown, error)
    files.manifest.pop((str(files.root), place.path), None)
    return step


def _refused(state: str, name_shown: str, error: GitmemError) -> Step:
    if isinstance(error, NoPermission):
        return Step(state=state, why_not=f"{name_shown} {error.message}")
    return Step(state=state, fault=f"{name_shown}: {error.message}")


def _with_entries(
    files: UserFolder, place: TargetFile, entries: Entries
) -> tuple[bytes | None, InstalledFile | None]:
    """Return the content with the entries, and its note for the manifest."""
    if entries.are_in(_text(place.file.content)):
        return place.file.content, place.record
    base = _without_entries(place)
    insertions = entries.added_to(_text(base))
    after = inserted(_text(base), insertions).encode()
    return after, InstalledFile(
        root=str(files.root),
        path=place.path,
        created=base is None or bool(place.record and place.record.created),
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
    if place.record and place.is_unchanged:
        # Only an unchanged file still has our entries at the recorded offsets.
        base = without_spans(text, place.record.spans)
    else:
        base = cleaned(place.path, text)
    if base == text:
        return place.file.content
    is_our_file = place.record is None or place.record.created
    return None if is_our_file and is_nothing(place.path, base) else base.encode()


def _text(content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"line {line}: this is no UTF-8 text") from error


def _step(
    files: UserFolder, place: TargetFile, state: str, after: bytes | None
) -> Step:
    """Return what gives it this content, and removes what an earlier run left there."""
    file = place.file
    folder_names = place.record.folders if after is None and place.record else ()
    folders = tuple(files.root / folder for folder in folder_names)
    contents = (set(folder.iterdir()) for folder in folders if folder.is_dir())
    has_leftovers = any(folder <= set(left_of(file.path)) for folder in contents)
    changes: tuple[FileEdit, ...] = ()
    if after != file.content or has_leftovers:
        mode = file.mode or files.new_mode
        changes = (FileEdit(file.path, file.content, after, mode, folders=folders),)
    return Step(state=state, changes=changes, deeds=leftover_deeds(file.path))
