"""The document that a name means, for people, clients, journals and imports alike.

A document has an id, a session id and former ones, a slug, and the client's id of its
conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from gitmem.documents.index_entry import SLUG
from gitmem.documents.names import clean_client_id
from gitmem.errors import Ambiguous, InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.journal.journal import Journal, journal_name
from gitmem.store.trees.document_tree import DocumentTree

LAST = "last"
"""Names the newest document."""
_CANDIDATES = 10

_HINT = "`ocm list` shows the ids; `last` is the newest one."
D = TypeVar("D")


@frozen
class Lookup(Generic[D]):
    """Which document of a kind is meant, by every name that it can have."""

    tree: DocumentTree[D]
    journal: Journal
    ids_named: Callable[[str], Sequence[str]]
    """Asks the index for the ids of the documents with exactly this name."""
    ids_beginning: Callable[[str], Sequence[str]]
    """Asks it for the ids of those with a name that begins so."""

    def named(self, name: str, newest: Iterator[D]) -> str:
        """Return the id of the document that `name` means.

        An id, the beginning of one, a slug, a client id, or `last`. Raises InvalidInput
        for text that cannot be a name, NotFound and Ambiguous.
        """
        kind = self.tree.kind
        if not name or not name.isprintable() or "/" in name or ".." in name:
            raise InvalidInput(
                f"{name!r} cannot be the name of a {kind.name}.", hint=_HINT
            )
        if name == LAST:
            if last := next(newest, None):
                return kind.document_id(last)
            raise NotFound(f"There are no {kind.root} yet.", hint="Save one first.")
        if self.tree.entry(name) is not None:
            return name
        if document_id := self.id_of_conversation(name):
            return document_id
        ids = self.ids_beginning(name) or self.ids_named(SLUG + name)
        if document_id := self._only(ids, name):
            return document_id
        raise NotFound(
            f"No {kind.name} is named {name!r}.",
            hint="`ocm list` shows the newest ones; `ocm search` finds older ones.",
        )

    def id_of_conversation(self, name: str) -> str | None:
        """Return the document with this client id or session id. Raises Ambiguous."""
        if document_id := self._id_in_journal(name):
            return document_id
        return self._only(self.ids_named(clean_client_id(name)), name)

    def of_conversation(self, client_id: str) -> D | None:
        """Return the document of a conversation, if it has one. Raises Ambiguous."""
        document_id = self.id_of_conversation(client_id)
        return self.tree.document(document_id) if document_id else None

    def oldest_of_conversation(self, client_id: str) -> D | None:
        """Return the oldest readable document of a conversation."""
        ids = (self._id_in_journal(client_id), *self.ids_named(client_id))
        documents = (
            self.tree.readable(document_id) for document_id in ids if document_id
        )
        return next(filter(None, documents), None)

    def _id_in_journal(self, client_id: str) -> str | None:
        name = journal_name(client_id)
        document_id = self.journal.position_of(name).document_id
        return self.tree.id_like(document_id) if document_id else None

    def _only(self, ids: Sequence[str], name: str) -> str | None:
        if len(ids) > 1:
            raise Ambiguous(
                f"{name!r} names several {self.tree.kind.root}.",
                candidates=self._names(ids[:_CANDIDATES]),
            )
        return ids[0] if ids else None

    def _names(self, ids: Sequence[str]) -> list[str]:
        """Return the names of documents; their ids where two have one name."""
        documents = filter(None, map(self.tree.readable, ids))
        names = [*map(self.tree.kind.public_id, documents)]
        return names if len({*names}) == len(ids) else [*ids]
