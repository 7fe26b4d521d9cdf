"""Find sessions that earlier states have, and the tip lacks in whole or in part.

Documents at the tip are compared with every version in history, backups and reflog. A
renamed session is known by its beginning, its tool, and the client's id. Lost items are
looked for where that is cheap: in backups and the reflog, and in history where a
document became shorter and lacks most of what it had.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import NamedTuple

from gitmem.documents import header
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.merging import completed, stem_of
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session, items_of
from gitmem.errors import Damaged, FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Oid, TreeEntry
from gitmem.redaction.redact import seal
from gitmem.store.trees.document_versions import (
    Source,
    State,
    apart,
    earlier_states,
    versions,
)
from gitmem.store.trees.session_tree import SessionTree, is_conversation_forgotten
from gitmem.store.trees.tombstones import (
    is_forgotten,
    without_forgotten,
)
from gitmem.text.patterns import pattern

_NAMING = frozenset({"tool", "client_session_id"})
_PLAIN = pattern(r"^(tool|client_session_id): (\w[\w.-]*)$", re.ASCII | re.MULTILINE)
"""As nearly all of them are written; YAML would take its time."""
_ANY_ID = "2000-01-01_00-00_any_id"
"""Where nothing of it is asked for."""


@frozen
class Lost:
    """A session of which the memory lacks something."""

    session_id: str
    source: Source
    versions: tuple[Oid, ...]
    """Earlier documents, the newest first; none where it is the journal that knows."""
    is_here: bool = False
    """Whether the memory has the session, without some of its items."""
    is_forgotten: bool = False


def lost(git: Repository, memory: SessionTree) -> list[Lost]:
    """Return the lost sessions, newest first.

    Raises Unavailable where git does not run or takes too long, and Damaged where
    objects are missing.
    """
    states = earlier_states(git)
    return lost_in(git, memory, states, apart(git, memory, states))


def lost_in(
    git: Repository,
    memory: SessionTree,
    histories: Iterable[State],
    states: Iterable[State],
) -> list[Lost]:
    """Return what the memory lacks of histories and of states; raises as `lost`.

    A version that several have counts as of the first.
    """
    return _Search(git, memory).found(_all_versions(git, histories), states)


Versions = Mapping[str, Mapping[Oid, Source]]
"""By session id, the documents there were."""


def _all_versions(git: Repository, histories: Iterable[State]) -> Versions:
    found: dict[str, dict[Oid, Source]] = defaultdict(dict)
    passed: list[Oid] = []
    for source, states in groupby(histories, key=lambda state: state.source):
        tips = [state.commit for state in states]
        # Of what only the reflog leads to objects may be missing.
        tolerated = [Damaged] if source is Source.REFLOG else []
        with suppress(*tolerated):
            for session_id, blob in versions(git, tips, SESSION, passed):
                found[session_id].setdefault(blob, source)
            passed += tips
    return found


class _Search:
    def __init__(self, git: Repository, memory: SessionTree) -> None:
        self._git = git
        self._memory = memory
        self._size = cache(self._bytes)
        self._name = cache(self._naming)
        self._ids: dict[str, list[str]] = defaultdict(list)
        """Of the sessions here, by their stems."""
        for session_id in memory.ids():
            self._ids[stem_of(session_id)].append(session_id)

    def found(self, earlier: Versions, states: Iterable[State]) -> list[Lost]:
        """Compare earlier versions, and `states` as they are, with the memory."""
        differing = self._differing(states)
        lost = [
            one
            for session_id in {*earlier, *differing}
            for one in self._lost(
                session_id,
                earlier.get(session_id, {}),
                differing.get(session_id, {}),
            )
        ]
        return sorted(lost, key=lambda one: one.session_id, reverse=True)

    def _differing(self, states: Iterable[State]) -> Versions:
        found: dict[str, dict[Oid, Source]] = defaultdict(dict)
        for commit, source in states:
            with suppress(Damaged, FormatTooNew):
                state = self._memory.at(commit)
                for session_id in self._memory.differing_ids(state):
                    if file := state.entry(session_id):
                        found[session_id].setdefault(file.oid, source)
        return found

    def _lost(
        self,
        session_id: str,
        earlier: Mapping[Oid, Source],
        differing: Mapping[Oid, Source],
    ) -> Iterator[Lost]:
        """Yield what is lost, for each conversation that was kept under this id."""
        now, blobs = self._memory.entry(session_id), {**earlier, **differing}
        for name, some in self._by_conversation(blobs).items():
            if now and not name.client_id:
                here: Oid | None = now.oid
            else:
                here = self._here(session_id, name.client_id)
            fuller = self._having_more(some, differing, here) if here else some
            if fuller:
                yield Lost(
                    session_id=session_id,
                    source=blobs[fuller[0]],
                    versions=tuple(fuller),
                    is_here=here is not None,
                    is_forgotten=is_forgotten(self._memory, session_id)
                    or is_conversation_forgotten(self._memory, *name),
                )

    def _by_conversation(self, blobs: Iterable[Oid]) -> Mapping["_Name", list[Oid]]:
        """Group documents by conversation; unnamed ones count only if all are."""
        found: dict[_Name, list[Oid]] = defaultdict(list)
        for blob in blobs:
            with suppress(Damaged):
                found[self._name(blob)].append(blob)
        return {name: some for name, some in found.items() if name.client_id} or found

    def _here(self, session_id: str, client_id: str) -> Oid | None:
        """Return the document of a conversation in the memory, whatever its name."""
        for each in self._ids.get(stem_of(session_id), ()):
            file = self._memory.entry(each)
            with suppress(Damaged):
                if file and self._name(file.oid).client_id == client_id:
                    return file.oid
        return None

    def _having_more(
        self, blobs: Iterable[Oid], differing: Container[Oid], here: Oid
    ) -> list[Oid]:
        """Return earlier documents with items that this one lacks.

        Of those in history alone the longest, if most of what it had is lacking.
        """
        longest = max(blobs, key=self._size)
        found = [b for b in blobs if b in differing and self._lacking(here, b)]
        if longest not in differing and self._size(longest) > self._size(here):
            had = len({*items_of(self._session(longest))})
            if 2 * len(self._lacking(here, longest)) > had:
                found.append(longest)
        return found

    def _lacking(self, here: Oid, earlier: Oid) -> set[str]:
        """Return the items that a document lacks; redacted words are not lacking."""
        now, before = self._session(here), self._session(earlier)
        if {*items_of(before)} <= {*items_of(now)}:
            return set()
        before = without_forgotten(self._memory, parse(before.id, seal(before, render)))
        return {*items_of(completed(now, before))} - {*items_of(now)}

    def _naming(self, blob: Oid) -> "_Name":
        head, _ = parts(self._text(blob))
        plain = dict(_PLAIN.findall(head))
        value = (plain if len(plain) == 2 else header.read(head, _NAMING).values).get
        return _Name(value("tool", ""), value("client_session_id", ""))

    def _bytes(self, blob: Oid) -> int:
        """Return 0 for what is not there."""
        with suppress(Damaged):
            return self._git.blob_size(blob)
        return 0

    def _session(self, blob: Oid) -> Session:
        return parse(_ANY_ID, self._text(blob))

    def _text(self, blob: Oid) -> str:
        return self._memory.content(TreeEntry(blob, FILE_MODE))


class _Name(NamedTuple):
    """Of a conversation."""

    tool: str
    client_id: str
