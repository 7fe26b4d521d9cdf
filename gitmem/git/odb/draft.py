"""New objects in memory, written all at once.

A library that writes object by object makes a file of each, and syncs each time.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from gitmem.errors import Damaged
from gitmem.git.odb import objects
from gitmem.git.odb.objects import GitObject, Kind, ObjectFormat
from gitmem.git.values import (
    FILE_MODE,
    TREE_MODE,
    Content,
    Oid,
    Signature,
    TreeChanges,
    TreeEntry,
)
from gitmem.redaction.redact import Redacted

ReadTree = Callable[[Oid], dict[bytes, TreeEntry]]
"""A tree of the repository as git has it, whatever there is in it."""
_REFUSED = ("", ".", "..", ".git")
"""Names that are in no tree."""
_Inside = dict[bytes, dict[str, Content]]


class Objects(Protocol):
    """What is there to read, and new objects after it."""

    def config(self, key: str) -> str | None:
        """Return a setting, as `git config --get KEY`."""

    def config_values(self, key: str) -> list[str]:
        """Return all values of a setting, as `git config --get-all KEY`."""

    def resolve_ref(self, name: str) -> Oid | None:
        """Return the commit a ref points to; None when there is no such ref."""

    def tree_of(self, commit: Oid) -> Oid | None:
        """Return the tree of a commit; None when there is no such commit."""

    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]: ...

    def read_blob(self, blob: Oid, most: int) -> bytes:
        """Raises Damaged for more than `most` bytes, before they are read."""

    def blob_size(self, blob: Oid) -> int:
        """Return its bytes, without reading it. Raises Damaged for what is no blob."""

    def write_tree(self, base: Oid | None, changes: TreeChanges) -> Oid:
        """Return the tree like `base` with these changes.

        Only the trees on the way to what changes are written.
        """

    def create_commit(
        self, tree: Oid, parents: list[Oid], message: Redacted, author: Signature
    ) -> Oid:
        """Make a commit of the author's time, or of a newer parent's."""

    def committed_at(self, commit: Oid) -> int:
        """Return when a commit was made, in seconds since 1970."""

    def write_commit(self, content: bytes) -> Oid:
        """Return a commit as git keeps it, made of one that is there; see RawCommit."""


class Draft:
    """Objects over those of a repository."""

    def __init__(
        self, git: Objects, read_tree: ReadTree, named_by: ObjectFormat
    ) -> None:
        self._git = git
        self._named_by = named_by
        self._read_raw_tree = read_tree
        self.new: dict[Oid, GitObject] = {}

    def config(self, key: str) -> str | None:
        return self._git.config(key)

    def config_values(self, key: str) -> list[str]:
        return self._git.config_values(key)

    def resolve_ref(self, name: str) -> Oid | None:
        return self._git.resolve_ref(name)

    def tree_of(self, commit: Oid) -> Oid | None:
        if commit in self.new:
            return objects.tree_of_commit(self.new[commit].content)
        return self._git.tree_of(commit)

    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]:
        if tree not in self.new:
            return self._git.read_tree(tree)
        return objects.named(self._entries(tree))

    def read_blob(self, blob: Oid, most: int) -> bytes:
        if blob in self.new:
            return self.new[blob].content
        return self._git.read_blob(blob, most)

    def blob_size(self, blob: Oid) -> int:
        new = self.new.get(blob)
        return len(new.content) if new else self._git.blob_size(blob)

    def write_tree(self, base: Oid | None, changes: TreeChanges) -> Oid:
        return self._written(base, changes) or self._add(Kind.TREE, b"")

    def create_commit(
        self, tree: Oid, parents: list[Oid], message: Redacted, author: Signature
    ) -> Oid:
        committed = objects.commit_time(author.when, map(self.committed_at, parents))
        content = objects.commit(tree, parents, message, author, committed)
        return self._add(Kind.COMMIT, content)

    def committed_at(self, commit: Oid) -> int:
        if commit in self.new:
            return objects.committed_at(self.new[commit].content)
        return self._git.committed_at(commit)

    def write_commit(self, content: bytes) -> Oid:
        return self._add(Kind.COMMIT, content)

    def _written(self, base: Oid | None, changes: TreeChanges) -> Oid | None:
        """Write a tree; None for one without entries, as git keeps no empty folders."""
        entries = self._entries(base) if base else {}
        folders: _Inside = {}
        for path, text in changes.items():
            name, slash, rest = path.partition("/")
            if text is not None:
                _check_name(name)
            if slash:
                folders.setdefault(name.encode(), {})[rest] = text
            elif text is None:
                entries.pop(name.encode(), None)
            elif isinstance(text, TreeEntry):
                entries[name.encode()] = text
            else:
                oid = self._add(Kind.BLOB, text.encode())
                entries[name.encode()] = TreeEntry(oid, FILE_MODE)
        for folder, inside in folders.items():
            before = entries.pop(folder, None)
            known = before.oid if before and before.is_tree else None
            if tree := self._written(known, inside):
                entries[folder] = TreeEntry(tree, TREE_MODE)
        return self._add(Kind.TREE, objects.tree(entries)) if entries else None

    def _entries(self, tree: Oid) -> dict[bytes, TreeEntry]:
        new = self.new.get(tree)
        if new is None:
            return self._read_raw_tree(tree)
        return objects.entries_of(new.content, self._named_by)

    def _add(self, kind: Kind, content: bytes) -> Oid:
        made = GitObject(kind, content, self._named_by)
        oid = made.oid
        self.new[oid] = made
        return oid


def _check_name(name: str) -> None:
    """Raises Damaged for one that git's own commands refuse, as a remote would."""
    if name.lower() in _REFUSED or "\0" in name:
        raise Damaged(f"Git has no {name!r} in a tree.")
