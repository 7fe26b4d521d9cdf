"""The sessions at a commit, and what a new one there is made of."""

from dataclasses import replace
from datetime import datetime

from gitmem.documents.session import message as messages
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import new_session_id, provisional_slug
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.git.repository import Objects
from gitmem.git.values import Oid
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tombstones import is_forgotten

REF = SESSION.ref
SessionTree = DocumentTree[Session]


def sessions_at(git: Objects, commit: Oid | None) -> SessionTree:
    """Raises Damaged and FormatTooNew, as each tree does when it is made."""
    return DocumentTree(SESSION, git, commit)


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
    git: Objects, memory: SessionTree, record: Record, started_at: datetime
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


def with_slug(memory: SessionTree, session: Session, slug: str | None) -> Session:
    """Return the session renamed, once, if its slug was only provisional."""
    current = session.id.rpartition("_")[2]
    if not slug or not current.startswith(provisional_slug(session.client_session_id)):
        return session
    name = _new_id(memory, session.started_at, session.tool, slug)
    return replace(session, id=name, former_ids=session.all_ids)


def _new_id(memory: SessionTree, started_at: datetime, tool: str, slug: str) -> str:
    """Make an id that no session has or had: a forgotten one stays forgotten."""

    def is_taken(each: str) -> bool:
        return memory.entry(each) is not None or is_forgotten(memory, each)

    return new_session_id(started_at, tool, slug, is_taken)
