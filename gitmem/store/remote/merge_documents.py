"""What becomes of each text that two clones have in different versions.

Only a tombstone removes: what one side lacks and nobody forgot stays, and so do the
lists and sections of a document that one side shortened.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeGuard, TypeVar

from gitmem.documents.conversation.kind import Turns
from gitmem.documents.session.merging import completed, settled, stem_of
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, render
from gitmem.documents.session.session import Session
from gitmem.git.values import Content, TreeEntry
from gitmem.redaction.redact import redact, seal
from gitmem.store.remote.merge_sides import Named, Sides, Three
from gitmem.store.trees import tombstones
from gitmem.store.trees.session_tree import SessionTree

D = TypeVar("D")


def merged_conversations(
    sides: Sides[Turns], memory: SessionTree
) -> dict[str, Content]:
    """Merge conversations, by session id; of two versions the longer one is kept.

    `memory` says which sessions are forgotten, and which ids are former ones.
    """
    return {
        each: None
        if tombstones.is_id_gone(memory, each)
        else _merged_conversation(sides, memory, each)
        for each in sides.found.texts
    }


def merged_documents(sides: Sides[Session]) -> dict[str, Content]:
    """Merge documents, by session id; some ids may be new to both sides."""
    by_stem: dict[str, dict[str, Three]] = defaultdict(dict)
    for each in sides.found.texts:
        by_stem[stem_of(each)][each] = sides.three(each)
    contents: dict[str, Content] = {}
    for stem, threes in by_stem.items():
        are_ours_changed = any(ours != base for ours, _, base in threes.values())
        are_theirs = any(theirs != base for _, theirs, base in threes.values())
        if are_ours_changed and are_theirs:
            of_day = sides.ours.ids_in(*stem[:10].split("-"))
            same = {each for each in of_day if stem_of(each) == stem}
            contents |= _put_together(sides, threes.keys() | same)
        else:
            contents |= _followed(sides, threes)
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


def _followed(sides: Sides[Session], threes: Mapping[str, Three]) -> dict[str, Content]:
    """Merge sessions that one side alone changed."""
    contents: dict[str, Content] = {}
    missing: list[Named] = []
    for each, (ours, theirs, base) in sorted(threes.items()):
        contents[each] = theirs if ours == base else ours
        if base and not (ours and theirs):
            contents[each] = None
            missing.append((each, base))
        elif ours == base and ours and theirs:
            contents[each] = _completed(sides, (each, theirs), (each, ours))
            if len(threes) > 1 and _is_another(sides, (each, theirs), (each, ours)):
                missing.append((each, ours))
    contents |= _moved(sides, contents, missing)
    return {
        name: _without_forgotten(sides, name, file) if _is_file(file) else file
        for name, file in contents.items()
    }


def _moved(
    sides: Sides[Session], contents: Mapping[str, Content], missing: Iterable[Named]
) -> Iterator[tuple[str, Content]]:
    """Find sessions under the ids to which one side renamed them.

    The new id must be new to ours and stand for one session; else it stays as it was.
    """
    present = _by_conversation(sides, contents) if missing else {}
    for name, before in missing:
        key = sides.document(name, before).client_session_id or name
        later = present.get(key)
        if later and not sides.ours.entry(later[0]):
            present = {k: each for k, each in present.items() if each != later}
            yield later[0], _completed(sides, later, (name, before))
            if theirs := sides.three(name)[1]:
                yield name, theirs
        elif not contents[name] and (later is None or sides.ours.entry(name)):
            yield name, before


def _without_forgotten(
    sides: Sides[Session], session_id: str, file: TreeEntry
) -> Content:
    """Return the document without what is forgotten of it; None where all of it is."""
    if sides.is_forgotten(session_id, file):
        return None
    if not sides.forgets:
        return file
    session, as_written = sides.read(session_id, file)
    return as_written or seal(session, render)


def _is_file(content: Content) -> TypeGuard[TreeEntry]:
    return isinstance(content, TreeEntry)


def _is_another(sides: Sides[Session], *two: Named) -> bool:
    """Whether two documents say that they are of two conversations."""
    texts = ((name, sides.ours.content(file)) for name, file in two)
    return len({sides.ours.kind.subject_in(*each) for each in texts}) > 1


def _by_conversation(
    sides: Sides[Session], contents: Mapping[str, Content]
) -> dict[str, Named]:
    """Key sessions by the client's id; those without one by their former ids."""
    found: dict[str, Named] = {}
    for name, file in contents.items():
        if _is_file(file):
            session = sides.document(name, file)
            client = session.client_session_id
            for key in [client] if client else session.former_ids:
                found.setdefault(key, (name, file))
    return found


