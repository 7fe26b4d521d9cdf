"""Tombstones from elsewhere that are held back until the user decides.

Anybody who may push can write one, in any name. So none takes away what was begun in
this clone, and no more than a few sessions at once: these stay here, while the remote
and everything else go on as if the user had agreed.
"""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitmem.documents.session import event as events
from gitmem.documents.session import record as records
from gitmem.documents.session.event import Event
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session, items_of
from gitmem.errors import FormatTooNew
from gitmem.store.journal.journal import Journal
from gitmem.store.remote.merge_sides import Sides
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import (
    conversation_path,
    id_path,
    is_in_force,
    item_path,
    paths_of,
    tombstone_path,
)

MOST_AT_ONCE = 20
"""Sessions begun elsewhere that others may forget here without being asked about."""


_AT_ONCE = timedelta(minutes=1)
"""So much later than its session began is the first that is heard of it."""


@dataclass(frozen=True, slots=True)
class Held:
    """What others forgot of one session, and is still here."""

    session_id: str
    paths: frozenset[str]
    """Of the tombstones."""
    is_own: bool
    """Whether the session was begun in this clone; else there were too many at once."""
    items: int
    """How many items of its document; none where it is the session."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Which sessions others may forget here."""

    journal: Journal
    """It has the sessions that were begun in this clone."""
    accepted: Container[str] = frozenset()
    """Ids of sessions that the user agreed to forget."""
    waiting: Container[str] = ()
    """Ids of sessions that are held back already."""

    def withheld(self, sides: Sides[SessionTree]) -> tuple[Held, ...]:
        """By their ids. Raises Damaged where git cannot read a document."""
        new = frozenset(_newly_in_force(sides))
        if not new:
            return ()
        known = known_here(self.journal)
        found = {
            **{each.session_id: each for each in _without_document(sides, new, known)},
            **{each.session_id: each for each in _of_documents(sides, new, known)},
        }
        is_many = sum(not each.is_own for each in found.values()) > MOST_AT_ONCE
        return tuple(
            each
            for session_id, each in sorted(found.items())
            if session_id not in self.accepted
            and (each.is_own or is_many or session_id in self.waiting)
        )


@dataclass(frozen=True, slots=True)
class Known:
    """What the journal of a conversation tells of its session."""

    session_id: str
    since: datetime | None
    """When it was first heard of here; None where that is not known any more."""

    def began(self, session: Session) -> bool:
        """Whether it began here, and was not gone on with.

        The id has the minute of the start as well, and that nobody can put back.
        """
        if self.since is None or self.since < session.started_at + _AT_ONCE:
            return True
        return self.session_id.startswith(f"{self.since:%Y-%m-%d_%H-%M}")


def known_here(journal: Journal) -> dict[str, Known]:
    """The sessions that this clone had a part in, by the paths of their tombstones."""
    found: dict[str, Known] = {}
    for name in journal.names():
        session_id, first = journal.position_of(name).session_id, _first(journal, name)
        since = None
        if isinstance(first, Record):
            since = first.checkpoint.at
        elif first:
            since = first.at
        known = Known(session_id or name, since)
        if first and (path := conversation_path(first.tool, first.client_session_id)):
            found[path] = known
        if session_id:
            found[id_path(session_id)] = known
    return found


def _first(journal: Journal, name: str) -> Event | Record | None:
    """The first line of a journal that says whose it is."""
    for line in journal.lines(name):
        with suppress(FormatTooNew):
            if found := events.from_json(line) or records.from_json(line):
                return found
    return None


def _newly_in_force(sides: Sides[SessionTree]) -> Iterator[str]:
    for path in sides.records:
        if sides.is_in_force(path) and not is_in_force(sides.ours, path):
            yield path


def _of_documents(
    sides: Sides[SessionTree], new: frozenset[str], known: Mapping[str, Known]
) -> Iterator[Held]:
    """What would go of the documents that differ."""
    for session_id in sides.found.texts:
        if file := sides.ours.entry(session_id):
            session = parse(session_id, sides.ours.content(file))
            names = paths_of(session)
            items = new & {item_path(session, each) for each in items_of(session)}
            is_whole = tombstone_path(session) in new
            if is_whole or items:
                yield Held(
                    session_id,
                    new.intersection(names) | items,
                    is_own=any(known[p].began(session) for p in names if p in known),
                    items=0 if is_whole else len(items),
                )


def _without_document(
    sides: Sides[SessionTree], new: frozenset[str], known: Mapping[str, Known]
) -> Iterator[Held]:
    """What would go of sessions that this clone has in no commit yet."""
    paths: dict[str, set[str]] = {}
    for path in new & known.keys():
        if sides.ours.entry(known[path].session_id) is None:
            paths.setdefault(known[path].session_id, set()).add(path)
    for session_id, some in paths.items():
        yield Held(session_id, frozenset(some), is_own=True, items=0)
