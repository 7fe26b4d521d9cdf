"""A session as a commit: begun, named, written."""

from dataclasses import replace
from datetime import datetime

from gitmem.documents.session import message as messages
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import new_session_id, provisional_slug
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session
from gitmem.git.repository import Objects
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.trees.committing import author, commit_on
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import is_forgotten, without_forgotten


class TooLargeError(Exception):
    """The document would be larger than it may be."""


def committed(
    git: Objects,
    memory: SessionTree,
    before: Session | None,
    after: Session,
    made: Checkpoint,
    most: int,
) -> tuple[Session, Oid | None]:
    """The session by the name it gets, and the commit after `memory` that has it.

    Raises TooLargeError for a document of more than `most` bytes.
    """
    after = without_forgotten(memory, with_slug(memory, after, made.slug))
    if after == before:
        return after, memory.commit
    document = seal(after, render)
    if len(document.encode()) > most:
        raise TooLargeError
    changes: dict[str, Content] = {memory.path(after.id): document}
    if before and before.id != after.id:
        changes[memory.path(before.id)] = None
    parts = messages.message_of(before, after, made)
    message = redact_own(seal(parts, messages.render))  # side by side they may say more
    by = author(git, made.at)
    return after, commit_on(git, memory, changes, message, by)


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


def _new_id(memory: SessionTree, started_at: datetime, tool: str, slug: str) -> str:
    """No forgotten one: it stays so, and whoever has it next would be taken for it."""

    def is_taken(each: str) -> bool:
        return memory.entry(each) is not None or is_forgotten(memory, each)

    return new_session_id(started_at, tool, slug, is_taken)
