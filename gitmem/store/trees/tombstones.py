"""Tombstones: records in a tree of what was forgotten, or restored since.

`forgotten/<2 digits>/<62 digits>` is a digest of what names a document in every clone,
such as the conversation of a session, and reveals nothing of it. A forgotten document
has one for each of its ids, too, because its children are known by ids alone; a
forgotten item has its own. A record says how often its subject was restored and
forgotten again: a merge keeps the highest number.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import TypeVar

from gitmem.documents.kind import Kind
from gitmem.documents.names import digest
from gitmem.frozen import frozen
from gitmem.git.odb import objects
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, TreeEntry
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.trees.document_tree import AnyTree, DocumentTree
from gitmem.text.patterns import pattern

D = TypeVar("D")
ROOT = "forgotten"
MOST_BYTES = 200
"""Bytes of the longest tombstone."""

_FOLDER_LENGTH = 2
_PATH = pattern(rf"{ROOT}/[0-9a-f]{{{_FOLDER_LENGTH}}}/[0-9a-f]{{62}}", re.ASCII)
_DIGEST_PATH_LENGTH = len(ROOT) + _FOLDER_LENGTH + len("//") + 14
_WITH_HISTORY = "history"
"""The line that says so."""
_TURN = pattern(r"(?:forgotten|restored) ([0-9]{1,6})", re.ASCII)
MOST_TURNS = 999_999
"""The last one restores, so nothing that was forgotten is beyond restoring."""


@frozen
class Tombstone:
    when: datetime | None
    """When the session was forgotten, as its clone said; None where that is no time."""
    with_history: bool
    """True if earlier commits lost the session as well."""
    turn: int = 0
    """How often the session was restored and forgotten since it was first forgotten."""

    @property
    def is_in_force(self) -> bool:
        """Whether the session is forgotten, and was not restored since."""
        return self.turn % 2 == 0

    def restored(self, when: datetime) -> "Tombstone":
        """Return the record that takes this one back."""
        return Tombstone(when, self.with_history, min(self.turn + 1, MOST_TURNS))

    def in_force(self, when: datetime, *, with_history: bool) -> "Tombstone":
        """Return this tombstone in force, with the history if asked.

        This one where it says so already.
        """
        if not self.is_in_force:
            turn = min(self.turn + 1, MOST_TURNS)
            return Tombstone(when, with_history, turn)
        if with_history and not self.with_history:
            return replace(self, when=when, with_history=True)
        return self


def tombstones_of(
    tree: AnyTree, subjects: Iterable[str], when: datetime, *, with_history: bool
) -> dict[str, Redacted]:
    """Return the records to be written for these to be forgotten, by their paths.

    Those that are not there yet.
    """
    new, records = Tombstone(when, with_history), {}
    for path in map(subject_path, subjects):
        before = _at(tree, path)
        after = (before or new).in_force(when, with_history=with_history)
        if after != before:
            records[path] = rendered(after)
    return records


def without_forgotten(tree: DocumentTree[D], document: D) -> D:
    """Return the document without the items that are forgotten."""
    if not tree.folder(ROOT):
        return document
    return tree.kind.without_items(
        document, lambda subject: is_in_force(tree, subject_path(subject))
    )


def restorations_of(
    tree: DocumentTree[D], document: D, when: datetime
) -> dict[str, Redacted]:
    """Return the tombstones that restore a document, by path."""
    return {
        path: rendered(before.restored(when))
        for path in paths_of(tree.kind, document)
        if (before := _at(tree, path)) and before.is_in_force
    }


def paths_of(kind: Kind[D], document: D) -> list[str]:
    """Return the tombstone paths of a document's subject and names."""
    subjects = dict.fromkeys((kind.subject(document), *kind.names(document)))
    return [*map(subject_path, subjects)]


def tombstone_path(kind: Kind[D], document: D) -> str:
    """Return the path of a document's tombstone."""
    return subject_path(kind.subject(document))


def subject_path(subject: str) -> str:
    """Return the tombstone path of a document, an id, or an item."""
    digits = digest(subject)
    return f"{ROOT}/{digits[:_FOLDER_LENGTH]}/{digits[_FOLDER_LENGTH:]}"


def is_tombstone_path(path: str) -> bool:
    return _PATH.fullmatch(path) is not None


def is_forgotten(tree: AnyTree, subject: str) -> bool:
    """Return whether what this names is forgotten: a document, an id, or an item."""
    return is_in_force(tree, subject_path(subject))


def is_name_gone(tree: AnyTree, name: str) -> bool:
    """Return whether an id, or another name, is that of a forgotten document."""
    if not tree.kind.is_id(name) or tree.entry(name):
        return False
    return is_forgotten(tree, name) or _is_identity_gone(tree, name)


