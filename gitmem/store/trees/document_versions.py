"""Every text that a history ever had, and the earlier states of the memory."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

from gitmem.documents.kind import Kind
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.command import RefusedError
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid
from gitmem.store.trees.backups import backups_of
from gitmem.store.trees.document_tree import FORMAT_FILE, DocumentTree
from gitmem.store.trees.last_tips import last_tip


def versions(
    git: Repository,
    tips: Iterable[Oid],
    kind: Kind[Any],
    beside: Iterable[Oid] = (),
) -> Iterator[tuple[str, Oid]]:
    """Yield the id and blob of each text in commits that lead to `tips`, once.

    The newest come first, and those that lead to `beside` as well are left out. Raises
    Damaged where an object is not there, and Unavailable without git.
    """
    for path, oid in _objects(git, tips, beside):
        stem = path.rpartition("/")[2].removesuffix(".md")
        if kind.is_id(stem) and path == kind.path(stem):
            yield stem, oid


def texts_of(
    git: Repository, tree: DocumentTree[Any], document_id: str, most: int
) -> Iterator[str]:
    """Yield the last `most` texts of a document, the newest first."""
    if tree.commit:
        listing = ("log", f"-{most}", "--format=%H", tree.commit, "--")
        for commit in _lines(git, *listing, tree.path(document_id)):
            if text := tree.at(commit).readable_text(document_id):
                yield text


def note_versions(git: Repository, commit: Oid) -> Iterator[Oid]:
    """Yield the blobs of all notes that lead to a commit of theirs; raises the same."""
    for path, oid in _objects(git, [commit]):
        if is_oid(path.replace("/", "")):
            yield oid


def who_added(git: Repository, commit: Oid, path: str) -> str:
    """Return who first added the file at `path` to a history, as its commit says.

    `Name <address>`, which anybody can write; "" where git does not know. A clone that
    holds a tombstone back adds it once more.
    """
    listing = ("log", "--diff-filter=A", "--format=%an <%ae>", commit)
    with suppress(Damaged):
        return "".join([*_lines(git, *listing, "--", path)][-1:])
    return ""


def _objects(
    git: Repository, tips: Iterable[Oid], beside: Iterable[Oid] = ()
) -> Iterator[tuple[str, Oid]]:
    """Yield path and name of each object that leads to commits, once."""
    revisions = "".join(
        [*(f"{tip}\n" for tip in tips), *(f"^{tip}\n" for tip in beside)]
    )
    walk = ("rev-list", "--objects", "--stdin")
    for line in _lines(git, *walk, stdin=revisions.encode()):
        oid, _, path = line.partition(" ")
        yield path, oid


def _lines(git: Repository, *arguments: str, stdin: bytes = b"") -> Iterator[str]:
    try:
        for line in git.lines(*arguments, stdin=stdin):
            yield line.decode("utf-8", "replace").rstrip("\n")
    except RefusedError as error:
        raise Damaged(f"Git cannot walk the history of the memory: {error}") from error


_MOST_MOVES = 1000
"""Entries of the reflog that are read."""


class VersionSource(StrEnum):
    """Where a version is known from."""

    HISTORY = "history"
    BACKUP = "backup"
    REFLOG = "reflog"
    JOURNAL = "journal"


class EarlierState(NamedTuple):
    commit: Oid
    source: VersionSource


def earlier_states(git: Repository, ref: str) -> list[EarlierState]:
    """Return where a ref is and was, and its backups, as far as that can be read.

    The newest come first.
    """
    moves = git.reflog(ref)[: -_MOST_MOVES - 1 : -1]
    commits = (
        (tip_of(git, ref), VersionSource.HISTORY),
        *((commit, VersionSource.REFLOG) for commit in (last_tip(git, ref), *moves)),
        *((tip_of(git, name), VersionSource.BACKUP) for name in backups_of(git, ref)),
    )
    return [EarlierState(c, source) for c, source in commits if c and git.tree_of(c)]


def tip_of(git: Repository, ref: str) -> Oid | None:
    """Return the commit of a ref; None also where it cannot be read."""
    with suppress(Damaged):
        return git.resolve_ref(ref)
    return None


def is_of_kind(git: Repository, kind: Kind[Any], commit: Oid) -> bool:
    """Tell whether a commit is readable and has documents of the kind."""
    with suppress(Damaged, FormatTooNew):
        root = DocumentTree(kind, git, commit).folder("")
        return {FORMAT_FILE, kind.root} <= root.keys()
    return False
