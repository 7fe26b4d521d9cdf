"""A conversation that an import read, ready to be written; and what became of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gitmem.errors import InvalidInput
from gitmem.model import record as records
from gitmem.model.conversation import Turn
from gitmem.model.gate.redaction import Redacted, seal
from gitmem.model.record import Record
from gitmem.model.session import Session
from gitmem.store.trees.conversations import text_of


@dataclass(frozen=True, slots=True)
class Adoption:
    """Made by `adoption_of` alone: what it holds is redacted."""

    record: Record
    began_at: datetime
    said: Redacted
    """As `gitmem.model.conversation` renders it; empty where it is not to be kept."""


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
