"""Change the document of a session or a memory by hand.

An edited text is read against the text that it was made of: what differs is the change.
It is one more version of the document, which merges as another clone's does, so what
others added meanwhile stays. Only what people and assistants say can change; any other
difference is refused, with its line.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any

from gitmem.actions.remembering.named import NamedDocument, find_document
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents import header
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.session.checkpoint import moment_after
from gitmem.documents.session.fields import ARGUMENTS, FIELDS
from gitmem.documents.session.session import GoalSource
from gitmem.documents.session.statements import with_new_times
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.readable_copies import drop_copy
from gitmem.store.trees.document_tree import AnyTree
from gitmem.store.trees.document_versions import texts_of
from gitmem.store.trees.hand_edits import HandEdit, with_edit
from gitmem.text.control_characters import harmless_lines
from gitmem.workspace import Workspace

_EDITABLE = {
    SESSION.name: tuple(ARGUMENTS),
    MEMORY.name: ("text", "why", "facts", "tags"),
}
"""The fields that can change, by kind."""
_MOST_CHANGES = 100
"""Changes of a text that are looked at for the one that cannot be read."""
_MOST_VERSIONS = 100
"""Versions of a document that are looked at for the one that somebody edited."""
_NAMES = frozenset({"session_id", "memory_id"})


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
    if document.kind.name not in _EDITABLE:
        raise InvalidInput(f"A {document.kind.name} cannot be edited.")
    text = _tree(document).text(document.id)
    if text is None:
        raise NotFound(f"The {document.kind.name} {document.id} cannot be read.")
    return EditableDocument(document, _normalized(text))


def edited_elsewhere(workspace: Workspace, text: str) -> EditableDocument:
    """Return the document that a text was made of, as it was then.

    That is the version with its header that is most like it. Raises InvalidInput and
    NotFound.
    """
    text = _normalized(text)
    head, lines = header.split(text)[0], {*text.split("\n")}
    names = header.read(head, _NAMES).values
    if not names:
        raise InvalidInput(
            "line 1: the text has no header that names its session or memory.",
            hint="`ocm show NAME --raw` prints a document with its header.",
        )
    present = editable(workspace, next(iter(names.values())))
    document, git = present.document, present.document.workspace.repository
    texts = texts_of(git, _tree(document), document.id, _MOST_VERSIONS)
    versions = (v for v in map(_normalized, texts) if header.split(v)[0] == head)
    base_text = min(
        versions, key=lambda v: len(lines ^ {*v.split("\n")}), default=present.text
    )
    return EditableDocument(document, base_text)


def save_edit(
    editable: EditableDocument, text: str, file: Path | None = None
) -> SavedEdit:
    """Save what an edited text changes in a document.

    The `file` that has the text is deleted where it is one of ours. Raises
    InvalidInput, with the line, for a text that changes anything else, and Busy.
    """
    document = editable.document
    workspace, kind = document.workspace, document.kind
    edit, changed_fields = _read(editable, _normalized(text))
    if changed_fields:
        workspace.documents_of(kind).edit(edit, workspace.now())
    if file and file.absolute().parent in {*workspace.copy_folders()}:
        drop_copy(file, workspace.environment.variables)
    saved_text = _tree(document).text(document.id) or ""
    name = kind.public_id_in(document.id, saved_text)
    copy = workspace.copy(name, saved_text) if kind is SESSION else None
    return SavedEdit(name, kind.name, changed_fields, copy)


_ReadEdit = tuple[HandEdit[Any], tuple[str, ...]]
"""An edit, and the fields that it changes."""


def _read(editable: EditableDocument, text: str) -> _ReadEdit:
    try:
        return _edit(editable, text)
    except InvalidInput as error:
        line = _faulty_line(editable, text)
        raise InvalidInput(f"line {line}: {error.message}", hint=error.hint) from None


def _edit(editable: EditableDocument, text: str) -> _ReadEdit:
    document, kind = editable.document, editable.document.kind
    base, edited = (kind.parse(document.id, t) for t in (editable.text, text))
    values = {name: _without_blanks(edited, name) for name in _EDITABLE[kind.name]}
    edited = replace(edited, **values)
    heads = {header.split(version)[0] for version in (editable.text, text)}
    if len(heads) > 1 or edited != replace(base, **values):
        raise InvalidInput(
            "this can only be read.",
            hint=f"What can change: {', '.join(values).replace('_', ' ')}.",
        )
    if kind is MEMORY:
        parse_statement(values, base.updated_at)
    changed_fields = tuple(n for n in values if values[n] != getattr(base, n))
    base_items, items = ({t for _, t in kind.items(v)} for v in (base, edited))
    removed = frozenset(map(harmless_lines, base_items - items))
    edit = HandEdit(_stamped(document, edited, changed_fields), removed)
    _require_lasting(document, edit, base, changed_fields)
    return edit, changed_fields


def _stamped(
    document: NamedDocument, edited: Any, changed_fields: tuple[str, ...]
) -> Any:
    """Return an edited document, later than the present one in what is replaced."""
    workspace, now = document.workspace, document.workspace.now()
    present: Any = _tree(document).document(document.id) or edited
    if document.kind is MEMORY:
        by = f"person:{workspace.store.author(now).who}"
        later = max(now, present.updated_at + timedelta(seconds=1))
        return replace(edited, updated_at=later, sources=(*edited.sources, by))
    at = moment_after(present, now)
    stamps: dict[str, Any] = {
        field.stamp: at
        for field in FIELDS
        if field.stamp and field.name in changed_fields
    }
    stamps["stated_at"] = with_new_times(present, edited, at)
    if "goal" in changed_fields:
        stamps["goal_source"] = GoalSource.WRITTEN
    return replace(edited, **stamps)


def _require_lasting(
    document: NamedDocument, edit: HandEdit[Any], base: Any, names: tuple[str, ...]
) -> None:
    """Raise InvalidInput for a change that no merge of clones would leave so."""
    merged, _ = with_edit(_tree(document), base, edit)
    for name in names:
        edited_value, lasting = (getattr(v, name) for v in (edit.version, merged))
        is_text = isinstance(lasting, str)
        if edited_value != lasting and (is_text or {*edited_value} != {*lasting}):
            raise InvalidInput(
                f"{name.replace('_', ' ')} cannot change so.",
                hint="What was removed stays away, a goal stays, and a link keeps its"
                " title: say it in other words.",
            )


def _without_blanks(document: Any, name: str) -> Any:
    """Return a field without empty items."""
    value = getattr(document, name)
    return value if isinstance(value, str) else tuple(filter(None, value))


def _faulty_line(editable: EditableDocument, text: str) -> int:
    """Return the number of the line where the first change begins that is refused."""
    first_line = 0
    for line, changed_text in islice(_changes(editable.text, text), _MOST_CHANGES):
        first_line = first_line or line
        try:
            _edit(editable, changed_text)
        except InvalidInput:
            return line
    return first_line


def _changes(base_text: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield each change of a text alone: its line in the text, and the base with it."""
    base_lines, lines = base_text.split("\n"), text.split("\n")
    matcher = SequenceMatcher(None, base_lines, lines)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            new_lines = lines[new_start:new_end]
            changed = [*base_lines[:start], *new_lines, *base_lines[end:]]
            yield new_start + 1, "\n".join(changed)


def _normalized(text: str) -> str:
    """Return lines without white space at their ends, which editors add or drop."""
    lines = harmless_lines(text.removeprefix("\ufeff")).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _tree(document: NamedDocument) -> AnyTree:
    return document.workspace.documents_of(document.kind).memory()