def _is_identity_gone(tree: AnyTree, name: str) -> bool:
    """Return whether a tombstone begins with the digest in a name."""
    if tree.kind.identity(name) in tree.ids_by_identity:
        return False
    folder, _, beginning = digest_path(tree.kind, name).rpartition("/")
    return any(
        file.startswith(beginning) and is_in_force(tree, f"{folder}/{file}")
        for file in tree.folder(folder)
    )


def digest_path(kind: Kind[D], name: str) -> str:
    """Return how the path of a tombstone begins, by the digest in an id.

    Nothing begins so for an id without a digest.
    """
    digits = kind.identity(name)
    return f"{ROOT}/{digits[:_FOLDER_LENGTH]}/{digits[_FOLDER_LENGTH:]}"


def is_in_force(tree: AnyTree, path: str) -> bool:
    """Return whether there is a record at `path` by which something is forgotten."""
    record = _at(tree, path)
    return record is not None and record.is_in_force


def all_tombstones(tree: AnyTree) -> Oid | None:
    """Return the folder of all tombstones, which changes with them."""
    folder = tree.folder("").get(ROOT)
    return folder.oid if folder else None


def with_history(tree: AnyTree) -> frozenset[str]:
    """Return the tombstones whose sessions left earlier commits as well, as paths."""

    @cache  # those of one session have one text
    def is_with_history(file: TreeEntry) -> bool:
        record = read_tombstone(tree.content(file))
        return record.is_in_force and record.with_history

    return frozenset(path for path, file in records_in(tree) if is_with_history(file))


def records_in(tree: AnyTree) -> Iterator[tuple[str, TreeEntry]]:
    """Yield the path and the file of each record."""
    folders = (f"{ROOT}/{name}" for name in tree.folder(ROOT))
    paths = (f"{folder}/{name}" for folder in folders for name in tree.folder(folder))
    for path in filter(is_tombstone_path, paths):
        if file := tree.file(path):
            yield path, file


def read_tombstone(text: str) -> Tombstone:
    """Parse a record; an unreadable one is a plain tombstone."""
    time, *lines = text.split("\n")
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        when = None
    turns = [int(match[1]) for match in map(_TURN.fullmatch, lines) if match]
    return Tombstone(when, _WITH_HISTORY in lines, max(turns, default=0))


def prevailing(texts: Iterable[str]) -> str:
    """Choose, of the records of one subject, the one that a merge keeps.

    That with the highest number; of these one with history, or the earlier.
    """

    def order(text: str) -> tuple[int, bool, str]:
        record = read_tombstone(text)
        return -record.turn, not record.with_history, text

    return min(texts, key=order)


def rendered(tombstone: Tombstone) -> Redacted:
    """Write time, whether history was rewritten, and a turn above 0: a line each."""
    time = tombstone.when.isoformat(timespec="seconds") if tombstone.when else ""
    word = "forgotten" if tombstone.is_in_force else "restored"
    lines = [
        *(time, *[_WITH_HISTORY] * tombstone.with_history),
        *([f"{word} {tombstone.turn}"] if tombstone.turn else ()),
    ]
    return redact_own("\n".join(lines) + "\n")


def _at(tree: AnyTree, path: str) -> Tombstone | None:
    file = tree.file(path)
    return read_tombstone(tree.content(file)) if file else None


def remembers(
    git: Repository, tip: AnyTree, known_tip: Oid | None, tombstones: Collection[str]
) -> bool:
    """Return whether a commit of `tip`, and not of `known`, has a forgotten session.

    `tombstones` are paths. Of conversations it is known by the digest in the id.
    """
    beginnings = {path[:_DIGEST_PATH_LENGTH] for path in tombstones}
    return bool(tombstones) and any(
        path in tombstones or path in beginnings
        for commit, parent in _commits(git, tip.commit, known_tip)
        for path in _paths(tip.at(commit), tip.at(parent))
    )


def _commits(
    git: Repository, tip: Oid | None, known_tip: Oid | None
) -> Iterator[tuple[Oid, Oid | None]]:
    """Yield commits with their first parents; a shallow clone may lack these."""
    for commit in git.ancestry(tip, known_tip) if tip else ():
        first = next(iter(objects.commit_parts(commit.content).parents), None)
        yield commit.oid, first if git.tree_of(first) else None


def _paths(tree: AnyTree, before: AnyTree) -> Iterator[str]:
    """Yield the tombstone paths of sessions whose texts are new in a tree."""
    for session_id in tree.differing_ids(before):
        if file := tree.entry(session_id):
            yield subject_path(session_id)
            yield digest_path(tree.kind, session_id)
            if tree.kind.parent is None:
                yield subject_path(tree.kind.subject_in(session_id, tree.content(file)))
