"""Find sessions that earlier states have, and the tip lacks in whole or in part.

Documents at the tip are compared with every version in history, backups and reflog. A
session is known by its conversation, whatever its id was. A document lost something
where a longer version has items of which it lacks most.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import digest_in, subject_digest
from gitmem.documents.session.merging import merged
from gitmem.documents.session.session import Session, items_of
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Oid, TreeEntry
from gitmem.redaction.redact import seal
from gitmem.store.trees.document_versions import (
    VersionSource,
    earlier_states,
    versions,
)
from gitmem.store.trees.format_upgrade import is_old
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.store.trees.tombstones import is_forgotten, without_forgotten


@frozen
class Lost:
    """A session of which the memory lacks something."""

    session_id: str
    source: VersionSource
    versions: tuple[Oid, ...]
    """Earlier documents, the newest first; none where it is the journal that knows."""
    is_here: bool = False
    """True if the memory has the session without some of its items."""
    is_forgotten: bool = False


@frozen
class _Version:
    """A document as an earlier state has it."""

    session_id: str
    blob: Oid
    size: int
    """Bytes of the document."""
    source: VersionSource


def lost(git: Repository, memory: SessionTree) -> list[Lost]:
    """Return the sessions that earlier states have, newest first.

    Raises Unavailable where git does not run or takes too long, and Damaged where
    objects are missing.
    """
    if is_old(memory):  # whose ids do not say which conversation they are of
        return []
    losses = (
        _loss(memory, subject, documents)
        for subject, documents in _versions_by_subject(git, memory).items()
    )
    return sorted(filter(None, losses), key=lambda loss: loss.session_id, reverse=True)


def _versions_by_subject(
    git: Repository, memory: SessionTree
) -> Mapping[str, Sequence[_Version]]:
    """Group versions by conversation, but for documents that belong to another id.

    Nothing is lost of those that the memory has as they are.
    """
    groups: dict[str, list[_Version]] = defaultdict(list)
    for session_id, blob, source in _all_versions(git):
        present = memory.entry(session_id)
        if present and present.oid == blob:
            continue
        with suppress(Damaged):
            text = memory.content(TreeEntry(blob, FILE_MODE))
            subject = SESSION.subject_in(session_id, text)
            if digest_in(session_id) in (None, "", subject_digest(subject)):
                version = _Version(session_id, blob, len(text), source)
                groups[subject].append(version)
    return groups


def _all_versions(git: Repository) -> Iterator[tuple[str, Oid, VersionSource]]:
    """Yield each document once, as of the first state that leads to it."""
    passed: list[Oid] = []
    seen: set[tuple[str, Oid]] = set()
    states = earlier_states(git, REF)
    for source, group in groupby(states, key=lambda state: state.source):
        tips = [state.commit for state in group]
        # Of what only the reflog leads to objects may be missing.
        tolerated = [Damaged] if source is VersionSource.REFLOG else []
        with suppress(*tolerated):
            for document in versions(git, tips, SESSION, passed):
                if document not in seen:
                    seen.add(document)
                    yield *document, source
            passed += tips


def _loss(
    memory: SessionTree, subject: str, documents: Sequence[_Version]
) -> Lost | None:
    newest, longest = documents[0], max(documents, key=lambda version: version.size)
    present_id = memory.ids_by_identity.get(subject_digest(subject))
    present = memory.readable(present_id) if present_id else None
    if present and not _lacks_most(memory, present, longest):
        return None
    restorable = [longest] if present else documents
    return Lost(
        newest.session_id,
        restorable[0].source,
        tuple(version.blob for version in restorable),
        is_here=present is not None,
        is_forgotten=is_forgotten(memory, newest.session_id)
        or is_forgotten(memory, subject),
    )


def _lacks_most(memory: SessionTree, present: Session, longest: _Version) -> bool:
    """Tell whether most items of a longer document are gone, and not forgotten."""
    text = memory.content(TreeEntry(longest.blob, FILE_MODE))
    if len(memory.text(present.id) or "") >= longest.size:
        return False
    before = SESSION.parse(longest.session_id, text)
    had, has = {*items_of(before)}, {*items_of(present)}
    if had <= has:
        return False
    redacted = SESSION.parse(longest.session_id, seal(before, SESSION.render))
    joined = merged(present, without_forgotten(memory, redacted))
    return 2 * len({*items_of(joined)} - has) > len(had)
