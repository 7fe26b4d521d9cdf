"""Commit a document as somebody edited it by hand.

Its author is who edited. What was removed gets tombstones in the same commit, so no
clone brings it back.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Generic, TypeVar

from gitmem.documents.kind import Kind
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Content
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import RefUpdate, author, commit_on
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tombstones import tombstones_of, without_forgotten
from gitmem.text.control_characters import harmless_lines
from gitmem.text.markdown import one_line

D = TypeVar("D")
_TITLE_LENGTH = 66


@frozen
class HandEdit(Generic[D]):
    """What somebody changed in a document."""

    version: D
    """The document as it was edited, later than what it replaces."""
    removed: frozenset[str]
    """Texts of its items that are gone, without characters that are not seen."""


def with_edit(
    tree: DocumentTree[D], before: D, edit: HandEdit[D]
) -> tuple[D, set[str]]:
    """Return a document after an edit, and the subjects of what was removed."""
    kind = tree.kind
    items = kind.items(before)
    removed = {name for name, text in items if harmless_lines(text) in edit.removed}
    merged = kind.merge(before, edit.version)
    return without_forgotten(
        tree, kind.without_items(merged, removed.__contains__)
    ), removed


def commit_edit(
    git: Repository, tree: DocumentTree[D], edit: HandEdit[D], when: datetime
) -> bool | None:
    """Commit a document as it was edited; None if the ref moved.

    Raises NotFound, and InvalidInput where the document has no room for what is new.
    """
    kind, document_id = tree.kind, tree.kind.document_id(edit.version)
    before = tree.document(document_id)
    if before is None:
        raise NotFound(f"There is no {kind.name} {document_id}.")
    after, removed = with_edit(tree, before, edit)
    text = seal(after, kind.render)
    if len(text.encode()) > kind.room:
        raise InvalidInput(f"The {kind.name} has no room for what is new.")
    records = tombstones_of(tree, removed, when, with_history=False)
    changes: dict[str, Content] = {tree.path(document_id): text, **records}
    message = _message(kind, kind.parse(document_id, text))
    commit = commit_on(git, tree, changes, message, author(git, when))
    move = RefUpdate(kind.ref, tree.commit, commit, f"edit: {document_id}")
    return move.is_made(git) or None


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
