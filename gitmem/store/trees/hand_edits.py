"""Commit a document as somebody edited it by hand.

Its author is who edited. What was removed gets tombstones in the same commit, so no
clone brings it back.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol, TypeVar

from gitmem.documents.kind import Kind
from gitmem.errors import InvalidInput, NotFound
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Signature
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import RefUpdate, author, commit_on
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tombstones import tombstones_of, without_forgotten
from gitmem.text.markdown import one_line

D = TypeVar("D")
_TITLE_LENGTH = 66


class HandEdit(Protocol[D]):
    """What somebody changed in a document."""

    def removes(self, item: str) -> bool:
        """Return whether an item of the document is to go, by its text."""

    def apply(self, document: D, author: Signature, /) -> D:
        """Return a document with what is new, or was replaced, and by whom."""


def commit_edit(
    git: Repository,
    tree: DocumentTree[D],
    document_id: str,
    edit: HandEdit[D],
    when: datetime,
) -> D | None:
    """Return the document as it is after an edit; None if the ref moved.

    Raises NotFound, and InvalidInput where the document has no room for what is new.
    """
    kind, before = tree.kind, tree.document(document_id)
    if before is None:
        raise NotFound(f"There is no {kind.name} {document_id}.")
    removed = {subject for subject, item in kind.items(before) if edit.removes(item)}
    remaining = kind.without_items(before, removed.__contains__)
    by = author(git, when)
    after = without_forgotten(tree, edit.apply(remaining, by))
    text = seal(after, kind.render)
    if len(text.encode()) > kind.room:
        raise InvalidInput(f"The {kind.name} has no room for what is new.")
    records = tombstones_of(tree, removed, when, with_history=False)
    changes: dict[str, Content] = {tree.path(document_id): text, **records}
    saved = kind.parse(document_id, text)
    commit = commit_on(git, tree, changes, _message(kind, saved), by)
    move = RefUpdate(kind.ref, tree.commit, commit, f"edit: {document_id}")
    return saved if move.is_made(git) else None


def commit_new(
    git: Repository,
    tree: DocumentTree[D],
    documents: Iterable[D],
    message: Redacted,
    when: datetime,
) -> bool | None:
    """Commit the documents that are not there; None if the ref moved."""
    kind, changes = tree.kind, dict[str, Content]()
    for document in documents:
        document_id = kind.document_id(document)
        if tree.entry(document_id) is None:
            changes[kind.path(document_id)] = seal(document, kind.render)
    commit = commit_on(git, tree, changes, message, author(git, when))
    move = RefUpdate(kind.ref, tree.commit, commit, "import")
    return move.is_made(git) or None


def _message(kind: Kind[D], document: D) -> Redacted:
    """Write the message for a document that is redacted, as titles are cut."""
    entry, name = kind.entry(document), kind.public_id(document)
    title = one_line(entry.title, _TITLE_LENGTH) if entry else name
    return redact_own(f"edit: {title}\n\n{kind.name.capitalize()}: {name}\n")
