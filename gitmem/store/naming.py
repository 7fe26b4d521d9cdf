"""Which session a record is for: the one that is there, or one that begins.

A session is known by its id, or by the client's own id of its conversation. Ids that
would be taken twice are numbered.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice

from gitmem.documents.session.identity import new_session_id, provisional_slug, slug_of
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.git.repository import Objects
from gitmem.store.trees.committing import author
from gitmem.store.trees.day_tree import MOST_OF_DAY
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import is_forgotten, is_id_forgotten

BeganAt = Callable[[], datetime]
"""When the conversation began: asked for only where no id leads to it."""


def session_of(
    memory: SessionTree, record: Record, known_id: str | None, began_at: BeganAt
) -> Session | None:
    """The session that a record is for, if there is one.

    Where no id is known, or it names no document (the session was renamed, a replay was
    cut off before its mark, the mark is damaged), it is found by the client's id, among
    the sessions that began that day.
    """
    client_id = record.client_session_id
    if known_id and (found := memory.session(known_id)):
        return found
    if known_id and (found := of_conversation(memory, client_id, known_id[:10])):
        return found
    return of_conversation(memory, client_id, f"{began_at():%Y-%m-%d}")


def of_conversation(memory: SessionTree, client_id: str, day: str) -> Session | None:
    """The session of a conversation, among those that began on a day, `YYYY-MM-DD`."""
    return _of_client(memory, client_id, _likely_ids(memory, [client_id], day))


def of_conversations(
    memory: SessionTree, client_ids: Collection[str], day: str
) -> dict[str, Session]:
    """The same for several at once, by their client ids: each document is read once."""
    found = _of_clients(memory, client_ids, _likely_ids(memory, client_ids, day))
    first: dict[str, Session] = {}
    for session in found:
        first.setdefault(session.client_session_id, session)
    return first


def of_any_day(memory: SessionTree, client_id: str) -> Session | None:
    """The session of a conversation that may have begun long ago, as an imported one.

    Among those that were never given a slug: reading all would take too long.
    """
    slug = provisional_slug(client_id)
    unnamed = (each for each in memory.ids() if slug in each.rpartition("_")[2])
    return _of_client(memory, client_id, islice(unnamed, MOST_OF_DAY))


def was_forgotten(memory: SessionTree, record: Record, known_id: str | None) -> bool:
    """Whether the session of a record was: by its conversation, or its id if known."""
    is_id = known_id is not None and is_id_forgotten(memory, known_id)
    return is_id or is_forgotten(memory, record.tool, record.client_session_id)


def begun(
    git: Objects, memory: SessionTree, record: Record, started_at: datetime
) -> Session:
    """A session that has nothing yet, by the user that git knows."""
    slug = record.checkpoint.slug or provisional_slug(record.client_session_id)
    return Session(
        id=_new_id(memory, started_at, record.tool, slug),
        tool=record.tool,
        project=record.project,
        author=author(git, started_at).who,
        client_session_id=record.client_session_id,
        started_at=started_at,
        updated_at=started_at,
    )


def with_slug(memory: SessionTree, session: Session, slug: str | None) -> Session:
    """The session renamed, once, if its slug was only provisional."""
    current = session.id.rpartition("_")[2]
    if not slug or not current.startswith(provisional_slug(session.client_session_id)):
        return session
    name = _new_id(memory, session.started_at, session.tool, slug)
    return replace(session, id=name, former_ids=session.all_ids)


def _likely_ids(
    memory: SessionTree, client_ids: Iterable[str], day: str
) -> Iterator[str]:
    """Names of a day, MOST_OF_DAY at most: those first that tell the conversation."""
    slugs = tuple(map(provisional_slug, client_ids))
    names = memory.folder(f"{memory.root}/{day.replace('-', '/')}")
    telling = (each for each in names if slug_of(each).startswith(slugs))
    ids = (each.removesuffix(".md") for each in sorted(telling, reverse=True))
    return islice(chain(ids, memory.ids_of_day(day)), MOST_OF_DAY)


def _of_client(
    memory: SessionTree, client_id: str, ids: Iterable[str]
) -> Session | None:
    return next(_of_clients(memory, [client_id], ids), None)


def _of_clients(
    memory: SessionTree, client_ids: Collection[str], ids: Iterable[str]
) -> Iterator[Session]:
    """The sessions of these conversations among those with these ids.

    Only documents that name one are read as a whole: there may be hundreds.
    """
    escaped = any(map(_is_escaped, client_ids))
    for session_id in ids:
        with suppress(Damaged):
            text = memory.document(session_id) or ""
            if escaped or any(client_id in text for client_id in client_ids):
                session = parse(session_id, text)
                if session.client_session_id in client_ids:
                    yield session


def _is_escaped(client_id: str) -> bool:
    """Whether a header writes it otherwise than it is."""
    return not client_id.isprintable() or any(mark in client_id for mark in "\"\\'")


def _new_id(memory: SessionTree, started_at: datetime, tool: str, slug: str) -> str:
    """No forgotten one: it stays so, and whoever has it next would be taken for it."""

    def is_taken(each: str) -> bool:
        return memory.entry(each) is not None or is_id_forgotten(memory, each)

    return new_session_id(started_at, tool, slug, is_taken)
