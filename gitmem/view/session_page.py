"""One session: its document, where it comes from, and what goes on from it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any

from gitmem.actions.context.log import deliveries
from gitmem.actions.editing.edit import editable
from gitmem.actions.reading.documents import read_conversation, session_diff
from gitmem.actions.reading.lineage import family_tree
from gitmem.actions.reading.recent import ids_from
from gitmem.documents.conversation.conversation import parse
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.fields import FIELDS, FieldForm
from gitmem.documents.session.parsing import parse as parse_session
from gitmem.documents.session.session import Session, text_of_item
from gitmem.git.values import ABBREVIATED, Commit, FileChange
from gitmem.lookup import find
from gitmem.store.trees.committing import configured_trust
from gitmem.store.trees.document_versions import texts_of
from gitmem.view.session_list import session_row
from gitmem.workspace import Workspace

Family = list[tuple[str, Session]]
"""Sessions of a tree, each with the lines that are drawn before it."""
_MOST_RELATED = 150
"""Sessions before and after it, each, that may be of its family."""
_MOST_VERSIONS = 50
_MOST_DIFF_LINES = 20_000
_LISTS = FieldForm.ITEMS, FieldForm.FILES, FieldForm.COMMITS
_FIELDS = [field.name for field in FIELDS if field.argument or field.form in _LISTS]
"""Fields whose changes are shown."""
_STYLES = {"+": "added", "-": "removed", "@": "place", "d": "file"}
"""Styles of lines of a patch, by their first characters."""


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    session = find(workspace, SESSION, parameters["name"])
    family = families(_around(workspace, session)).get(session.id, [])
    return _common(workspace, session) | {"family": family}


def conversation_values(
    workspace: Workspace, parameters: Mapping[str, str]
) -> dict[str, Any]:
    conversation = read_conversation(workspace, parameters["name"])
    turns = parse(conversation.text)
    return _common(workspace, conversation.session) | {"turns": turns}


def changes_values(
    workspace: Workspace, parameters: Mapping[str, str]
) -> dict[str, Any]:
    session = find(workspace, SESSION, parameters["name"])
    tree = workspace.store.memory()
    texts = texts_of(workspace.repository, tree, session.id, _MOST_VERSIONS)
    versions = [parse_session(session.id, text) for text in texts]
    changes = [
        (after, [*_changed_fields(after, before)])
        for after, before in zip_longest(versions, versions[1:])
    ]
    return _common(workspace, session) | {"changes": changes}


def diff_values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    session = find(workspace, SESSION, parameters["name"])
    difference = session_diff(workspace, session.id, is_colored=False)
    text = "\n".join(filter(None, (difference.patches, difference.uncommitted)))
    lines = text.split("\n") if text else []
    return _common(workspace, session) | {
        "difference": difference,
        "lines": [(line, _style(line)) for line in lines[:_MOST_DIFF_LINES]],
        "hidden": max(len(lines) - _MOST_DIFF_LINES, 0),
    }


def told_values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    session = find(workspace, SESSION, parameters["name"])
    session_deliveries = deliveries(workspace, session.id)
    return _common(workspace, session) | {"deliveries": session_deliveries}


def edit_values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    document = editable(workspace, parameters["name"])
    return {"name": parameters["name"], "text": document.text, "error": None}


def _common(workspace: Workspace, session: Session) -> dict[str, Any]:
    return {
        "row": session_row(workspace, configured_trust(workspace.repository), session),
        "has_conversation": bool(workspace.conversations.id_like(session.id)),
    }


def _changed_fields(
    after: Session, before: Session | None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield names of fields, each with the texts that went and that came."""
    for name in _FIELDS:
        present, former = _texts(after, name), _texts(before, name)
        removed = [text for text in former if text not in present]
        added = [text for text in present if text not in former]
        if removed or added:
            yield name, removed, added


def _texts(session: Session | None, name: str) -> list[str]:
    value = getattr(session, name) if session else ()
    items = (value,) if isinstance(value, str) else value
    return [_text(item) for item in items if item]


def _text(item: object) -> str:
    match item:
        case FileChange():
            return f"{item.change} `{item.path}`"
        case Commit():
            return f"`{item.sha[:ABBREVIATED]}` {item.subject}"
    return text_of_item(item)


def _style(line: str) -> str:
    if line.startswith(("+++", "---", "index ", "new file", "deleted file")):
        return "place"
    is_file = line.startswith("diff --git ")
    return "" if line[:1] == "d" and not is_file else _STYLES.get(line[:1], "")


def families(sessions: Sequence[Session]) -> dict[str, Family]:
    """Return the tree that each session is of, by its id; none where it is alone."""
    trees: list[Family] = []
    for index, lead, _ in family_tree(sessions):
        if not lead:
            trees.append([])
        trees[-1].append((lead, sessions[index]))
    return {member.id: tree for tree in trees if len(tree) > 1 for _, member in tree}


def _around(workspace: Workspace, session: Session) -> list[Session]:
    """Return the sessions before and after one that may be of its family."""
    memory = workspace.store.memory()
    ids = chain(
        islice(ids_from(memory, session.id, -1), _MOST_RELATED),
        [session.id],
        islice(ids_from(memory, session.id, 1), _MOST_RELATED),
    )
    return [*filter(None, map(memory.readable, ids))]
