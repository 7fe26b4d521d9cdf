"""The sessions at a commit: which one is meant, and what a new one is made of."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain

from gitmem.documents.session import message as messages
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import (
    conversation_subject,
    new_id,
    new_session_id,
    provisional_slug,
    subject_digest,
    tool_in,
)
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tombstones import is_forgotten

REF = SESSION.ref
SessionTree = DocumentTree[Session]


def sessions_at(git: Repository, commit: Oid | None) -> SessionTree:
    """Raises Damaged and FormatTooNew, as each tree does when it is made."""
    return DocumentTree(SESSION, git, commit)


def is_conversation_forgotten(
    memory: SessionTree, tool: str, client_session_id: str
) -> bool:
    """Return whether the session of a conversation was forgotten."""
    subject = conversation_subject(tool, client_session_id)
    return bool(subject) and is_forgotten(memory, subject)


def message(before: Session | None, after: Session, checkpoint: Checkpoint) -> Redacted:
    """Return the message of the commit that a checkpoint makes."""
    parts = messages.message_of(before, after, checkpoint)
    return redact_own(seal(parts, messages.render))  # side by side they may say more


def begun(git: Repository, record: Record, started_at: datetime) -> Session:
    """Return a session that has nothing yet, by the user that git knows."""
    client_id, tool = record.client_session_id, record.tool
    slug = record.checkpoint.slug or provisional_slug(client_id)
    session_id = new_session_id(started_at, tool, slug)
    subject = conversation_subject(tool, client_id) or session_id
    return Session(
        id=new_id(started_at, tool, subject),
        session_id=session_id,
        tool=tool,
        project=record.project,
        author=author(git, started_at).who,
        client_session_id=client_id,
        started_at=started_at,
        updated_at=started_at,
    )


@lru_cache(1)
def tools_in(memory: SessionTree) -> frozenset[str]:
    """Return the assistants that have sessions: several may have one conversation."""
    return frozenset(map(tool_in, memory.ids_by_identity.values()))


def session_of(
    memory: SessionTree,
    record: Record,
    known_id: str | None,
    tools: Iterable[str],
    began_at: datetime | None = None,
) -> Session | None:
    """Return the session that a record is for, if there is one.

    `tools` are the names that its assistant goes by. With a moment, only sessions of
    the days around it are looked at, as all folders of a large memory take time.
    """
    if known_id and (session := memory.document(known_id)):
        return session
    session_id = id_of_conversation(memory, tools, record.client_session_id, began_at)
    return memory.document(session_id) if session_id else None


def id_of_conversation(
    memory: SessionTree,
    tools: Iterable[str],
    client_id: str,
    began_at: datetime | None = None,
) -> str | None:
    """Return the least id of a conversation's sessions, among all or those of days."""
    subjects = (conversation_subject(tool, client_id) for tool in {*tools})
    digests = [*map(subject_digest, filter(None, subjects))]
    if began_at is None:
        ids = (memory.ids_by_identity.get(digest) for digest in digests)
        return min(filter(None, ids), default=None)
    near = chain.from_iterable(_ids_near(memory, began_at))
    return min(
        (document_id for document_id in near if document_id.endswith(tuple(digests))),
        default=None,
    )


def _ids_near(memory: SessionTree, moment: datetime) -> Iterator[Iterator[str]]:
    for days in (-1, 0, 1):
        day = moment.astimezone(UTC) + timedelta(days=days)
        yield memory.ids_in(*f"{day:%Y-%m-%d}".split("-"))


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
