"""A session as a commit: its document, under the name that it gets."""

from gitmem.documents.session import message as messages
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session
from gitmem.git.repository import Objects
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.naming import with_slug
from gitmem.store.trees.committing import author, commit_on
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import without_forgotten


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
