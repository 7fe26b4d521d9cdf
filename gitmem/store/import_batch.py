"""A conversation that an import read: redacted, written, and what became of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import apply
from gitmem.documents.session.completion import complete
from gitmem.documents.session.observed import has_content
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import ROOM
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput
from gitmem.git.repository import Objects, Repository
from gitmem.redaction.redact import Redacted, seal
from gitmem.store.journal.journal import Journal, journal_name
from gitmem.store.naming import begun, of_conversations, session_of, was_forgotten
from gitmem.store.session_commit import TooLargeError, committed
from gitmem.store.trees.committing import Move
from gitmem.store.trees.conversation_tree import commit_said, text_of
from gitmem.store.trees.session_tree import REF, Memory

_Name = tuple[str, str]
"""Of a conversation: its client id, and the day on which it began."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """Made by `adoption_of` alone: what it holds is redacted."""

    record: Record
    began_at: datetime
    said: Redacted
    """As `documents.conversation` renders it; empty where it is not to be kept."""


@dataclass(frozen=True, slots=True)
class Adopted:
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


def adoption_of(record: Record, began_at: datetime, turns: Iterable[Turn]) -> Adoption:
    """Redacts, which takes its time: whoever adopts does it outside of the lock.

    Raises InvalidInput for a record that no journal would take.
    """
    made = records.from_json(seal(record, records.to_json))
    if made is None:
        raise InvalidInput(f"No session can be made of {record.client_session_id}.")
    return Adoption(made, began_at, text_of(turns))


def adopted(
    git: Repository, journal: Journal, adoptions: Sequence[Adoption]
) -> list[Adopted] | None:
    """What becomes of each; None if a ref moved meanwhile. See SessionStore.adopt.

    Conversations move first: where the sessions do not follow, they are adopted anew,
    and what was said goes to the same places.
    """
    made: list[Adopted] = []
    with git.batch() as batch:
        tip = memory = Memory.at_tip(batch)
        there = _there(memory, adoptions)
        for each in adoptions:
            known_id = _known_id(journal, each.record) or there.get(_named(each))
            memory, one = _adopted(batch, memory, each, known_id)
            made.append(one)
            if one.id:
                there[each.record.client_session_id, one.id[:10]] = one.id
        said = commit_said(batch, _said(made, adoptions))
    reason = f"import: {len(adoptions)} conversations"
    for move in (said.move, Move(REF, tip.commit, memory.commit, reason)):
        if not move.is_made(git):
            return None
    return [replace(one, is_said_anew=one.id in said.ids) for one in made]


def _known_id(journal: Journal, record: Record) -> str | None:
    name = journal_name(record.client_session_id)
    return record.session_id or journal.mark_of(name).session_id


def _there(memory: Memory, adoptions: Iterable[Adoption]) -> dict[_Name, str]:
    """Ids of the sessions that these have already, among those that began that day.

    Looked for once: a day may have a thousand, and as many may be adopted.
    """
    days: dict[str, set[str]] = {}
    for client_id, day in map(_named, adoptions):
        days.setdefault(day, set()).add(client_id)
    return {
        (client_id, day): session.id
        for day, wanted in days.items()
        for client_id, session in of_conversations(memory, wanted, day).items()
    }


def _named(adoption: Adoption) -> _Name:
    return adoption.record.client_session_id, f"{adoption.began_at:%Y-%m-%d}"


def _adopted(
    git: Objects, memory: Memory, adoption: Adoption, known_id: str | None
) -> tuple[Memory, Adopted]:
    record, new = adoption.record, adoption.record.checkpoint
    before = None
    if known_id:
        before = session_of(memory, record, known_id, lambda: adoption.began_at)
    if before is None and was_forgotten(memory, record, known_id):
        return memory, Adopted(None, None, is_forgotten=True)
    if before:
        after = complete(before, new)
    elif has_content(new):
        began_at = min(adoption.began_at, new.at)
        after = apply(begun(git, memory, record, began_at), new)
    else:
        return memory, Adopted(None, None)
    try:
        after, commit = committed(git, memory, before, after, new, ROOM)
    except TooLargeError:
        return memory, Adopted(before, before, is_too_large=True)
    return Memory(git, commit), Adopted(before, after)


def _said(
    made: Sequence[Adopted], adoptions: Sequence[Adoption]
) -> Iterator[tuple[Session, Redacted]]:
    for one, adoption in zip(made, adoptions, strict=True):
        if one.after:
            yield one.after, adoption.said
