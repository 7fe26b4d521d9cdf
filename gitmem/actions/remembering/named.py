"""The document that somebody means, of whatever kind, and in which repository it is."""

from contextlib import suppress
from typing import Any

from gitmem.actions.any_kind import (
    TITLE_LENGTH,
    AnyKind,
    current,
    id_named,
    kind_named,
)
from gitmem.actions.reading.documents import Document, find_session, read_document
from gitmem.actions.remembering.places import places
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import MEMORY, SESSION, changed_kinds
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.store.forgetting.removal import Removal
from gitmem.store.readable_copies import remove_copies
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_ITEM = pattern(r"#[a-z][0-9]+\Z")
"""The suffix of a session's id that names a statement."""


@frozen
class Named:
    """A document that somebody means, and the repository that has it."""

    workspace: Workspace
    kind: Kind[Any]
    id: str


def named(workspace: Workspace, name: str) -> Named:
    """Return the document of any kind that `name` means, the sessions first.

    `<session>#d3`, a statement of a session, means that. Raises as `find_session`.
    """
    try:
        return Named(workspace, SESSION, find_session(workspace, _ITEM.sub("", name)))
    except NotFound:
        for kind in changed_kinds():
            with suppress(NotFound):
                return named_of(workspace, kind, name)
        raise


def named_of(workspace: Workspace, kind: AnyKind, name: str) -> Named:
    """The same of one kind: in this repository, then in the spaces."""
    for place in places(workspace, None, []):
        with suppress(NotFound):
            tree = current(place.workspace, kind)
            document_id = id_named(place.workspace, kind, tree, name)
            return Named(place.workspace, kind, document_id)
    raise NotFound(
        f"No {kind.name} is named {name!r}.",
        hint=f"`ocm list --kind {kind.name}` shows the newest ones.",
    )


def read(workspace: Workspace, name: str) -> Document:
    """The document of any kind that `name` means; of sessions with a readable copy."""
    found = named(workspace, name)
    if found.kind is SESSION:
        return read_document(workspace, found.id)
    return _document(workspace, found)


def read_memory(workspace: Workspace, name: str) -> Document:
    """The memory that `name` means. Raises NotFound and Ambiguous."""
    return _document(workspace, named_of(workspace, MEMORY, name))


def _document(workspace: Workspace, found: Named) -> Document:
    text = _tree(found).text(found.id)
    if text is None:
        raise NotFound(f"The {found.kind.name} {found.id} cannot be read.")
    is_here = found.workspace is workspace
    return Document(found.id, text, None, found.kind.name, is_here)


def forget(found: Named, *, from_history: bool = False) -> None:
    """Forget a document, here and in every clone that syncs.

    Raises Busy where other writers do not let us in.
    """
    workspace, gone = found.workspace, [_tree(found).document(found.id)]
    removal = Removal(found.kind, gone, workspace.now(), from_history)
    workspace.store_of(kind_named(found.kind.name)).remove(removal)
    for folder in workspace.copy_folders():
        remove_copies(folder, found.id.__eq__, workspace.environment.variables)
    workspace.begin_index_anew()


def title_of(found: Named) -> str:
    entry = found.kind.entry(_tree(found).document(found.id))
    return one_line(entry.title, TITLE_LENGTH) if entry else ""


def _tree(found: Named) -> AnyTree:
    return tree_at_tip(found.kind, found.workspace.repository)
