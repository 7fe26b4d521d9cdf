"""Join each text that two clones have in different versions.

A join needs no common ancestor, and its order does not matter. Only a tombstone
removes: what one side lacks and nobody forgot stays, and so do lists and sections that
one side shortened.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import TypeGuard, TypeVar

from gitmem.git.values import Content, TreeEntry
from gitmem.redaction.redact import redact, seal
from gitmem.store.remote.merge_sides import Sides
from gitmem.store.trees import tombstones
from gitmem.store.trees.document_tree import AnyTree

D = TypeVar("D")


def merged_children(sides: Sides[D], parents: AnyTree) -> dict[str, Content]:
    """Merge documents that belong to others, by id; the longer version is kept.

    `parents` says which documents are forgotten.
    """
    contents: dict[str, Content] = {}
    for ids in _same_documents(sides):
        is_gone = any(
            tombstones.is_name_gone(parents, document_id) for document_id in ids
        )
        merged = (_merged_child(sides, document_id) for document_id in ids)
        files = [file for file in merged if file and not is_gone]
        contents |= dict.fromkeys(ids)
        if files:
            contents[min(ids)] = max(files, key=partial(_length, sides))
    return contents


def merged_documents(sides: Sides[D]) -> dict[str, Content]:
    """Join documents, by id; of the ids of one document the least stays."""
    contents: dict[str, Content] = {}
    for ids in _same_documents(sides):
        contents |= _joined(sides, ids)
    return contents


def _same_documents(sides: Sides[D]) -> list[list[str]]:
    """Return the ids that differ, those of one document together.

    A clone that began a session by itself, or has not merged since, gave it an id of
    its own.
    """
    identity = sides.ours.kind.identity
    ids: dict[str, set[str]] = defaultdict(set)
    for document_id, versions in sides.difference.texts.items():
        ids[identity(document_id)].add(document_id)
        if None in versions and (present := sides.ours.id_like(document_id)):
            ids[identity(document_id)].add(present)
    return [sorted(group) for group in ids.values()]


def _length(sides: Sides[D], content: Content) -> tuple[int, str]:
    text = sides.ours.content(content) if _is_file(content) else str(content)
    return len(text), text


def with_files(sides: Sides[D], documents: Mapping[str, D]) -> dict[str, Content]:
    """Write documents, by id; a file that says the same already is kept."""
    contents: dict[str, Content] = {}
    for document_id, document in documents.items():
        files_by_document = {
            sides.document(document_id, file): file
            for file in sides.versions(document_id)
        }
        contents[document_id] = files_by_document.get(document) or seal(
            document, sides.ours.kind.render
        )
    return contents


def lost_there(sides: Sides[D], texts: Mapping[str, Content]) -> frozenset[str]:
    """Return ids of what theirs has lost, or has less of, since we last heard of it."""
    if sides.last_theirs.commit is None:
        return frozenset()
    differing = sides.last_theirs.differing_ids(sides.theirs)
    return frozenset(
        document_id for document_id in differing if _is_lost(sides, document_id, texts)
    )


def _is_lost(sides: Sides[D], session_id: str, texts: Mapping[str, Content]) -> bool:
    was, now, ours = (
        tree.entry(session_id) for tree in (sides.last_theirs, sides.theirs, sides.ours)
    )
    content = texts.get(session_id, ours)
    if not (was and content):
        return False
    if now is None:
        return True
    is_theirs = _is_file(content) and content.oid == now.oid
    return ours is not None and ours.oid == was.oid and not is_theirs


def _is_file(content: Content) -> TypeGuard[TreeEntry]:
    return isinstance(content, TreeEntry)


def _merged_child(sides: Sides[D], document_id: str) -> Content:
    """Return the longer version, or what today's rules of redaction leave of it."""
    versions = sorted(sides.versions(document_id), key=partial(_length, sides))
    if len(versions) < 2:
        return next(iter(versions), None)
    shorter, longer = map(sides.ours.content, versions)
    if longer.startswith(shorter):
        return versions[1]
    clean = redact(longer)
    if clean == longer:
        return versions[1]
    return versions[0] if len(shorter) >= len(clean) else clean


def _joined(sides: Sides[D], ids: Sequence[str]) -> dict[str, Content]:
    """Join the versions of one document, under the least of its ids.

    A file that already says the result is kept. Where the result is too long to be
    read, ours is kept of each; history has the other.
    """
    kind = sides.ours.kind
    versions = [
        (document_id, file)
        for document_id in ids
        for file in sides.versions(document_id)
    ]
    if len(versions) == 1 and not sides.may_forget(ids[0]):
        return dict(versions)
    versions = [version for version in versions if not sides.is_forgotten(*version)]
    contents: dict[str, Content] = dict.fromkeys(ids)
    if not versions:
        return contents
    first = {**contents, **dict(reversed(versions))}
    if sum(len(sides.ours.raw(file)) for _, file in versions) > kind.most_bytes:
        return first  # nor is so much redacted in time
    files_by_document: dict[D, Content] = {}
    for document, file in (sides.read(*version) for version in versions):
        same = files_by_document.get(document, file)
        files_by_document[document] = max(file, same, key=_order)
    merged = reduce(kind.merge, files_by_document)
    if files_by_document.get(merged) is None:
        redacted = (
            kind.parse(kind.document_id(document), seal(document, kind.render))
            for document in files_by_document
        )
        merged = reduce(kind.merge, redacted)
    content = files_by_document.get(merged) or seal(merged, kind.render)
    if isinstance(content, str) and len(content.encode()) > kind.most_bytes:
        return first
    return {**contents, kind.document_id(merged): content}


def _order(content: Content) -> tuple[bool, str]:
    """Order files of one meaning, so that every clone takes the same."""
    return _is_file(content), getattr(content, "oid", "")
