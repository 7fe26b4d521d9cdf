"""The document that somebody means, of whatever kind, and in which repository it is."""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from gitmem.actions import forgetting
from gitmem.actions.any_kind import TITLE_LENGTH, AnyKind
from gitmem.actions.reading.documents import Document, read_document
from gitmem.actions.remembering.places import places
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import MEMORY, SESSION, changed_kinds
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.lookup import find_id
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_ITEM = pattern(r"#[a-z][0-9]+\Z")
"""The suffix of a session's id that names a statement."""


@frozen
class NamedDocument:
    """A document that somebody means, and the repository that has it."""

    workspace: Workspace
    kind: Kind[Any]
    id: str


def find_document(workspace: Workspace, name: str) -> NamedDocument:
    """Return the document of any kind that `name` means, the sessions first.

    `<session>#d3`, a statement of a session, means that. Raises as `find_id`.
    """
    try:
        return NamedDocument(
            workspace, SESSION, find_id(workspace, SESSION, _ITEM.sub("", name))
        )
    except NotFound as error:
        for kind in changed_kinds():
            with suppress(NotFound):
                return find_document_of_kind(workspace, kind, name)
        kinds = " or ".join(kind.name for kind in (SESSION, *changed_kinds()))
        raise NotFound(f"No {kinds} is named {name!r}.", hint=error.hint) from None


def find_document_of_kind(
    workspace: Workspace, kind: AnyKind, name: str
) -> NamedDocument:
    """The same of one kind: in this repository, then in the spaces."""
    for place in places(workspace, None, []):
        with suppress(NotFound):
            document_id = find_id(place.workspace, kind, name)
            return NamedDocument(place.workspace, kind, document_id)
    raise NotFound(
        f"No {kind.name} is named {name!r}.",
        hint=f"`ocm list --kind {kind.name}` shows the newest ones.",
    )


def read(workspace: Workspace, name: str) -> Document:
    """The document of any kind that `name` means; of sessions with a readable copy."""
    located = find_document(workspace, name)
    if located.kind is SESSION:
        return read_document(workspace, located.id)
    return _document(workspace, located)


def read_memory(workspace: Workspace, name: str) -> Document:
    """The memory that `name` means. Raises NotFound and Ambiguous."""
    return _document(workspace, find_document_of_kind(workspace, MEMORY, name))


def _document(workspace: Workspace, located: NamedDocument) -> Document:
    text = _tree(located).text(located.id)
    if text is None:
        raise NotFound(f"The {located.kind.name} {located.id} cannot be read.")
    is_here = located.workspace is workspace
    return Document(located.id, text, None, located.kind.name, is_here)


def forget(
    documents: Iterable[NamedDocument], transport: TransportOptions | None = None
) -> None:
    """Forget documents as `forgetting.forget`, those of each repository at once."""
    stores: dict[tuple[str, str], list[NamedDocument]] = defaultdict(list)
    for located in documents:
        repository = located.workspace.repository
        stores[str(repository.common_dir), located.kind.name].append(located)
    for same_store in stores.values():
        workspace, kind = same_store[0].workspace, same_store[0].kind
        tree = tree_at_tip(kind, workspace.repository)
        stored = [tree.document(located.id) for located in same_store]
        forgetting.forget(workspace, stored, transport, kind)


def title_of(located: NamedDocument) -> str:
    entry = located.kind.entry(_tree(located).document(located.id))
    return one_line(entry.title, TITLE_LENGTH) if entry else ""


def _tree(located: NamedDocument) -> AnyTree:
    return tree_at_tip(located.kind, located.workspace.repository)
