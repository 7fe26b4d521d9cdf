"""Documents of any kind beside sessions: listed, named, shown, found, forgotten."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from gitmem.actions.reading.catch_up import ask_index
from gitmem.assistants.known import SPOKEN
from gitmem.documents.index_entry import IndexEntry
from gitmem.documents.kind import ChangedKind
from gitmem.documents.kinds import KINDS
from gitmem.errors import Busy, InvalidInput, NoPermission, NotFound
from gitmem.frozen import frozen
from gitmem.search.documents import Hit
from gitmem.search.queries.query import parse
from gitmem.store.forgetting.removal import Removal
from gitmem.store.lookup import Lookup
from gitmem.store.trees.document_tree import AnyTree
from gitmem.workspace import Workspace

AnyKind = ChangedKind[Any, Any]


@frozen
class Shown:
    """A document, as it is stored, and what a list shows of it."""

    id: str
    text: str
    entry: IndexEntry


def kind_named(name: str) -> AnyKind:
    """The kind that has this name, or this plural. Raises InvalidInput."""
    kinds = [each for each in KINDS.values() if isinstance(each, ChangedKind)]
    for kind in kinds:
        if name in (kind.name, kind.root):
            return kind
    known = ", ".join(("session", *(kind.name for kind in kinds)))
    raise InvalidInput(f"kind must be one of {known}, not {name!r}.")


def current(workspace: Workspace, kind: AnyKind) -> AnyTree:
    """The documents with all that was acknowledged, and what `git fetch` brought."""
    store = workspace.store_of(kind)
    with suppress(NoPermission, Busy):  # reading goes on; what is pending stays so
        store.replay(1.0)
    workspace.take_in_fetched()
    return store.memory()


def documents(workspace: Workspace, kind: AnyKind, limit: int = 10) -> list[Shown]:
    """The newest documents of a kind."""
    tree = current(workspace, kind)
    return [_shown(tree, each) for each in islice(tree.newest(), limit)]


def document_named(workspace: Workspace, kind: AnyKind, name: str) -> Shown:
    """The document that `name` means. Raises as `Lookup.named` does."""
    tree = current(workspace, kind)
    document = tree.document(id_named(workspace, kind, tree, name))
    if document is None:
        raise NotFound(f"The {kind.name} {name} cannot be read.")
    return _shown(tree, document)


def documents_found(
    workspace: Workspace, kind: AnyKind, text: str, limit: int = 5
) -> Sequence[Hit]:
    """The documents of a kind that answer a query, the best first."""
    current(workspace, kind)
    query = parse(text, now=workspace.now(), tools=SPOKEN)
    query = replace(query, kind=kind.name)
    return ask_index(workspace, lambda index: index.search(query, limit=limit))


def forget_document(
    workspace: Workspace, kind: AnyKind, name: str, *, from_history: bool = False
) -> str:
    """Forget the document that `name` means; gives its id.

    Raises as `Lookup.named` does, and Busy where other writers do not let us in.
    """
    document = document_named(workspace, kind, name)
    found = workspace.store_of(kind).memory().document(document.id)
    variables = workspace.environment.variables
    removal = Removal(kind, [found], workspace.now(), variables, from_history)
    workspace.store_of(kind).remove(removal)
    workspace.begin_index_anew()
    return document.id


def id_named(workspace: Workspace, kind: AnyKind, tree: AnyTree, name: str) -> str:
    """The id of the document that `name` means. Raises as `Lookup.named` does."""

    def indexed(asked: str) -> list[str]:
        return ask_index(workspace, lambda index: index.lookup(asked, kind.name))

    journal = workspace.store_of(kind).journal
    return Lookup(tree, journal, indexed).named(name, tree.newest())


def _shown(tree: AnyTree, document: Any) -> Shown:
    document_id = tree.kind.ids(document)[0]
    text, entry = tree.text(document_id) or "", tree.kind.entry(document)
    if entry is None:
        raise NotFound(f"No {tree.kind.name} is shown by itself.")
    return Shown(document_id, text, entry)
