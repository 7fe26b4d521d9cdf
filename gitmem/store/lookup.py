"""The document that a name means, for people, clients, journals and imports alike.

A document has an id, former ids, a slug, and the client's id of its conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

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
    indexed: Callable[[str], Sequence[str]]
    """Ids of the documents that the index knows by a client id or a former id."""

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
                return kind.ids(last)[0]
            raise NotFound(f"There are no {kind.root} yet.", hint="Save one first.")
        if self.tree.entry(name) is not None:
            return name
        if known := self.id_of_conversation(name):
            return known
        ids = [*self.tree.ids()]
        found = [each for each in ids if each.startswith(name)]
        found = found or [each for each in ids if kind.slug(each) == name]
        if known := self._only(found, name):
            return known
        raise NotFound(
            f"No {kind.name} is named {name!r}.",
            hint="`ocm list` shows the newest ones; `ocm search` finds older ones.",
        )

    def id_of_conversation(self, name: str) -> str | None:
        """Return the document with this client id, or former id. Raises Ambiguous."""
        marked = self._marked(name)
        if marked and self.tree.entry(marked) is not None:
            return marked
        return self._only(sorted(self.indexed(clean_client_id(name))), name)

    def of_conversation(self, client_id: str) -> D | None:
        """Return the document of a conversation, if it has one. Raises Ambiguous."""
        document_id = self.id_of_conversation(client_id)
        return self.tree.document(document_id) if document_id else None

    def oldest_of_conversation(self, client_id: str) -> D | None:
        """Return the oldest readable document of a conversation."""
        ids = (self._marked(client_id), *self.indexed(client_id))
        found = (self.tree.readable(each) for each in ids if each)
        return next(filter(None, found), None)

    def _marked(self, client_id: str) -> str | None:
        return self.journal.position_of(journal_name(client_id)).document_id

    def _only(self, found: Sequence[str], name: str) -> str | None:
        if len(found) > 1:
            raise Ambiguous(
                f"{name!r} names several {self.tree.kind.root}.",
                candidates=list(found[:_CANDIDATES]),
            )
        return found[0] if found else None
