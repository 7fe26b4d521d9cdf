"""Merge each text that two clones have in different versions.

Only a tombstone removes: what one side lacks and nobody forgot stays, and so do lists
and sections that one side shortened.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import TypeGuard, TypeVar

from gitmem.documents.kind import Kind
from gitmem.git.values import Content, TreeEntry
from gitmem.redaction.redact import redact, seal
from gitmem.store.remote.merge_sides import Named, Sides
from gitmem.store.trees import tombstones
from gitmem.store.trees.document_tree import AnyTree

D = TypeVar("D")


def merged_children(sides: Sides[D], parents: AnyTree) -> dict[str, Content]:
    """Merge documents that belong to others, by id; the longer version is kept.

    `parents` says which documents are forgotten.
    """
    contents: dict[str, Content] = {}
    for ids in _same_documents(sides):
        is_gone = any(tombstones.is_name_gone(parents, each) for each in ids)
        merged = (_merged_child(sides, each) for each in ids)
        files = [file for file in merged if file and not is_gone]
        contents |= dict.fromkeys(ids)
        if files:
            contents[min(ids)] = max(files, key=partial(_length, sides))
    return contents


def merged_documents(sides: Sides[D]) -> dict[str, Content]:
    """Merge documents, by id; of the ids of one document the least stays."""
    contents: dict[str, Content] = {}
    for ids in _same_documents(sides):
        threes = [sides.three(each) for each in ids]
        are_ours_changed = any(ours != base for ours, _, base in threes)
        are_theirs = any(theirs != base for _, theirs, base in threes)
        if len(ids) > 1 or (are_ours_changed and are_theirs):
            contents |= _put_together(sides, ids)
        else:
            contents |= _followed(sides, ids[0])
    return contents


def _same_documents(sides: Sides[D]) -> list[list[str]]:
    """Return the ids that differ, those of one document together.

    A clone that began a session by itself, or has not merged since, gave it an id of
    its own.
    """
    identity = sides.ours.kind.identity
    ids: dict[str, set[str]] = defaultdict(set)
    for document_id, versions in sides.found.texts.items():
        ids[identity(document_id)].add(document_id)
        if None in versions and (present := sides.ours.id_like(document_id)):
            ids[identity(document_id)].add(present)
    return [sorted(group) for group in ids.values()]


def _length(sides: Sides[D], content: Content) -> tuple[int, str]:
    text = sides.ours.content(content) if _is_file(content) else str(content)
    return len(text), text


def written(sides: Sides[D], documents: Mapping[str, D]) -> dict[str, Content]:
    """Write documents, by id; a file that says the same already is kept."""
    contents: dict[str, Content] = {}
    for each, document in documents.items():
        files = filter(None, sides.three(each)[:2])
        known = {sides.document(each, file): file for file in files}
        contents[each] = known.get(document) or seal(document, sides.ours.kind.render)
    return contents


def lost_there(sides: Sides[D], texts: Mapping[str, Content]) -> frozenset[str]:
    """Return ids of what theirs has lost, or has less of, since we last heard of it."""
    if sides.heard.commit is None:
        return frozenset()
    differing = sides.heard.differing_ids(sides.theirs)
    return frozenset(each for each in differing if _is_lost(sides, each, texts))


def _is_lost(sides: Sides[D], session_id: str, texts: Mapping[str, Content]) -> bool:
    was, now, ours = (
        tree.entry(session_id) for tree in (sides.heard, sides.theirs, sides.ours)
    )
    content = texts.get(session_id, ours)
    if not (was and content):
        return False
    if now is None:
        return True
    is_theirs = _is_file(content) and content.oid == now.oid
    return ours is not None and ours.oid == was.oid and not is_theirs


def _followed(sides: Sides[D], document_id: str) -> dict[str, Content]:
    """Merge a document that one side alone changed."""
    ours, theirs, base = sides.three(document_id)
    content: Content = theirs if ours == base else ours
    if base and not (ours and theirs):
        content = base  # only a tombstone removes
    elif ours == base and ours and theirs:
        content = _completed(sides, (document_id, theirs), (document_id, ours))
    if _is_file(content):
        content = _without_forgotten(sides, document_id, content)
    return {document_id: content}


def _without_forgotten(sides: Sides[D], document_id: str, file: TreeEntry) -> Content:
    """Return the document without what is forgotten of it; None where all of it is."""
    ours, theirs, base = sides.three(document_id)
    if file == theirs and ours == base and not sides.ours_forgets:
        return file
    if sides.is_forgotten(document_id, file):
        return None
    if not sides.forgets:
        return file
    document, as_written = sides.read(document_id, file)
    return as_written or seal(document, sides.ours.kind.render)


def _is_file(content: Content) -> TypeGuard[TreeEntry]:
    return isinstance(content, TreeEntry)


def _completed(sides: Sides[D], later: Named, earlier: Named) -> Content:
    """Give the later version what it lost of the earlier one, which is redacted anew.

    The earlier one where both together are too long to be read.
    """
    if sides.is_forgotten(*later) or sides.is_forgotten(*earlier):
        return None
    kind, (now, as_written) = sides.ours.kind, sides.read(*later)
    before = sides.document(*earlier)
    if as_written and kind.completed(now, before) is now:
        return as_written
    whole = kind.completed(now, kind.parse(earlier[0], seal(before, kind.render)))
    if as_written and whole is now:
        return as_written
    text = seal(whole, kind.render)
    return earlier[1] if _is_too_long(kind, text) else text


def _merged_child(sides: Sides[D], document_id: str) -> Content:
    ours, theirs, base = sides.three(document_id)
    if ours is None or theirs is None or ours == theirs:
        return ours or theirs
    text = sides.ours.content
    if base not in (ours, theirs):  # of texts of one length the greater one
        return max(ours, theirs, key=lambda file: (len(text(file)), text(file)))
    later, earlier = (theirs, ours) if ours == base else (ours, theirs)
    now, before = text(later), text(earlier)
    if len(now) >= len(before) or len(now) >= len(clean := redact(before)):
        return later  # it has no less than the rules of today leave of the other
    return earlier if clean == before else clean


def _put_together(sides: Sides[D], ids: Sequence[str]) -> dict[str, Content]:
    """Merge the versions of one document, under the least of its ids.

    A file that already says the result is kept. Where the result is too long to be
    read, ours is kept of each; history has the other.
    """
    kind, versions = sides.ours.kind, {each: _versions(sides, each) for each in ids}
    ours: dict[str, Content] = {
        each: next(iter(files), None) for each, files in versions.items()
    }
    size = sum(len(sides.ours.raw(file)) for some in versions.values() for file in some)
    if size > kind.most_bytes:  # nor is so much redacted in time
        return ours
    files_by_document: dict[D, Content] = {}
    for each, files in versions.items():
        for document, content in _documents(sides, each, files):
            same = files_by_document.get(document, content)
            files_by_document[document] = max(content, same, key=_order)
    contents: dict[str, Content] = dict.fromkeys(versions)
    if not files_by_document:
        return contents
    merged = reduce(kind.merge, files_by_document)
    if files_by_document.get(merged) is None:
        redacted = (
            kind.parse(kind.document_id(each), seal(each, kind.render))
            for each in files_by_document
        )
        merged = reduce(kind.merge, redacted)
    content = files_by_document.get(merged) or seal(merged, kind.render)
    if isinstance(content, str) and _is_too_long(kind, content):
        return ours
    return {**contents, kind.document_id(merged): content}


def _versions(sides: Sides[D], session_id: str) -> list[TreeEntry]:
    """Return the versions to merge: ours alone where theirs did not change."""
    ours, theirs, base = sides.three(session_id)
    both = (ours, None if ours and theirs == base else theirs)
    files = [*filter(None, dict.fromkeys(both))]
    return [each for each in files if not sides.is_forgotten(session_id, each)]


def _documents(
    sides: Sides[D], document_id: str, files: list[TreeEntry]
) -> Iterator[tuple[D, Content]]:
    """Parse the versions of a document, with the file where it says the same."""
    kind, (ours, theirs, base) = sides.ours.kind, sides.three(document_id)
    if ours and theirs and ours == base and files == [ours, theirs]:
        content = _completed(sides, (document_id, theirs), (document_id, ours))
        if isinstance(content, str):
            yield kind.parse(document_id, content), content
            return
        files = [theirs]
    for file in files:
        yield sides.read(document_id, file)


def _order(content: Content) -> tuple[bool, str]:
    """Order files of one meaning, so that every clone takes the same."""
    return _is_file(content), getattr(content, "oid", "")


def _is_too_long(kind: Kind[D], text: str) -> bool:
    return len(text.encode()) > kind.most_bytes
