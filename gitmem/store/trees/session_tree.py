"""The sessions at a commit: which one is meant, and what a new one is made of."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice

from gitmem.documents.session import message as messages
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import (
    new_session_id,
    provisional_slug,
    slug_of,
)
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.naming import is_unnamed
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import MOST_OF_FOLDER, DocumentTree
from gitmem.store.trees.tombstones import is_forgotten

REF = SESSION.ref
SessionTree = DocumentTree[Session]


def sessions_at(git: Repository, commit: Oid | None) -> SessionTree:
    """Raises Damaged and FormatTooNew, as each tree does when it is made."""
    return DocumentTree(SESSION, git, commit)


_MOST_NAMED = 1000
"""Newest sessions among which one is looked for that has words for a slug."""


def is_conversation_forgotten(
    memory: SessionTree, tool: str, client_session_id: str
) -> bool:
    """Return whether a conversation's session was forgotten, under any id."""
    subject = SESSION.subject_of_conversation(tool, client_session_id)
    return subject is not None and is_forgotten(memory, subject)


def message(before: Session | None, after: Session, made: Checkpoint) -> Redacted:
    """Return the message of the commit that a checkpoint makes."""
    parts = messages.message_of(before, after, made)
    return redact_own(seal(parts, messages.render))  # side by side they may say more


def begun(
    git: Repository, memory: SessionTree, record: Record, started_at: datetime
) -> Session:
    """Return a session that has nothing yet, by the user that git knows."""
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


def with_slug(
    memory: SessionTree, before: Session, session: Session, slug: str | None
) -> Session:
    """Return the session renamed, once, if nobody gave it its slug before."""
    is_named_so = f"{slug_of(session.id)}-".startswith(f"{slug}-")
    if not slug or is_named_so or not is_unnamed(before):
        return session
    name = _new_id(memory, session.started_at, session.tool, slug)
    return replace(session, id=name, former_ids=session.all_ids)


def _new_id(memory: SessionTree, started_at: datetime, tool: str, slug: str) -> str:
    """Make an id that no session has or had: a forgotten one stays forgotten."""

    def is_taken(each: str) -> bool:
        is_now = memory.entry(each) is not None
        return is_now or is_forgotten(memory, each) or _is_former(memory, each)

    return new_session_id(started_at, tool, slug, is_taken)


def _is_former(memory: SessionTree, session_id: str) -> bool:
    """Return whether a session that began at this minute was renamed from this id."""
    stem, beside = SESSION.stem(session_id), memory.ids_beside(session_id)
    for each in (one for one in beside if SESSION.stem(one) == stem):
        text = memory.readable_text(each) or ""
        if session_id in text and session_id in memory.parsed(each, text).former_ids:
            return True
    return False


def session_of(
    memory: SessionTree, record: Record, known_id: str | None, began_at: datetime
) -> Session | None:
    """Return the session that a record is for, if there is one.

    Where no id is known, or it names no document (the session was renamed, a replay was
    cut off before its mark, the mark is damaged), it is found by the client's id, among
    the sessions that began that day.
    """
    client_id = record.client_session_id
    if known_id and (found := memory.document(known_id)):
        return found
    if known_id and (found := of_conversation(memory, client_id, known_id[:10])):
        return found
    return of_conversation(memory, client_id, f"{began_at:%Y-%m-%d}")


def of_conversation(memory: SessionTree, client_id: str, day: str) -> Session | None:
    """Find the session of a conversation among those of a day, `YYYY-MM-DD`."""
    return of_conversations(memory, [client_id], day).get(client_id)


def of_conversations(
    memory: SessionTree, client_ids: Collection[str], day: str
) -> dict[str, Session]:
    """Find the sessions of several clients; each document is read once."""
    first: dict[str, Session] = {}
    ids = _likely_ids(memory, client_ids, day)
    for session in _of_clients(memory, client_ids, ids):
        first.setdefault(session.client_session_id, session)
        if len(first) == len(client_ids):
            break
    return first


def of_any_day(memory: SessionTree, client_id: str) -> Session | None:
    """Find the session of a conversation that may have begun long ago.

    Among those that have it for a slug, and the newest ones: reading all would take too
    long.
    """
    slug = provisional_slug(client_id)
    ids = [*memory.ids()]
    unnamed = (each for each in ids if slug in slug_of(each))
    some = islice(chain(unnamed, ids[:_MOST_NAMED]), MOST_OF_FOLDER)
    return next(_of_clients(memory, [client_id], some), None)


def was_forgotten(
    memory: SessionTree, record: Record, known_id: str | None, tools: Iterable[str]
) -> bool:
    """Return whether a record's session was forgotten, by known id or conversation.

    `tools` are the names that its assistant goes by.
    """
    if known_id is not None and is_forgotten(memory, known_id):
        return True
    client_id = record.client_session_id
    return any(is_conversation_forgotten(memory, tool, client_id) for tool in tools)


def _likely_ids(
    memory: SessionTree, client_ids: Iterable[str], day: str
) -> Iterator[str]:
    """Return ids of a day, a bounded number, those that name the conversation first."""
    slugs = tuple(map(provisional_slug, client_ids))
    names = memory.folder(f"{memory.kind.root}/{day.replace('-', '/')}")
    likely = (each for each in names if SESSION.slug(each).startswith(slugs))
    ids = (each.removesuffix(".md") for each in sorted(likely, reverse=True))
    return islice(chain(ids, memory.ids_in(*day.split("-"))), MOST_OF_FOLDER)


def _of_clients(
    memory: SessionTree, client_ids: Collection[str], ids: Iterable[str]
) -> Iterator[Session]:
    """Yield the sessions of these conversations among those with these ids.

    Only documents that name one are read as a whole: there may be hundreds.
    """
    # A header writes these otherwise than they are.
    escaped = any(not x.isprintable() or {*"\"\\'"} & {*x} for x in client_ids)
    for session_id in ids:
        with suppress(Damaged):
            text = memory.text(session_id) or ""
            if escaped or any(client_id in text for client_id in client_ids):
                session = SESSION.parse(session_id, text)
                if session.client_session_id in client_ids:
                    yield session
