"""The documents of one kind at one commit: a file each, in folders.

The tree has the file `format` and the documents: `<root>/<folders>/<id>.md`. Whatever
else lies there is skipped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from datetime import datetime
from functools import cache, cached_property, lru_cache, reduce
from itertools import dropwhile, groupby, islice, takewhile
from typing import Any, Generic, TypeVar

from gitmem.documents.kind import AHEAD, Kind
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Oid, TreeEntry

FORMAT_FILE = "format"

D = TypeVar("D")
ReadTree = Callable[[Oid], Mapping[str, TreeEntry]]
Trees = tuple[Oid | None, Oid | None]
"""The trees of two commits at one path."""
Folder = tuple[str, ...]
"""Names of the folders below the root, the outermost first."""

FILES = (FILE_MODE, 0o100755)
"""Modes of files that are read as documents."""
MOST_OF_FOLDER = 10_000
"""Documents of one folder, such as a day's: ten of each of a thousand people. A folder
with more is not taken from a remote, and where it is here, no more of it are searched.
"""

_FORMAT_LENGTH = 20
_AT_ONCE, _LATE = 100, 100
"""More documents of one moment than people begin, and than they go on with later."""
_MOST_KEPT, _SHORT = 100, 50_000
"""Documents that are kept as they were read, and how many characters these have."""


class DocumentTree(Generic[D]):
    """The documents at a commit; none where there is no commit yet.

    Made, it raises Damaged when git cannot read the commit, and FormatTooNew when a
    newer gitmem wrote it.
    """

    def __init__(self, kind: Kind[D], git: Repository, commit: Oid | None) -> None:
        self.kind = kind
        self._git = git
        self.read_tree = cache(git.read_tree)
        self._parse = lru_cache(_MOST_KEPT)(kind.parse)
        self.commit = commit
        self.format = int(kind.format)
        """The version that the tree was written in."""
        self.tree = self._readable_tree(commit) if commit else None
        self.top = self._subtree(self.tree, kind.root)
        self._listed = cache(self._ids_at)
        self._folders: dict[str, Mapping[str, TreeEntry]] = {}
        """The folders that were read, by path."""
        self.most_bytes = kind.most_bytes
        self.most_read: int | None = None

    def at(self, commit: Oid | None) -> "DocumentTree[D]":
        """Return the documents of the same kind at another commit."""
        return DocumentTree(self.kind, self._git, commit)

    def limited(
        self, *, most_bytes: int | None = None, most_read: int | None = None
    ) -> "DocumentTree[D]":
        """Return the same documents for whoever cannot wait for long ones.

        One of more than `most_bytes` cannot be read; of others so many characters are.
        """
        same = copy(self)
        same.most_bytes = most_bytes or self.most_bytes
        same.most_read = most_read
        return same

    def path(self, document_id: str) -> str:
        """Return where in the tree a document is kept."""
        return self.kind.path(document_id)

    def ids(self) -> Iterator[str]:
        """Return all ids, last first."""
        return self._ids_below(self.top, ())

    def ids_in(self, *folder: str) -> Iterator[str]:
        """Return the ids of documents in a folder below the root, last first."""
        return iter(self._listed(folder))

    @cached_property
    def ids_by_identity(self) -> Mapping[str, str]:
        """The least id of each document, by what names it in every clone.

        All folders are listed, which takes some milliseconds for a thousand documents.
        """
        return {
            self.kind.identity(document_id): document_id for document_id in self.ids()
        }

    def id_like(self, document_id: str) -> str | None:
        """Return the id of the document, also where it has another one here."""
        if self.entry(document_id):
            return document_id
        return self.ids_by_identity.get(self.kind.identity(document_id))

    def newest(self, now: datetime | None = None) -> Iterator[D]:
        """Yield all documents that can be read, the newest first.

        With `now`, those worked on lately come first, and those of the future last.
        """
        if now is None:
            yield from self.documents(self.ids())
            return
        begun = self.documents(self.begun_ids(now))
        yield from sorted(
            islice(begun, _LATE),
            key=lambda document: min(self.kind.worked_at(document), now),
            reverse=True,
        )
        yield from begun
        yield from self.documents(takewhile(self._is_ahead(now), self.ids()))

    def begun_ids(self, now: datetime) -> Iterator[str]:
        """Yield the ids of documents that have begun, the newest day first."""
        return dropwhile(self._is_ahead(now), self.ids())

    def documents(self, ids: Iterable[str]) -> Iterator[D]:
        """Yield the documents of ids that come in order, the newest first.

        Some are read at a time; all where ids tell no time.
        """
        for moment, group in groupby(ids, key=self.kind.moment_in):
            most = _AT_ONCE if moment else None
            while batch_ids := [*islice(group, most)]:
                documents = filter(None, map(self.readable, batch_ids))
                yield from sorted(documents, key=self.kind.began_at, reverse=True)

    def readable(self, document_id: str) -> D | None:
        """Return the document, or None also where git cannot read it.

        One document that is damaged or not there must not hide all the others.
        """
        with suppress(Damaged):
            return self.document(document_id)
        return None

    def document(self, document_id: str) -> D | None:
        """Raises Damaged where git cannot read it, and where it is too long."""
        text = self.text(document_id)
        return None if text is None else self.parsed(document_id, text)

    def parsed(self, document_id: str, text: str) -> D:
        """Return the document of a text; short ones are kept for the next time."""
        parse = self._parse if len(text) <= _SHORT else self.kind.parse
        return parse(document_id, text)

    def readable_text(self, document_id: str) -> str | None:
        """Return the text, or None also where git cannot read it."""
        with suppress(Damaged):
            return self.text(document_id)
        return None

    def text_like(self, document_id: str) -> str | None:
        """Return the text, also under another id; None where git cannot read it."""
        present_id = self.id_like(document_id)
        return self.readable_text(present_id) if present_id else None

    def text(self, document_id: str) -> str | None:
        """Raises Damaged where git cannot read it, and where it is too long."""
        entry = self.entry(document_id)
        return self.content(entry) if entry else None

    def entry(self, document_id: str) -> TreeEntry | None:
        """Return the file that has the text of a document."""
        if self.top is None or not self.kind.is_id(document_id):
            return None
        return self.file(self.path(document_id))

    def content(self, file: TreeEntry) -> str:
        """Raises Damaged where git cannot read it, and where it is too long."""
        return self.raw(file).decode("utf-8", "replace")[: self.most_read]

    def raw(self, file: TreeEntry) -> bytes:
        """Return a file's bytes, in whatever encoding."""
        return self._git.read_blob(file.oid, self.most_bytes)

    def file(self, path: str) -> TreeEntry | None:
        folder, _, name = path.rpartition("/")
        entry = self.folder(folder).get(name)
        return entry if entry and entry.mode in FILES else None

    def folder(self, path: str) -> Mapping[str, TreeEntry]:
        """Return what lies in the folder at a path; nothing where there is none."""
        if (entries := self._folders.get(path)) is None:
            names = filter(None, path.split("/"))
            tree = reduce(self._subtree, names, self.tree)
            entries = self._folders[path] = self.read_tree(tree) if tree else {}
        return entries

    def differing_ids(self, other: "DocumentTree[D]") -> set[str]:
        """Return the ids whose texts differ; subtrees that are equal are never opened.

        libgit2's own tree diff reads every entry: 210 ms against 0.7 ms at 100,000.
        """
        return set(self._differing_ids((self.top, other.top), (), set()))

    def _is_ahead(self, now: datetime) -> Callable[[str], bool]:
        latest = f"{now + AHEAD:%Y-%m-%d_%H-%M}"
        return lambda document_id: self.kind.moment_in(document_id) > latest

    def id_at(self, path: str) -> str | None:
        """Return the id of the document that belongs at a path, if one does."""
        stem = path.rpartition("/")[2].removesuffix(".md")
        return stem if self.kind.is_id(stem) and self.path(stem) == path else None

    def _readable_tree(self, commit: Oid) -> Oid:
        hint = "`ocm doctor --fix` brings back what can be read."
        tree, ref = self._git.tree_of(commit), self.kind.ref
        if tree is None:
            raise Damaged(f"{ref} points to {commit}, which is not there.", hint=hint)
        entry = self.read_tree(tree).get(FORMAT_FILE)
        format_text = self._git.read_blob(entry.oid, _FORMAT_LENGTH) if entry else b"1"
        if not format_text.strip().isdigit():
            raise Damaged(f"The format of {ref} cannot be read.", hint=hint)
        self.format = int(format_text)
        if self.format > int(self.kind.format):
            raise FormatTooNew(
                f"{ref} has format {self.format};"
                f" this gitmem knows {self.kind.format}.",
                hint="Upgrade gitmem: `pipx upgrade git-ocm`.",
            )
        return tree

    def _subtree(self, tree: Oid | None, name: str) -> Oid | None:
        entry = self.read_tree(tree).get(name) if tree else None
        return entry.oid if entry and entry.is_tree else None

    def _ids_at(self, folder: Folder) -> list[str]:
        return [*self._ids_below(reduce(self._subtree, folder, self.top), folder)]

    def _ids_below(self, tree: Oid | None, folder: Folder) -> Iterator[str]:
        """Yield the ids of the documents in the tree at `folder`, last first."""
        entries = self.read_tree(tree) if tree else {}
        for name, entry in sorted(entries.items(), reverse=True):
            if below := self._folder_in(name, entry, folder):
                yield from self._ids_below(below, (*folder, name))
            elif document_id := self._id_of(name, entry, folder):
                yield document_id

    def _differing_ids(
        self, trees: Trees, folder: Folder, visited: set[Trees]
    ) -> Iterator[str]:
        if trees in visited:  # a foreign tree may have one folder a million times
            return
        visited.add(trees)
        before, after = (self.read_tree(tree) if tree else {} for tree in trees)
        for name in before.keys() | after.keys():
            entries = before.get(name), after.get(name)
            if entries[0] == entries[1]:
                continue
            was, now = (self._folder_in(name, entry, folder) for entry in entries)
            if was or now:
                yield from self._differing_ids((was, now), (*folder, name), visited)
            ids = (self._id_of(name, entry, folder) for entry in entries)
            yield from filter(None, ids)

    def _id_of(self, name: str, entry: TreeEntry | None, folder: Folder) -> str | None:
        """Return the id of an entry that is a document where it belongs."""
        if entry is None or entry.mode not in FILES:
            return None
        return self.id_at("/".join((self.kind.root, *folder, name)))

    def _folder_in(
        self, name: str, entry: TreeEntry | None, folder: Folder
    ) -> Oid | None:
        """Return the tree of a folder of ours; others are not opened."""
        levels = self.kind.folders
        is_ours = len(folder) < len(levels) and levels[len(folder)].fullmatch(name)
        return entry.oid if entry and entry.is_tree and is_ours else None


def tree_at_tip(
    kind: Kind[D], git: Repository, last: DocumentTree[D] | None = None
) -> DocumentTree[D]:
    """Return the documents where the ref is now: `last` if that is still so.

    Looked for twice: another process may just be restoring what was pruned.
    """
    with suppress(Damaged):
        commit = git.resolve_ref(kind.ref)
        is_same = last and last.commit == commit
        return last if last and is_same else DocumentTree(kind, git, commit)
    return DocumentTree(kind, git, git.resolve_ref(kind.ref))


AnyTree = DocumentTree[Any]
