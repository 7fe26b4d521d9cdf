"""Rewrite a history as if some documents had never been in it.

Commits that have or name them are made anew; those left without changes are dropped.
The others keep author, time and message.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from gitmem.documents.kind import Kind
from gitmem.git.layout import OUR_REFS
from gitmem.git.odb import objects
from gitmem.git.odb.objects import CommitParts
from gitmem.git.repository import Repository
from gitmem.git.values import TREE_MODE, Oid, TreeEntry
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.document_versions import versions

D = TypeVar("D")
_NEUTRAL = b"The sessions as they were\n"
"""In place of a message that named what is gone."""


def last_version(git: Repository, kind: Kind[D], name: str) -> D | None:
    """Return the last version of a document with this name, even if no tip has it.

    In all histories of its kind here, and in what reflogs still lead to. Raises Damaged
    where an object is not there, and Unavailable without git.
    """
    if tips := list(filter(git.tree_of, _all_tips(git, kind))):
        for each, blob in versions(git, tips, kind):
            if git.blob_size(blob) <= kind.most_bytes:
                text = _text(git, kind, blob)
                if name in (each, kind.public_id_in(each, text)):
                    return kind.parse(each, text)
    return None


def ids_in_history(
    git: Repository, kind: Kind[D], tips: Collection[Oid], documents: Iterable[D]
) -> set[str]:
    """Return every name that documents have in commits that lead to `tips`.

    Clones may have begun a session at another minute. Raises Damaged where an object is
    not there, and Unavailable without git.
    """
    subjects = frozenset(map(kind.subject, documents))
    found: set[str] = set()
    for document_id, blob in versions(git, tips, kind) if tips else ():
        if git.blob_size(blob) <= kind.most_bytes:  # else no gitmem wrote it
            text = _text(git, kind, blob)
            if kind.subject_in(document_id, text) in subjects:
                found.update(kind.names(kind.parse(document_id, text)))
    return found


def _text(git: Repository, kind: Kind[Any], blob: Oid) -> str:
    return git.read_blob(blob, kind.most_bytes).decode("utf-8", "replace")


def _all_tips(git: Repository, kind: Kind[Any]) -> Iterator[Oid]:
    name = f"/{kind.ref.removeprefix(OUR_REFS)}"
    tracking = [ref for ref in git.refs(OUR_REFS) if ref.endswith(name)]
    for ref in dict.fromkeys([*refs_of(git, kind), *tracking]):
        yield from filter(None, [git.resolve_ref(ref)])
        yield from git.reflog(ref)


class Rewriting:
    """Commits that stand for others, in a history without what is gone."""

    def __init__(
        self,
        git: Repository,
        new: Repository,
        kind: Kind[Any],
        ids: Collection[str],
        names: Collection[str],
    ) -> None:
        """Write the objects to `new`; no message keeps one of `names`."""
        self.kind = kind
        self._git = git
        self._new = new
        pattern = "|".join(map(re.escape, sorted(names)))
        self._names = re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w-])".encode())
        self._paths = [tuple(kind.path(each).split("/")) for each in sorted(ids)]
        self._now: dict[Oid, Oid | None] = {}
        self._tree_of: dict[Oid, Oid] = {}
        """The tree of each commit that stands for others."""
        self._without = cache(self._tree_without)

    def now(self, tip: Oid) -> Oid | None:
        """Return the commit that replaces a tip; None where nothing is left."""
        if tip not in self._now:
            for commit in self._git.ancestry(tip):
                if commit.oid not in self._now:
                    self._take(commit.oid, objects.commit_parts(commit.content))
        return self._now[tip]

    def _take(self, oid: Oid, before: CommitParts) -> None:
        """Rewrite a commit whose parents are rewritten."""
        after = self._after(before)
        if after == before:
            now: Oid | None = oid
        elif self._is_left_out(before, after):
            now = after.parents[0] if after.parents else None
        else:
            now = self._new.write_commit(objects.commit_of(after))
        self._now[oid] = now
        if now:
            self._tree_of.setdefault(now, after.tree)

    def _after(self, before: CommitParts) -> CommitParts:
        parents = dict.fromkeys(filter(None, map(self._now.get, before.parents)))
        is_named = self._names.search(before.message) is not None
        return replace(
            before,
            tree=self._without(before.tree, tuple(self._paths)),
            parents=tuple(parents),
            message=_NEUTRAL if is_named else before.message,
        )

    def _is_left_out(self, before: CommitParts, after: CommitParts) -> bool:
        """Return whether it did nothing but what is gone."""
        is_same = (before.tree, before.message) == (after.tree, after.message)
        if len(after.parents) > 1 or (
            is_same and len(after.parents) == len(before.parents)
        ):
            return False
        if after.parents:
            return after.tree == self._tree_of[after.parents[0]]
        return self._new.read_tree(after.tree).keys() <= {FORMAT_FILE}

    def _tree_without(self, tree: Oid, paths: tuple[tuple[str, ...], ...]) -> Oid:
        """Remove files from a tree; made once, however many commits have it."""
        entries, changes = self._new.read_tree(tree), {}
        for name in {path[0] for path in paths} & entries.keys():
            entry = entries[name]
            below = tuple(path[1:] for path in paths if path[0] == name and path[1:])
            if not entry.is_tree or not below:
                changes[name] = None if (name,) in paths else entry
                continue
            made = self._without(entry.oid, below)
            is_empty = made != entry.oid and not self._new.read_tree(made)
            changes[name] = None if is_empty else TreeEntry(made, TREE_MODE)
        changed = {n: e for n, e in changes.items() if e != entries[n]}
        return self._new.write_tree(tree, changed) if changed else tree
