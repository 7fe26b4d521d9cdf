"""Change the document of a session or a memory by hand.

An edited text is read against the text that it was made of: what differs is the change,
so what others added meanwhile stays. Only what people and assistants say can change;
any other difference is refused, with its line.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from gitmem.actions.editing.memory_edit import MemoryEdit
from gitmem.actions.editing.session_edit import SessionEdit
from gitmem.actions.remembering.named import NamedDocument, find_document
from gitmem.documents import header
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.readable_copies import drop_copy
from gitmem.store.trees.document_tree import AnyTree
from gitmem.store.trees.document_versions import texts_of
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.control_characters import harmless_lines
from gitmem.workspace import Workspace

_MOST_CHANGES = 100
"""Changes of a text that are looked at for the one that cannot be read."""
_MOST_VERSIONS = 100
"""Versions of a document that are looked at for the one that somebody edited."""
_NAMES = frozenset({"session_id", "memory_id"})
_EditedDocument = SessionEdit | MemoryEdit


@frozen
class EditableDocument:
    document: NamedDocument
    text: str
    """Its text, without characters that are not seen."""


@frozen
class SavedEdit:
    name: str
    """The name of the document for people and tools."""
    kind: str
    changed_fields: tuple[str, ...]
    markdown_path: Path | None
    """The readable copy of a session."""


def editable(workspace: Workspace, name: str) -> EditableDocument:
    """Return the document that `name` means, to be edited. Raises as `find_id` does."""
    document = find_document(workspace, name)
    if document.kind not in (SESSION, MEMORY):
        raise InvalidInput(f"A {document.kind.name} cannot be edited.")
    text = _tree(document).text(document.id)
    if text is None:
        raise NotFound(f"The {document.kind.name} {document.id} cannot be read.")
    return EditableDocument(document, _normalized(text))


def edited_elsewhere(workspace: Workspace, text: str) -> EditableDocument:
    """Return the document that a text was made of, as it was then.

    That is the newest version that has its header. Raises InvalidInput and NotFound.
    """
    head = header.split(_normalized(text))[0]
    names = header.read(head, _NAMES).values
    if not names:
        raise InvalidInput(
            "line 1: the text has no header that names its session or memory.",
            hint="`ocm show NAME --raw` prints a document with its header.",
        )
    present = editable(workspace, next(iter(names.values())))
    document = present.document
    git, tree = document.workspace.repository, _tree(document)
    texts = texts_of(git, tree, document.id, _MOST_VERSIONS)
    versions = (
        version for version in map(_normalized, texts) if _head(version) == head
    )
    return EditableDocument(document, next(versions, present.text))


def save_edit(
    editable: EditableDocument, text: str, file: Path | None = None
) -> SavedEdit:
    """Save what an edited text changes in a document.

    The `file` that has the text is deleted where it is one of ours. Raises
    InvalidInput, with the line, for a text that changes anything else, and Busy.
    """
    document = editable.document
    workspace, kind = document.workspace, document.kind
    edit = _read(editable, _normalized(text))
    if edit.changed_fields:
        store = workspace.documents_of(kind)
        store.edit(document.id, edit, workspace.now())
    if file and file.absolute().parent in {*workspace.copy_folders()}:
        drop_copy(file, workspace.environment.variables)
    saved_text = _tree(document).text(document.id) or ""
    name = kind.public_id_in(document.id, saved_text)
    copy = workspace.copy(name, saved_text) if kind is SESSION else None
    return SavedEdit(name, kind.name, edit.changed_fields, copy)


def _read(editable: EditableDocument, text: str) -> _EditedDocument:
    try:
        return _edit(editable, text)
    except InvalidInput as error:
        line = _faulty_line(editable, text)
        raise InvalidInput(f"line {line}: {error.message}", hint=error.hint) from None


def _edit(editable: EditableDocument, text: str) -> _EditedDocument:
    document, base_text = editable.document, editable.text
    if _head(text) != _head(base_text):
        raise InvalidInput("the header can only be read.")
    reader = SessionEdit if document.kind is SESSION else MemoryEdit
    edit = reader.read(document.id, base_text, text)
    kind, tree = document.kind, _tree(document)
    base_items = {item for _, item in kind.items(edit.base)}
    for subject, item in kind.items(edit.edited):
        is_forgotten_item = item not in base_items and is_forgotten(tree, subject)
        if edit.removes(item) or is_forgotten_item:
            raise InvalidInput(
                f"{item!r} was removed, and stays away.", hint="Say it in other words."
            )
    return edit


def _faulty_line(editable: EditableDocument, text: str) -> int:
    """Return the number of the line where the first change begins that is refused."""
    first = 0
    for number, changed in islice(_changes(editable.text, text), _MOST_CHANGES):
        first = first or number
        try:
            _edit(editable, changed)
        except InvalidInput:
            return number
    return first


def _changes(base_text: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield each change of a text alone: its line in the text, and the base with it."""
    before, after = base_text.split("\n"), text.split("\n")
    matcher = SequenceMatcher(None, before, after)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            changed = [*before[:start], *after[new_start:new_end], *before[end:]]
            yield new_start + 1, "\n".join(changed)


def _normalized(text: str) -> str:
    """Return lines without white space at their ends, which editors add or drop."""
    lines = harmless_lines(text.removeprefix("\ufeff")).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _head(text: str) -> str:
    return header.split(text)[0]


def _tree(document: NamedDocument) -> AnyTree:
    return document.workspace.documents_of(document.kind).memory()
