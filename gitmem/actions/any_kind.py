"""Documents of any kind: listed, found, named.

Sessions have more to them, and commands of their own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from gitmem.answers import Answer
from gitmem.assistants.known import NICKNAMES
from gitmem.documents.kind import ChangedKind
from gitmem.documents.kinds import changed_kinds
from gitmem.errors import InvalidInput
from gitmem.indexing import ask_index
from gitmem.search.queries.query import parse
from gitmem.store.document_store import ChangeStore
from gitmem.store.lookup import Lookup
from gitmem.store.trees.committing import circle_in
from gitmem.store.trees.document_tree import AnyTree
from gitmem.text.markdown import line, one_line
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.documents import Hit

AnyKind = ChangedKind[Any, Any]
D = TypeVar("D")
C = TypeVar("C")
TITLE_LENGTH = 300
"""Characters of a title, whoever wrote it."""


def kind_named(name: str) -> AnyKind:
    """The kind that has this name, or this plural. Raises InvalidInput."""
    for kind in changed_kinds():
        if name in (kind.name, kind.root):
            return kind
    names = ", ".join(("session", *(kind.name for kind in changed_kinds())))
    raise InvalidInput(f"kind must be one of {names}, not {name!r}.")


def current(workspace: Workspace, kind: AnyKind) -> AnyTree:
    """The documents with all that was acknowledged, and what `git fetch` brought."""
    return current_store(workspace, kind).memory()


def current_store(workspace: Workspace, kind: ChangedKind[D, C]) -> ChangeStore[D, C]:
    """The store of a kind, after the same."""
    store = workspace.store_of(kind)
    workspace.replay(store)
    workspace.take_in_fetched()
    return store


def id_named(workspace: Workspace, kind: AnyKind, tree: AnyTree, name: str) -> str:
    """The id of the document that `name` means. Raises as `Lookup.named` does."""

    def ids_named(name: str) -> list[str]:
        return ask_index(workspace, lambda index: index.lookup(name, kind.name))

    def ids_beginning(name: str) -> list[str]:
        return ask_index(
            workspace, lambda index: index.lookup_beginning(name, kind.name)
        )

    def newest() -> Iterator[Any]:
        for hit in documents(workspace, kind, "", 1):
            yield tree.readable(hit.id)

    journal = workspace.store_of(kind).journal
    return Lookup(tree, journal, ids_named, ids_beginning).named(name, newest())


def documents(
    workspace: Workspace, kind: AnyKind, text: str, limit: int
) -> "Sequence[Hit]":
    """The documents of a kind that answer a query, best first; for "" the newest."""
    current(workspace, kind)
    query = parse(text, now=workspace.now(), tools=NICKNAMES)
    query = replace(query, kind=kind.name)
    return ask_index(workspace, lambda index: index.search(query, limit=limit))


def of_hits(workspace: Workspace, hits: "Sequence[Hit]") -> list[Answer]:
    """What `--json` tells of documents that were listed or found."""
    own = circle_in(workspace.repository)
    return [
        {
            f"{hit.kind}_id": hit.public_id,
            "title": one_line(hit.title, TITLE_LENGTH),
            "date": hit.at.date().isoformat(),
            "status": hit.status,
            "author": line(hit.author) or None,
            "own": own.owns(hit.author),
            "match": hit.match.value,
            "score": round(hit.score, 3),
        }
        for hit in hits
    ]
