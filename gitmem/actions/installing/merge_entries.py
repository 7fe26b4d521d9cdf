"""A file of the user with our entries, and without them again."""

from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.installing.entries import Entries, cleaned, has_ours, is_nothing
from gitmem.errors import InvalidInput
from gitmem.git.files import UserFile
from gitmem.store.install_manifest import (
    InstalledFile,
    is_intact,
    sha256,
    spans_of,
    without_spans,
)
from gitmem.text.insertion import Insertion, inserted


@dataclass(frozen=True, slots=True)
class Place:
    """A file as it was found, and what the manifest has of it."""

    root: Path
    file: UserFile
    noted: InstalledFile | None

    @property
    def path(self) -> str:
        """Relative to the root."""
        return self.file.path.relative_to(self.root).as_posix()

    @property
    def has_ours(self) -> bool:
        """Whether something of ours could be there, readable or not."""
        content = self.file.content or b""
        return has_ours(self.path, content.decode("utf-8", "replace"))

    @property
    def is_as_noted(self) -> bool:
        """Whether nobody has changed it since."""
        content = self.file.content
        return bool(self.noted and content and is_intact(self.noted, content))


@dataclass(frozen=True, slots=True)
class Merged:
    content: bytes | None
    note: InstalledFile | None
    """What the manifest shall have of it."""


def with_entries(place: Place, entries: Entries) -> Merged:
    """The file with these entries of ours and no others.

    It stays as it is where that is so. Raises InvalidInput for a file that cannot be
    read, NoPermission where an entry of the user stands in the way.
    """
    text = _text(place.file.content)
    if entries.are_in(text):
        return Merged(place.file.content, place.noted)
    base = without_entries(place)
    if not place.is_as_noted and (updated := entries.updated_in(text)):
        return Merged(updated.encode(), _note(place, base, (), None))
    insertions = entries.added_to(_text(base))
    content = inserted(_text(base), insertions).encode()
    return Merged(content, _note(place, base, insertions, content))


def without_entries(place: Place) -> bytes | None:
    """The content of the file without ours; None where it should not be there then.

    Byte for byte what it was before, if nobody has changed the file since.
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


def _note(
    place: Place,
    base: bytes | None,
    insertions: tuple[Insertion, ...],
    content: bytes | None,
) -> InstalledFile:
    """`content` is None where the insertions do not lead to it."""
    return InstalledFile(
        root=str(place.root),
        path=place.path,
        created=base is None or bool(place.noted and place.noted.created),
        folders=_folders(place),
        spans=spans_of(insertions),
        sha256=sha256(content) if content else "",
    )


def _folders(place: Place) -> tuple[str, ...]:
    """Those that are missing, and those made the last time; the inner ones first."""
    missing = (
        folder.relative_to(place.root).as_posix()
        for folder in place.file.path.parents
        if folder.is_relative_to(place.root) and not folder.exists()
    )
    noted = place.noted.folders if place.noted else ()
    return tuple(dict.fromkeys([*missing, *noted]))
