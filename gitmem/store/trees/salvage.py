"""What can still be read of a memory whose objects are gone in part.

Of every file there is taken the newest state that git can read: of the commit itself,
else of one before it. So the result has all that can be had, and nothing that cannot.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gitmem.errors import Damaged
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid, TreeEntry

_Trees = Sequence[Oid | None]
"""At one place, of several commits: the newest first; None where nothing is there."""


@dataclass(frozen=True, slots=True)
class Salvage:
    changes: Mapping[str, Content]
    """What differs from the commit that is whole."""
    older: tuple[str, ...]
    """Paths of which an earlier state is taken."""
    lost: tuple[str, ...]
    """Paths of which there is no state that can be read."""


def salvaged(git: Repository, whole: Oid | None, states: Sequence[Oid]) -> Salvage:
    """What `states`, commits from the newest on, have beyond one that is whole."""
    trees = [_tree(git, commit) for commit in states]
    found = _Found(git)
    found.compare(_tree(git, whole) if whole else None, trees, "")
    return Salvage(found.changes, tuple(found.older), tuple(found.lost))


class _Found:
    def __init__(self, git: Repository) -> None:
        self._git = git
        self._listing = cache(self._read)
        self.changes: dict[str, Content] = {}
        self.older: list[str] = []
        self.lost: list[str] = []

    def compare(self, whole: Oid | None, trees: _Trees, folder: str) -> None:
        before = self._listing(whole) or {}
        listing, rest = self._newest(trees, folder)
        if listing is None:
            self.lost.append(folder)
            return
        for name in before.keys() - listing.keys():
            self.changes[f"{folder}{name}"] = None
        for name, entry in listing.items():
            if before.get(name) != entry:
                self._take(before.get(name), entry, rest, f"{folder}{name}")

    def _take(
        self, before: TreeEntry | None, entry: TreeEntry, rest: _Trees, path: str
    ) -> None:
        name = path.rpartition("/")[2]
        if entry.is_tree:
            known = before.oid if before and before.is_tree else None
            earlier = (each.oid for each in self._earlier(rest, name) if each.is_tree)
            below = dict.fromkeys([entry.oid, *earlier, known])
            self.compare(known, list(below), f"{path}/")
        elif self._is_there(entry):
            self.changes[path] = entry
        else:
            older = filter(self._is_there, self._earlier(rest, name))
            self._take_older(path, before, next(older, None))

    def _take_older(
        self, path: str, before: TreeEntry | None, found: TreeEntry | None
    ) -> None:
        if found and found != before:
            self.changes[path] = found
        (self.older if found or before else self.lost).append(path)

    def _newest(
        self, trees: _Trees, folder: str
    ) -> tuple[Mapping[str, TreeEntry] | None, _Trees]:
        """What the newest has that can be read, and those before it."""
        for number, tree in enumerate(trees):
            if (listing := self._listing(tree)) is not None:
                if number:
                    self.older.append(folder)
                return listing, trees[number + 1 :]
        return None, ()

    def _earlier(self, trees: _Trees, name: str) -> Iterator[TreeEntry]:
        for tree in trees:
            entry = (self._listing(tree) or {}).get(name)
            if entry:
                yield entry

    def _read(self, tree: Oid | None) -> Mapping[str, TreeEntry] | None:
        try:
            return self._git.read_tree(tree) if tree else None
        except Damaged:
            return None

    def _is_there(self, entry: TreeEntry) -> bool:
        try:
            return self._git.blob_size(entry.oid) >= 0
        except Damaged:
            return False


def _tree(git: Repository, commit: Oid) -> Oid | None:
    try:
        return git.tree_of(commit)
    except Damaged:
        return None
