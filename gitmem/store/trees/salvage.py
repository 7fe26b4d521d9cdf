"""Collect what can still be read of a memory with missing objects.

Of each file it takes the newest readable state: of the commit, else of an earlier one.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cache

from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid, TreeEntry


@frozen
class Salvage:
    changes: dict[str, Content] = field(default_factory=dict)
    """Changes to the newest complete commit, by path."""
    older: list[str] = field(default_factory=list)
    """Paths of which an earlier state is taken."""
    lost: list[str] = field(default_factory=list)
    """Paths of which there is no state that can be read."""


def salvaged(git: Repository, whole: Oid | None, states: Sequence[Oid]) -> Salvage:
    """Collect what `states`, commits from the newest on, have beyond a whole one."""
    search = _SalvageSearch(git)
    before, *trees = map(search.tree, [whole, *states])
    search.compare(before, trees, "")
    return search.found


def is_readable(git: Repository, blob: Oid) -> bool:
    with suppress(Damaged):
        return git.blob_size(blob) >= 0
    return False


class _SalvageSearch:
    def __init__(self, git: Repository) -> None:
        self._git = git
        self._listing = cache(self._read)
        self.found = Salvage()

    def tree(self, commit: Oid | None) -> Oid | None:
        with suppress(Damaged):
            return self._git.tree_of(commit)
        return None

    def compare(
        self, whole: Oid | None, trees: Iterable[Oid | None], folder: str
    ) -> None:
        """Compare trees at one place, the newest first; None where nothing is there."""
        listings = [self._listing(tree) for tree in trees]
        readable = [listing for listing in listings if listing is not None]
        if not readable:
            self.found.lost.append(folder)
            return
        if listings[0] is None:
            self.found.older.append(folder)
        before, (newest, *earlier) = self._listing(whole) or {}, readable
        for name in before.keys() | newest.keys():
            was, entry, path = before.get(name), newest.get(name), f"{folder}{name}"
            rest = [listing[name] for listing in earlier if name in listing]
            if entry is None:
                self.found.changes[path] = None
            elif entry != was and entry.is_tree:
                known_tree = was.oid if was and was.is_tree else None
                below = [
                    listed_entry.oid
                    for listed_entry in (entry, *rest)
                    if listed_entry.is_tree
                ]
                self.compare(
                    known_tree, dict.fromkeys([*below, known_tree]), f"{path}/"
                )
            elif entry != was:
                self._take(was, [entry, *rest], path)

    def _take(
        self, was: TreeEntry | None, states: Sequence[TreeEntry], path: str
    ) -> None:
        """Take the newest state of a file that can be read."""
        files = (entry for entry in states if not entry.is_tree)
        readable_file = next((f for f in files if is_readable(self._git, f.oid)), None)
        if readable_file != states[0]:
            (self.found.older if readable_file or was else self.found.lost).append(path)
        if readable_file and readable_file != was:
            self.found.changes[path] = readable_file

    def _read(self, tree: Oid | None) -> Mapping[str, TreeEntry] | None:
        with suppress(Damaged):
            return self._git.read_tree(tree) if tree else None
        return None
