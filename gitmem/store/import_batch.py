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
from gitmem.store.trees.committing import RefUpdate
from gitmem.store.trees.conversation_tree import commit_said, text_of
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    begun,
    id_of_conversation,
    message,
    tools_in,
    was_forgotten,
)


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
    """True if more of the conversation is stored than before."""
    is_forgotten: bool = False
    """True if the user forgot the session, which is not made again."""
    is_too_large: bool = False
    """True if the document would be too large and stays as it was."""

    @property
    def id(self) -> str | None:
        return self.after.id if self.after else None

    @property
    def session_id(self) -> str | None:
        return self.after.session_id if self.after else None


def prepared(
    record: Record, began_at: datetime, turns: Iterable[Turn]
) -> ImportedConversation:
    """Redact a conversation, which takes time: call it outside of the lock.

    Raises InvalidInput for a record that no journal would take.
    """
    redacted = records.from_json(seal(record, records.to_json))
    if redacted is None:
        raise InvalidInput(f"No session can be made of {record.client_session_id}.")
    return ImportedConversation(redacted, began_at, text_of(turns))


def imported(
    git: Repository, conversations: Sequence[ImportedConversation]
) -> list[ImportOutcome] | None:
    """Write all of them or none; None if a ref moved meanwhile.

    Conversations move first: where the sessions do not follow, they are imported again,
    and what was said goes to the same places.
    """
    outcomes: list[ImportOutcome] = []
    with git.batch() as batch:
        tip = memory = tree_at_tip(SESSION, batch)
        begun_ids: dict[str, str | None] = {}
        for conversation in conversations:
            record = conversation.record
            client_id, tools = record.client_session_id, {record.tool, *tools_in(tip)}
            known_id = begun_ids.get(client_id) or id_of_conversation(
                tip, tools, client_id
            )
            memory, outcome = _import_one(batch, memory, conversation, known_id)
            outcomes.append(outcome)
            begun_ids[client_id] = outcome.id
        pairs = zip(outcomes, conversations, strict=True)
        spoken = (
            (outcome.after, conversation.said)
            for outcome, conversation in pairs
            if outcome.after
        )
        spoken_commit = commit_said(batch, spoken)
    reason = f"import: {len(conversations)} conversations"
    for move in (spoken_commit.move, RefUpdate(REF, tip.commit, memory.commit, reason)):
        if not move.is_made(git):
            return None
    return [
        replace(outcome, is_said_anew=outcome.id in spoken_commit.ids)
        for outcome in outcomes
    ]


def _import_one(
    git: Repository,
    memory: SessionTree,
    conversation: ImportedConversation,
    known_id: str | None,
) -> tuple[SessionTree, ImportOutcome]:
    record, new = conversation.record, conversation.record.checkpoint
    before = memory.document(known_id) if known_id else None
    if before is None and was_forgotten(memory, record, known_id, [record.tool]):
        return memory, ImportOutcome(None, None, is_forgotten=True)
    if before:
        after = complete(before, new)
    elif has_content(new):
        began_at = min(conversation.began_at, new.at)
        after = apply(begun(git, record, began_at), new)
    else:
        return memory, ImportOutcome(None, None)
    describe = partial(message, before, checkpoint=new)
    edit = DocumentEdit(before, [(after, ROOM)], describe, new.at)
    saved = committed(git, memory, edit)
    if saved is None:
        return memory, ImportOutcome(before, before, is_too_large=True)
    return memory.at(saved[1]), ImportOutcome(before, saved[0])
