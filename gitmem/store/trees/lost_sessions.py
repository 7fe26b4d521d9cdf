"""Find sessions that earlier states have, and the tip lacks in whole or in part.

Documents at the tip are compared with every version in history, backups and reflog. A
session is known by its conversation, whatever its id is now. A document lost something
where a longer version has items of which it lacks most.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import subject_digest
from gitmem.documents.session.merging import merged
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import items_of
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Oid, TreeEntry
from gitmem.redaction.redact import seal
from gitmem.store.trees.document_versions import (
    EarlierState,
    VersionSource,
    earlier_states,
    versions,
)
from gitmem.store.trees.format_upgrade import is_old
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.store.trees.tombstones import is_forgotten, without_forgotten

_ANY_ID = "2000-01-01_00-00_any_id"
"""An id where none is asked for."""


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


def lost(
    git: Repository,
    memory: SessionTree,
    states: Iterable[EarlierState] | None = None,
    before: datetime | None = None,
) -> list[Lost]:
    """Return the sessions that states and their histories have, newest first.

    By default these are all `earlier_states`; with a moment, what was committed before
    it. Raises Unavailable where git does not run or takes too long, and Damaged where
    objects are missing.
    """
    search = _LostSessionSearch(git, memory)
    states = earlier_states(git, REF) if states is None else states
    losses = (
        loss
        for session_id, sources in _all_versions(git, states, before).items()
        for loss in search.losses(session_id, sources)
    )
    return sorted(losses, key=lambda loss: loss.session_id, reverse=True)


def _all_versions(
    git: Repository, states: Iterable[EarlierState], before: datetime | None
) -> Mapping[str, dict[Oid, VersionSource]]:
    """Return documents by session id; one in several states counts as of the first."""
    sources: dict[str, dict[Oid, VersionSource]] = defaultdict(dict)
    passed: list[Oid] = []
    for source, group in groupby(states, key=lambda state: state.source):
        tips = [state.commit for state in group]
        # Of what only the reflog leads to objects may be missing.
        tolerated = [Damaged] if source is VersionSource.REFLOG else []
        with suppress(*tolerated):
            for session_id, blob in versions(git, tips, SESSION, passed, before):
                sources[session_id].setdefault(blob, source)
            passed += tips
    return sources


def _ids_by_digest(memory: SessionTree) -> Mapping[str, str]:
    """Return the ids of sessions by the digests of their conversations.

    In format 1 ids have no digest, so that all documents are read.
    """
    if not is_old(memory):
        return memory.ids_by_identity
    sessions = filter(None, map(memory.readable, memory.ids()))
    return {
        subject_digest(SESSION.subject(session)): session.id for session in sessions
    }


class _LostSessionSearch:
    def __init__(self, git: Repository, memory: SessionTree) -> None:
        self._git = git
        self._memory = memory
        self._ids = _ids_by_digest(memory)

    def losses(
        self, session_id: str, sources: Mapping[Oid, VersionSource]
    ) -> Iterator[Lost]:
        """Yield the loss of each conversation whose document had this id."""
        for subject, blobs in self._by_subject(session_id, sources).items():
            present, longest = self._present(subject), None
            if present:
                longest = max(blobs, key=self._size)
                if not self._lacks_most(present, longest):
                    continue
            yield Lost(
                session_id=session_id,
                source=sources[longest or blobs[0]],
                versions=(longest,) if longest else tuple(blobs),
                is_here=present is not None,
                is_forgotten=is_forgotten(self._memory, session_id)
                or is_forgotten(self._memory, subject),
            )

    def _by_subject(
        self, session_id: str, blobs: Iterable[Oid]
    ) -> Mapping[str, Sequence[Oid]]:
        """Group documents by conversation; unnamed ones count only if all are."""
        groups: dict[str, list[Oid]] = defaultdict(list)
        for blob in blobs:
            with suppress(Damaged):
                groups[SESSION.subject_in(session_id, self._text(blob))].append(blob)
        other_groups = {
            key: group for key, group in groups.items() if key != session_id
        }
        return other_groups or groups

    def _present(self, subject: str) -> Oid | None:
        """Return the document of a conversation in the memory, whatever its id."""
        document_id = self._ids.get(subject_digest(subject))
        entry = self._memory.entry(document_id) if document_id else None
        return entry.oid if entry else None

    def _lacks_most(self, present: Oid, earlier: Oid) -> bool:
        """Tell whether most items of a longer document are gone, and not forgotten."""
        if self._size(present) >= self._size(earlier):
            return False
        now, before = (parse(_ANY_ID, self._text(blob)) for blob in (present, earlier))
        had, has = {*items_of(before)}, {*items_of(now)}
        if had <= has:
            return False
        clean = without_forgotten(self._memory, parse(_ANY_ID, seal(before, render)))
        return 2 * len({*items_of(merged(now, clean))} - has) > len(had)

    def _size(self, blob: Oid) -> int:
        """Return 0 for what is not there."""
        with suppress(Damaged):
            return self._git.blob_size(blob)
        return 0

    def _text(self, blob: Oid) -> str:
        return self._memory.content(TreeEntry(blob, FILE_MODE))
