"""The newest sessions, and those that a brief can be about, the user's own first.

Whatever others put into the memory, and however much of it, the user's own sessions are
found, and in bounded time. A session that says that it begins in the future would stand
before all others for years: what begins more than a day from now comes last. A day is
more than time zones and clocks that are a little wrong make up.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import islice

from gitmem.actions.reading.taken_up import without_taken_up
from gitmem.documents.authors import Trust
from gitmem.documents.event import Client
from gitmem.documents.kind import AHEAD
from gitmem.documents.session.gist import SessionState, has_work, state_of
from gitmem.documents.session.session import Session, Status, is_of_program
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.processes import is_gone
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.committing import configured_trust
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace

LOOKED_AT = 100
"""How many of the user's sessions with work, the last ones, a brief can be about."""
FURTHEST = 1000
"""Documents that are looked into at the very most, to find so many."""

_MOST_DAYS = 400
"""Days searched on either side of a session."""
_MOST_LISTED = 500_000
"""Characters of a document, of which there may be 20 million."""
_MOST_OPEN = 10
"""Sessions whose journals are asked whether they were cut off."""
OF_OTHERS = 30
"""Sessions of other people that a brief can name."""
_MOST_READ = 5_000_000
"""Characters of documents: more, which few hundred have, would take long."""
_MOST_BYTES = 500_000
"""Longer documents are not waited for at the start of every conversation."""
_HEADER = 4000
"""Characters of a document that its header has, if it is not out of all measure."""


def newest(workspace: Workspace, memory: SessionTree) -> Iterator[Session]:
    """All sessions of the memory, the newest first; those of the future at the end.

    To be listed: of a document that is out of all measure, the end is not read.
    """
    return memory.limited(most_read=_MOST_LISTED).newest(workspace.now())


def ids_from(memory: SessionTree, middle: str, step: int) -> Iterator[str]:
    """Yield the ids after (1) or before (-1) one, the nearest first.

    Only of days around it; "" has none.
    """
    with suppress(ValueError, OverflowError):  # no day of the calendar
        day = date.fromisoformat(middle[:10])
        for _ in range(_MOST_DAYS):
            ids = memory.ids_in(*f"{day:%Y-%m-%d}".split("-"))
            if step > 0:
                yield from (
                    session_id for session_id in reversed([*ids]) if session_id > middle
                )
            else:
                yield from (session_id for session_id in ids if session_id < middle)
            day += timedelta(days=step)


@frozen
class Recent:
    """Each list with the session first that was saved last."""

    trust: Trust
    """The reader and those they trust."""
    own: list[Session]
    """Sessions of the user and of trusted authors, which may be told in full."""
    of_others: list[Session]

    def without(self, session_id: str) -> "Recent":
        lists = self.own, self.of_others
        remaining = ([s for s in sessions if s.id != session_id] for sessions in lists)
        return Recent(self.trust, *remaining)


def recent(workspace: Workspace, memory: SessionTree) -> Recent:
    """The sessions that began last. Where others write, none is of the future.

    Of the user's, those that were saved last and are known to be cut off say so, and
    none has to-dos that a later one took up.
    """
    trust = configured_trust(workspace.repository)
    look = _Look(workspace, memory.limited(most_bytes=_MOST_BYTES), trust)
    ids = memory.begun_ids(workspace.now()) if trust.is_shared else memory.ids()
    look.at(islice(ids, FURTHEST))
    if next(ids, None):
        look.at(_held_here(workspace))
    own_sessions = without_taken_up(_newest_first(look.own), look.own)
    own_sessions[:_MOST_OPEN] = (
        _as_cut_off(workspace, session) for session in own_sessions[:_MOST_OPEN]
    )
    return Recent(trust, own_sessions, _newest_first(look.of_others))


def was_held_here(workspace: Workspace, session: Session) -> bool:
    """Tell whether the conversation of a session was held in this repository."""
    name = journal_name(session.client_session_id)
    return workspace.store.journal.position_of(name).document_id == session.id


@dataclass
class _Look:
    workspace: Workspace
    memory: SessionTree
    trust: Trust
    own: list[Session] = field(default_factory=list)
    of_others: list[Session] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _with_work: int = 0

    def at(self, ids: Iterable[str]) -> None:
        """Until there is enough work of the user, or enough was read."""
        room = _MOST_READ
        for session_id in ids:
            if self._with_work >= LOOKED_AT or room <= 0:
                return
            if session_id not in self._seen:
                self._seen.add(session_id)
                with suppress(Damaged):
                    text = self.memory.text(session_id) or ""
                    room -= len(text)
                    self._take(session_id, text)

    def _take(self, session_id: str, text: str) -> None:
        """Only what may be told is read as a whole: there may be hundreds."""
        may_be_own = self.trust.may_trust(text[:_HEADER])
        has_room = len(self.of_others) < OF_OTHERS
        if not may_be_own and not has_room:
            return
        session = self.memory.parsed(session_id, text)
        latest = max(session.started_at, session.updated_at)
        is_ahead = self.trust.is_shared and latest > self.workspace.now() + AHEAD
        if is_ahead or is_of_program(session):
            return
        if may_be_own and self._is_own(session):
            self.own.append(session)
            self._with_work += has_work(session)
        elif has_room:
            self.of_others.append(session)

    def _is_own(self, session: Session) -> bool:
        if self.trust.covers(session.author):
            return True
        return not session.author and was_held_here(self.workspace, session)


def _held_here(workspace: Workspace) -> Iterator[str]:
    """The sessions that this repository's last conversations went to."""
    journal = workspace.store.journal
    for name in journal.newest_first()[:LOOKED_AT]:
        if session_id := journal.position_of(name).document_id:
            yield session_id


def _as_cut_off(workspace: Workspace, session: Session) -> Session:
    is_cut_off = session_state(workspace, session) is SessionState.INTERRUPTED
    return replace(session, status=Status.INTERRUPTED) if is_cut_off else session


def _newest_first(sessions: Iterable[Session]) -> list[Session]:
    return sorted(
        sessions,
        key=lambda session: (session.updated_at, session.started_at),
        reverse=True,
    )


def session_state(workspace: Workspace, session: Session) -> SessionState:
    """Only for one that is open its journal is looked into, from the end.

    It does not run where its client's process is known to be gone.
    """
    if session.status is not Status.OPEN:
        return state_of(session, (), workspace.now())
    journal, client_id = workspace.store.journal, session.client_session_id
    state = state_of(session, journal.newest_events(client_id), workspace.now())
    clients = (e for e in journal.newest_events(client_id) if isinstance(e, Client))
    client = next(clients, None) if state is SessionState.RUNNING else None
    is_killed = client and is_gone(client.pid, client.started)
    return SessionState.INTERRUPTED if is_killed else state
