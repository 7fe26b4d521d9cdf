"""The document that a name means, for people, clients, journals and imports alike.

A document has an id, former ids, a slug, and the client's id of its conversation.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, islice
from typing import Generic, TypeVar

from gitmem.documents.names import clean_client_id
from gitmem.documents.session.identity import provisional_slug, slug_of
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Ambiguous, Damaged, InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.journal.journal import Journal, journal_name
from gitmem.store.trees.document_tree import MOST_OF_FOLDER, DocumentTree
from gitmem.store.trees.session_tree import SessionTree, is_conversation_forgotten
from gitmem.store.trees.tombstones import is_forgotten

LAST = "last"
"""Names the newest document."""
_CANDIDATES = 10

_HINT = "`ocm list` shows the ids; `last` is the newest one."
D = TypeVar("D")
BeganAt = Callable[[], datetime]
"""When the conversation began: asked for only where no id leads to it."""


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


def session_of(
    memory: SessionTree, record: Record, known_id: str | None, began_at: BeganAt
) -> Session | None:
    """Return the session that a record is for, if there is one.

    Where no id is known, or it names no document (the session was renamed, a replay was
    cut off before its mark, the mark is damaged), it is found by the client's id, among
    the sessions that began that day.
    """
    client_id = record.client_session_id
    if known_id and (found := memory.document(known_id)):
        return found
    if known_id and (found := of_conversation(memory, client_id, known_id[:10])):
        return found
    return of_conversation(memory, client_id, f"{began_at():%Y-%m-%d}")


def of_conversation(memory: SessionTree, client_id: str, day: str) -> Session | None:
    """Find the session of a conversation among those of a day, `YYYY-MM-DD`."""
    return of_conversations(memory, [client_id], day).get(client_id)


def of_conversations(
    memory: SessionTree, client_ids: Collection[str], day: str
) -> dict[str, Session]:
    """Find the sessions of several clients; each document is read once."""
    first: dict[str, Session] = {}
    ids = _likely_ids(memory, client_ids, day)
    for session in _of_clients(memory, client_ids, ids):
        first.setdefault(session.client_session_id, session)
        if len(first) == len(client_ids):
            break
    return first


def of_any_day(memory: SessionTree, client_id: str) -> Session | None:
    """Find the session of a conversation that may have begun long ago.

    Among those that were never given a slug: reading all would take too long.
    """
    slug = provisional_slug(client_id)
    unnamed = (each for each in memory.ids() if slug in each.rpartition("_")[2])
    some = islice(unnamed, MOST_OF_FOLDER)
    return next(_of_clients(memory, [client_id], some), None)


def was_forgotten(memory: SessionTree, record: Record, known_id: str | None) -> bool:
    """Return whether a record's session was forgotten, by conversation or known id."""
    if known_id is not None and is_forgotten(memory, known_id):
        return True
    return is_conversation_forgotten(memory, record.tool, record.client_session_id)


def _likely_ids(
    memory: SessionTree, client_ids: Iterable[str], day: str
) -> Iterator[str]:
    """Return ids of a day, a bounded number, those that name the conversation first."""
    slugs = tuple(map(provisional_slug, client_ids))
    names = memory.folder(f"{memory.kind.root}/{day.replace('-', '/')}")
    likely = (each for each in names if slug_of(each).startswith(slugs))
    ids = (each.removesuffix(".md") for each in sorted(likely, reverse=True))
    return islice(chain(ids, memory.ids_in(*day.split("-"))), MOST_OF_FOLDER)


def _of_clients(
    memory: SessionTree, client_ids: Collection[str], ids: Iterable[str]
) -> Iterator[Session]:
    """Yield the sessions of these conversations among those with these ids.

    Only documents that name one are read as a whole: there may be hundreds.
    """
    escaped = any(map(_is_escaped, client_ids))
    for session_id in ids:
        with suppress(Damaged):
            text = memory.text(session_id) or ""
            if escaped or any(client_id in text for client_id in client_ids):
                session = parse(session_id, text)
                if session.client_session_id in client_ids:
                    yield session


def _is_escaped(client_id: str) -> bool:
    """Return whether a header writes it otherwise than it is."""
    return not client_id.isprintable() or any(mark in client_id for mark in "\"\\'")
