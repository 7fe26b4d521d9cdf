"""A conversation that an import read: redacted, written, and what became of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.kinds import SESSION
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import apply
from gitmem.documents.session.completion import complete
from gitmem.documents.session.observed import has_content
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import ROOM
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.redaction.redact import Redacted, seal
from gitmem.store.document_store import DocumentEdit, committed
from gitmem.store.journal.journal import Journal, journal_name
from gitmem.store.trees.committing import RefUpdate
from gitmem.store.trees.conversation_tree import commit_said, text_of
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    begun,
    message,
    of_conversations,
    session_of,
    was_forgotten,
    with_slug,
)

_Name = tuple[str, str]
"""Of a conversation: its client id, and the day on which it began."""


@frozen
class ImportedConversation:
    """Made by `prepared` alone: what it holds is redacted."""

    record: Record
    began_at: datetime
    said: Redacted
    """As `documents.conversation` renders it; empty where it is not to be kept."""


@frozen
class ImportOutcome:
    before: Session | None
    """None where the conversation had no session."""
    after: Session | None
    """None where there was nothing worth one."""
    is_said_anew: bool = False
    """Whether what was said is kept now, and was not so before."""
    is_forgotten: bool = False
    """Whether the session was, and so is not made again."""
    is_too_large: bool = False
    """Whether its document would be, so that it stays as it was."""

    @property
    def id(self) -> str | None:
        return self.after.id if self.after else None


def prepared(
    record: Record, began_at: datetime, turns: Iterable[Turn]
) -> ImportedConversation:
    """Redact a conversation, which takes time: call it outside of the lock.

    Raises InvalidInput for a record that no journal would take.
    """
    made = records.from_json(seal(record, records.to_json))
    if made is None:
        raise InvalidInput(f"No session can be made of {record.client_session_id}.")
    return ImportedConversation(made, began_at, text_of(turns))


def imported(
    git: Repository, journal: Journal, conversations: Sequence[ImportedConversation]
) -> list[ImportOutcome] | None:
    """Write all of them or none; None if a ref moved meanwhile.

    Conversations move first: where the sessions do not follow, they are imported again,
    and what was said goes to the same places.
    """
    made: list[ImportOutcome] = []
    with git.batch() as batch:
        tip = memory = tree_at_tip(SESSION, batch)
        there = _there(memory, conversations)
        for each in conversations:
            record, name = each.record, journal_name(each.record.client_session_id)
            known_id = record.session_id or journal.position_of(name).document_id
            known_id = known_id or there.get(_named(each))
            memory, one = _import_one(batch, memory, each, known_id)
            made.append(one)
            if one.id:
                there[record.client_session_id, one.id[:10]] = one.id
        pairs = zip(made, conversations, strict=True)
        spoken = ((one.after, each.said) for one, each in pairs if one.after)
        said = commit_said(batch, spoken)
    reason = f"import: {len(conversations)} conversations"
    for move in (said.move, RefUpdate(REF, tip.commit, memory.commit, reason)):
        if not move.is_made(git):
            return None
    return [replace(one, is_said_anew=one.id in said.ids) for one in made]


def _there(
    memory: SessionTree, conversations: Iterable[ImportedConversation]
) -> dict[_Name, str]:
    """Return the ids of the sessions that these have already, of those days.

    Looked for once: a day may have a thousand, and as many may be imported.
    """
    days: dict[str, set[str]] = {}
    for client_id, day in map(_named, conversations):
        days.setdefault(day, set()).add(client_id)
    return {
        (client_id, day): session.id
        for day, wanted in days.items()
        for client_id, session in of_conversations(memory, wanted, day).items()
    }


def _named(conversation: ImportedConversation) -> _Name:
    return conversation.record.client_session_id, f"{conversation.began_at:%Y-%m-%d}"


def _import_one(
    git: Repository,
    memory: SessionTree,
    conversation: ImportedConversation,
    known_id: str | None,
) -> tuple[SessionTree, ImportOutcome]:
    record, new = conversation.record, conversation.record.checkpoint
    before = None
    if known_id:
        before = session_of(memory, record, known_id, conversation.began_at)
    if before is None and was_forgotten(memory, record, known_id, [record.tool]):
        return memory, ImportOutcome(None, None, is_forgotten=True)
    if before:
        after = complete(before, new)
    elif has_content(new):
        began_at = min(conversation.began_at, new.at)
        after = apply(begun(git, memory, record, began_at), new)
    else:
        return memory, ImportOutcome(None, None)
    named = with_slug(memory, before or after, after, new.slug)
    describe = partial(message, before, made=new)
    made = committed(
        git, memory, DocumentEdit(before, [(named, ROOM)], describe, new.at)
    )
    if made is None:
        return memory, ImportOutcome(before, before, is_too_large=True)
    return memory.at(made[1]), ImportOutcome(before, made[0])
