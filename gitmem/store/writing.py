"""A session as a commit: its document, under the name that it gets."""

from gitmem.model import message as messages
from gitmem.model.checkpoint import Checkpoint
from gitmem.model.document import render
from gitmem.model.session import Session
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.git.repository import Objects
from gitmem.store.git.values import Content, Oid
from gitmem.store.naming import with_slug
from gitmem.store.trees.committing import author, commit_on
from gitmem.store.trees.forgotten import without_forgotten
from gitmem.store.trees.memory import Memory


class TooLargeError(Exception):
    """The document would be larger than it may be."""


def committed(
    git: Objects,
    memory: Memory,
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