def _completed(sides: Sides[Session], later: Named, earlier: Named) -> Content:
    """Give the later version what it lost of the earlier one, which is redacted anew.

    The earlier one where both together are too long to be read.
    """
    if sides.is_forgotten(*later) or sides.is_forgotten(*earlier):
        return None
    (now, as_written), before = sides.read(*later), sides.document(*earlier)
    if as_written and completed(now, before) is now:
        return as_written
    whole = completed(now, parse(before.id, seal(before, render)))
    if as_written and whole is now:
        return as_written
    text = seal(whole, render)
    return earlier[1] if _is_too_long(text) else text


def _merged_conversation(
    sides: Sides[Turns], memory: SessionTree, session_id: str
) -> Content:
    ours, theirs, base = sides.three(session_id)
    if not (theirs or memory.entry(session_id)) and ours == base:
        return None  # it is kept by the id that its session has now
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


def _put_together(sides: Sides[Session], ids: Iterable[str]) -> dict[str, Content]:
    """Merge sessions that may be the same one under different ids.

    A file that already says the result is kept. Where the result is too long to be
    read, ours is kept of each; history has the other.
    """
    versions = {each: _versions(sides, each) for each in ids}
    ours: dict[str, Content] = {
        each: next(iter(files), None) for each, files in versions.items()
    }
    size = sum(len(sides.ours.raw(file)) for some in versions.values() for file in some)
    if size > DOCUMENT_LIMIT:  # nor is so much redacted in time
        return ours
    known: dict[Session, Content] = {}
    for each, files in versions.items():
        for session, content in _sessions(sides, each, files):
            known[session] = max(content, known.get(session, content), key=_order)
    contents: dict[str, Content] = dict.fromkeys(versions)
    outcome = settled(known)
    if any(known.get(session) is None for session in outcome):
        outcome = settled(parse(each.id, seal(each, render)) for each in known)
    for session in outcome:
        content = known.get(session) or seal(session, render)
        if isinstance(content, str) and _is_too_long(content):
            return ours
        contents[session.id] = content
    return contents


def _versions(sides: Sides[Session], session_id: str) -> list[TreeEntry]:
    """Versions that are not forgotten; ours alone where theirs did not change."""
    ours, theirs, base = sides.three(session_id)
    both = (ours, None if ours and theirs == base else theirs)
    files = [*filter(None, dict.fromkeys(both))]
    return [each for each in files if not sides.is_forgotten(session_id, each)]


def _sessions(
    sides: Sides[Session], session_id: str, files: list[TreeEntry]
) -> Iterator[tuple[Session, Content]]:
    """Parse the versions of a session, with the file where it says the same."""
    ours, theirs, base = sides.three(session_id)
    if ours == base and files == [ours, theirs] and ours and theirs:
        content = _completed(sides, (session_id, theirs), (session_id, ours))
        if isinstance(content, str):
            yield parse(session_id, content), content
            return
        files = [theirs]
    named = sides.document(session_id, base).client_session_id if base else ""
    for file in files:
        session, as_written = sides.read(session_id, file)
        if named and not session.client_session_id:
            yield replace(session, client_session_id=named), None
        else:
            yield session, as_written


def _order(content: Content) -> tuple[bool, str]:
    """Order files of one meaning, so that every clone takes the same."""
    return _is_file(content), getattr(content, "oid", "")


def _is_too_long(text: str) -> bool:
    return len(text.encode()) > DOCUMENT_LIMIT
