"""Compare an untrusted tree with ours, whatever it may hold.

Only folders of ours are opened, once each, and only where they differ. What no gitmem
puts there is a stranger: it is reported and not opened.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Oid, TreeEntry
from gitmem.store.trees import tombstones
from gitmem.store.trees.document_tree import (
    FILES,
    FORMAT_FILE,
    MOST_OF_FOLDER,
    AnyTree,
    ReadTree,
)
from gitmem.store.trees.format_upgrade import is_old

MOST_TEXTS = 500_000
MOST_TOMBSTONES = 100_000
"""Names that are looked at in one sync, in the folders that differ; others stay closed.
"""
Versions = tuple[TreeEntry | None, TreeEntry | None]
"""The file of ours and of theirs, as `plain` files."""

MOST_LISTED = 20
_MOST_PATH = 200
"""Characters of a path that are shown: a name may be as long as anybody likes."""
_WORDS = {0o040000: "a folder", 0o120000: "a symbolic link", 0o160000: "a submodule"}
_UNKNOWN = "nothing that gitmem knows"


@frozen
class Stranger:
    """Something in a pulled tree that no gitmem puts there; it is not taken over."""

    path: str
    """Fit to be written anywhere, but for control characters."""
    what: str
    """Such as `a symbolic link`, `a submodule`, `in the wrong place`."""


@dataclass(slots=True)
class Difference:
    """How their tree differs from ours; what is untrusted there counts as in ours."""

    texts: dict[str, Versions] = field(default_factory=dict)
    """Differing documents, by session id."""
    tombstones: dict[str, Versions] = field(default_factory=dict)
    """Differing tombstones, by path."""
    strangers: list[Stranger] = field(default_factory=list)
    """The first ones."""
    more_strangers: int = 0
    """How many there are beside these."""
    own_strangers: set[str] = field(default_factory=set)
    """Paths of ours that are strangers and not so there: they go, or two clones with
    one each would take turns for ever."""

    def add_stranger(self, path: str, problem: str) -> None:
        if len(self.strangers) < MOST_LISTED:
            name = path.encode("utf-8", "surrogateescape")
            shown_path = name.decode("utf-8", "backslashreplace")[:_MOST_PATH]
            self.strangers.append(Stranger(shown_path, problem))
        else:
            self.more_strangers += 1


def difference(git: Repository, ours: AnyTree, theirs: AnyTree) -> Difference:
    """Compare two trees.

    Raises Damaged where git cannot read a tree, or does not have a text there.
    """
    difference = Difference()

    def itself(path: str) -> str | None:
        return path if tombstones.is_tombstone_path(path) else None

    def is_authentic(document_id: str, file: TreeEntry) -> bool:
        is_unchecked = kind.parent or is_old(theirs)
        return bool(is_unchecked) or kind.is_authentic(document_id, ours.content(file))

    kind = ours.kind
    bounds = kind.most_bytes, MOST_TEXTS
    texts = _Place(kind.folders, ours.id_at, *bounds, difference.texts, is_authentic)
    places = {kind.root: texts}
    if kind.parent is None:
        bounds = tombstones.MOST_BYTES, MOST_TOMBSTONES
        places[tombstones.ROOT] = _Place(
            _DIGITS, itself, *bounds, difference.tombstones
        )
    walk = _Walk(git, theirs.read_tree, difference)
    for name, was, now in _differing(ours.folder(""), theirs.folder("")):
        if place := places.get(name):
            walk.compare(place, name, was, now)
        elif name != FORMAT_FILE:
            walk.pass_over(name, was, now, _UNKNOWN)
        elif now and now.mode not in FILES:
            difference.add_stranger(name, _word(now))
    return difference


def plain(entry: TreeEntry | None) -> TreeEntry | None:
    """Return the file as gitmem writes it: not executable."""
    if entry is None or entry.mode == FILE_MODE:
        return entry
    return TreeEntry(entry.oid, FILE_MODE)


_DIGITS = (re.compile("[0-9a-f]{2}"),)


@dataclass(slots=True)
class _Place:
    """A folder of the root, and what belongs there."""

    levels: tuple[re.Pattern[str], ...]
    """What the names of folders look like, the outer ones first."""
    key: Callable[[str], str | None]
    """By what a file at a path is known; None where none belongs there."""
    most_bytes: int
    room: int
    """Names that may still be looked at."""
    versions: dict[str, Versions]
    """Differing files, by key."""
    is_authentic: Callable[[str, TreeEntry], bool] = lambda _key, _file: True
    """Tells by its text whether a file belongs to its key."""

    def excess(self, names: int) -> str | None:
        """Say what is too much to be looked at; None where there is room."""
        if names > MOST_OF_FOLDER:
            return f"{names:,} names, where at most {MOST_OF_FOLDER:,} are taken"
        if names > self.room:
            return "more than is taken at once"
        self.room -= names
        return None


_Entry = TreeEntry | None


class _Walk:
    """Through both trees, by what they have at one path."""

    def __init__(
        self, git: Repository, read_tree: ReadTree, difference: Difference
    ) -> None:
        self._git = git
        self._read_tree = read_tree
        self._found = difference
        self._opened: set[Oid] = set()

    def compare(
        self, place: _Place, path: str, was: _Entry, now: _Entry, depth: int = 0
    ) -> None:
        """Note what differs at a path where a folder belongs."""
        stranger = self._strange_folder(now)
        theirs = self._read_tree(now.oid) if now and not stranger else {}
        if stranger := stranger or place.excess(len(theirs)):
            self._found.add_stranger(path, stranger)
            return
        ours = self._read_tree(was.oid) if was and was.is_tree else {}
        for name, before, after in _differing(ours, theirs):
            inner = f"{path}/{name}", before, after
            if depth == len(place.levels):
                self._compare_files(place, *inner)
            elif place.levels[depth].fullmatch(name):
                self.compare(place, *inner, depth + 1)
            else:
                self.pass_over(*inner, "in the wrong place")

    def pass_over(self, path: str, was: _Entry, now: _Entry, why: str) -> None:
        """Note that no gitmem puts anything at a path."""
        if now:
            self._found.add_stranger(path, _word(now, why))
        if was:
            self._found.own_strangers.add(path)

    def _strange_folder(self, entry: _Entry) -> str | None:
        """Say what it is, if it is not a folder to open.

        Folders of ours have names with their date, so none is there twice; a tree that
        has one a million times would keep us for hours.
        """
        if entry and not entry.is_tree:
            return _word(entry, "a file where a folder belongs")
        if entry and entry.oid in self._opened:
            return "a folder that is there twice"
        self._opened |= {entry.oid} if entry else set()
        return None

    def _compare_files(
        self, place: _Place, path: str, was: _Entry, now: _Entry
    ) -> None:
        key = place.key(path)
        if was and not self._is_ours(place, key, was):
            self._found.own_strangers.add(path)
            was = None
        if now and (stranger := self._strange_file(place, key, now)):
            self._found.add_stranger(path, stranger)
        elif key:
            place.versions[key] = plain(was), plain(now)

    def _is_ours(self, place: _Place, key: str | None, entry: TreeEntry) -> bool:
        if key is None or entry.mode not in FILES:
            return False
        with suppress(Damaged):  # what cannot be read of ours stays
            return place.is_authentic(key, entry)
        return True

    def _strange_file(
        self, place: _Place, key: str | None, entry: TreeEntry
    ) -> str | None:
        if entry.mode not in FILES:
            return _word(entry)
        if key is None:
            return "in the wrong place"
        if self._git.blob_size(entry.oid) > place.most_bytes:
            return f"more than {place.most_bytes:,} bytes"
        if not place.is_authentic(key, entry):
            return "of another conversation than its name says"
        return None


def _differing(
    ours: Mapping[str, TreeEntry], theirs: Mapping[str, TreeEntry]
) -> Iterator[tuple[str, _Entry, _Entry]]:
    """Yield the names in two trees whose entries are not the same."""
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            yield name, ours.get(name), theirs.get(name)


def _word(entry: TreeEntry, otherwise: str = _UNKNOWN) -> str:
    return _WORDS.get(entry.mode, otherwise)
