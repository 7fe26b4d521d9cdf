"""Merge each text that two clones have in different versions.

Only a tombstone removes: what one side lacks and nobody forgot stays, and so do lists
and sections that one side shortened.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard, TypeVar

from gitmem.documents.kind import Kind
from gitmem.git.values import Content, TreeEntry
from gitmem.redaction.redact import redact, seal
from gitmem.store.remote.merge_sides import Named, Sides, Three
from gitmem.store.trees import tombstones
from gitmem.store.trees.document_tree import AnyTree

D = TypeVar("D")


def merged_children(sides: Sides[D], parents: AnyTree) -> dict[str, Content]:
    """Merge documents that belong to others, by id; the longer version is kept.

    `parents` says which documents are forgotten, and which ids are former ones.
    """
    return {
        each: None
        if tombstones.is_id_gone(parents, each)
        else _merged_child(sides, parents, each)
        for each in sides.found.texts
    }


def merged_documents(sides: Sides[D]) -> dict[str, Content]:
    """Merge documents, by id; some ids may be new to both sides."""
    kind = sides.ours.kind
    by_stem: dict[str, dict[str, Three]] = defaultdict(dict)
    for each in sides.found.texts:
        by_stem[kind.stem(each)][each] = sides.three(each)
    contents: dict[str, Content] = {}
    for stem, threes in by_stem.items():
        are_ours_changed = any(ours != base for ours, _, base in threes.values())
        are_theirs = any(theirs != base for _, theirs, base in threes.values())
        if (are_ours_changed and are_theirs) or _have_changed_places(sides, threes):
            beside = sides.ours.ids_beside(next(iter(threes)))
            same = {each for each in beside if kind.stem(each) == stem}
            contents |= _put_together(sides, threes.keys() | same)
        else:
            contents |= _followed(sides, threes)
    return contents


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


def _followed(sides: Sides[D], threes: Mapping[str, Three]) -> dict[str, Content]:
    """Merge documents that one side alone changed."""
    contents: dict[str, Content] = {}
    missing: list[Named] = []
    for each, (ours, theirs, base) in sorted(threes.items()):
        contents[each] = theirs if ours == base else ours
        if base and not (ours and theirs):
            contents[each] = None
            missing.append((each, base))
        elif ours == base and ours and theirs:
            contents[each] = _completed(sides, (each, theirs), (each, ours))
    contents |= _moved(sides, contents, missing)
    return {
        name: _without_forgotten(sides, name, file) if _is_file(file) else file
        for name, file in contents.items()
    }


def _moved(
    sides: Sides[D], contents: Mapping[str, Content], missing: Iterable[Named]
) -> Iterator[tuple[str, Content]]:
    """Find documents under the ids to which one side renamed them.

    The new id must be new to ours and stand for one document; else it stays as it was.
    """
    present = _by_key(sides, contents) if missing else {}
    for name, before in missing:
        key = sides.ours.kind.key(sides.document(name, before)) or name
        later = present.get(key)
        if later and not sides.ours.entry(later[0]):
            present = {k: each for k, each in present.items() if each != later}
            yield later[0], _completed(sides, later, (name, before))
        elif later is None or sides.ours.entry(name):
            yield name, before


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


def _have_changed_places(sides: Sides[D], threes: Mapping[str, Three]) -> bool:
    """Tell whether an id stands for what ours has under another one."""
    changed_there = [
        (each, ours, theirs)
        for each, (ours, theirs, base) in threes.items()
        if ours and theirs and ours == base
    ]
    if len(threes) < 2 or not changed_there:
        return False
    held = {_key(sides, each, ours) for each, (ours, _, _) in threes.items()}
    return any(
        _are_two(sides, each, ours, theirs) and _key(sides, each, theirs) in held
        for each, ours, theirs in changed_there
    )


def _are_two(sides: Sides[D], document_id: str, *files: TreeEntry | None) -> bool:
    """Tell whether two files of an id have keys that differ."""
    keys = {_key(sides, document_id, file) for file in files}
    return "" not in keys and len(keys) > 1


def _key(sides: Sides[D], document_id: str, file: TreeEntry | None) -> str:
    return sides.ours.kind.key(sides.document(document_id, file)) if file else ""


def _by_key(sides: Sides[D], contents: Mapping[str, Content]) -> dict[str, Named]:
    """Find documents by their keys; those without one by their former ids."""
    kind, found = sides.ours.kind, dict[str, Named]()
    for name, file in contents.items():
        if _is_file(file):
            document = sides.document(name, file)
            key = kind.key(document)
            for each in [key] if key else kind.ids(document)[1:]:
                found.setdefault(each, (name, file))
    return found


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


def _merged_child(sides: Sides[D], parents: AnyTree, document_id: str) -> Content:
    ours, theirs, base = sides.three(document_id)
    if not (theirs or parents.entry(document_id)) and ours == base:
        return None  # it is kept by the id that its parent has now
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


def _put_together(sides: Sides[D], ids: Iterable[str]) -> dict[str, Content]:
    """Merge documents that may be the same one under different ids.

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
    known: dict[D, Content] = {}
    for each, files in versions.items():
        for document, content in _documents(sides, each, files):
            known[document] = max(content, known.get(document, content), key=_order)
    contents: dict[str, Content] = dict.fromkeys(versions)
    outcome = kind.merge_all(known)
    if any(known.get(document) is None for document in outcome):
        written = ((kind.ids(each)[0], seal(each, kind.render)) for each in known)
        outcome = kind.merge_all(kind.parse(*each) for each in written)
    for document in outcome:
        content = known.get(document) or seal(document, kind.render)
        if isinstance(content, str) and _is_too_long(kind, content):
            return ours
        contents[kind.ids(document)[0]] = content
    return contents


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
    is_followed = ours == base and files == [ours, theirs]
    is_same = is_followed and not _are_two(sides, document_id, *files)
    if is_same and ours and theirs:
        content = _completed(sides, (document_id, theirs), (document_id, ours))
        if isinstance(content, str):
            yield kind.parse(document_id, content), content
            return
        files = [theirs]
    before = sides.document(document_id, base) if base else None
    for file in files:
        document, as_written = sides.read(document_id, file)
        keyed = document if before is None else kind.with_key_of(document, before)
        yield keyed, as_written if keyed is document else None


def _order(content: Content) -> tuple[bool, str]:
    """Order files of one meaning, so that every clone takes the same."""
    return _is_file(content), getattr(content, "oid", "")


def _is_too_long(kind: Kind[D], text: str) -> bool:
    return len(text.encode()) > kind.most_bytes
