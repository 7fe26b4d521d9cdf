"""The document that a name means, for people, clients, hooks and tools alike.

A document has an id, a session id and former ones, a slug, and the client's id of its
conversation.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from gitmem.documents.index_entry import SLUG
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import SESSION
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.session import Session
from gitmem.errors import Ambiguous, InvalidInput, NotFound
from gitmem.indexing import ask_index
from gitmem.store.journal.journal import journal_name
from gitmem.text.markdown import one_line
from gitmem.workspace import Workspace

LAST = "last"
"""Names the newest document."""
_CANDIDATES = 10
_TITLE_LENGTH = 80
_HINT = "`ocm list` shows the ids; `last` is the newest one."
D = TypeVar("D")


def find(workspace: Workspace, kind: Kind[D], name: str) -> D:
    """Return the document of a kind that `name` means. Raises as `find_id` does."""
    document_id = find_id(workspace, kind, name)
    document = workspace.documents_of(kind).memory().document(document_id)
    if document is None:
        raise NotFound(f"There is no {kind.name} {document_id}.")
    return document


def find_id(workspace: Workspace, kind: Kind[Any], name: str) -> str:
    """Return the id of the document that `name` means, of all that was acknowledged.

    An id, the beginning of one, a slug, a client id, or `last`. Raises InvalidInput for
    text that cannot be a name, NotFound and Ambiguous.
    """
    if not name or not name.isprintable() or "/" in name or ".." in name:
        raise InvalidInput(f"{name!r} cannot be the name of a {kind.name}.", hint=_HINT)
    tree = workspace.current(kind)
    if name == LAST:
        if newest := next(tree.newest(workspace.now()), None):
            return kind.document_id(newest)
        raise NotFound(f"There are no {kind.root} yet.", hint="Save one first.")
    if tree.entry(name) is not None:
        return name
    if document_id := _id_of_conversation(workspace, kind, name):
        return document_id
    ids = ask_index(
        workspace,
        lambda index: (
            index.lookup_beginning(name, kind.name)
            or index.lookup(SLUG + name, kind.name)
        ),
    )
    if document_id := _only(workspace, kind, ids, name):
        return document_id
    raise NotFound(
        f"No {kind.name} is named {name!r}.", hint=_similar(workspace, kind, name)
    )


def _similar(workspace: Workspace, kind: Kind[Any], name: str) -> str:
    """Return a hint with the documents whose slugs begin so."""
    ids = ask_index(
        workspace, lambda index: index.lookup_beginning(SLUG + name, kind.name)
    )
    if names := _names(workspace, kind, ids[:_CANDIDATES]):
        return "\n  ".join(["These begin so:", *names])
    return "`ocm list` shows the newest ones; `ocm search` finds older ones."


def session_of_conversation(workspace: Workspace, client_id: str) -> Session | None:
    """Return the session of a conversation, if there is one. Raises Ambiguous."""
    session_id = _id_of_conversation(workspace, SESSION, client_id)
    return workspace.store.memory().document(session_id) if session_id else None


def _id_of_conversation(workspace: Workspace, kind: Kind[Any], name: str) -> str | None:
    """Return the id of the document with this client id or session id."""
    store = workspace.documents_of(kind)
    begun_id = store.journal.position_of(journal_name(name)).document_id
    if begun_id and (document_id := store.memory().id_like(begun_id)):
        return document_id
    client_id = clean_client_id(name)
    ids = ask_index(workspace, lambda index: index.lookup(client_id, kind.name))
    return _only(workspace, kind, ids, name)


def _only(
    workspace: Workspace, kind: Kind[Any], ids: Sequence[str], name: str
) -> str | None:
    if len(ids) > 1:
        names = _names(workspace, kind, ids[:_CANDIDATES])
        raise Ambiguous(f"{name!r} names several {kind.root}.", candidates=names)
    return ids[0] if ids else None


def _names(workspace: Workspace, kind: Kind[Any], ids: Sequence[str]) -> list[str]:
    """Return the names of documents; their ids and titles where two have one name."""
    memory = workspace.documents_of(kind).memory()
    documents = [*filter(None, map(memory.readable, ids))]
    names = [*map(kind.public_id, documents)]
    if len({*names}) == len(names):
        return names
    entries = {kind.document_id(x): kind.entry(x) for x in documents}
    return [
        f"{document_id}  {one_line(entry.title, _TITLE_LENGTH) if entry else ''}"
        for document_id, entry in entries.items()
    ]
