"""Events of a conversation, for tests that need hooks to have seen something."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from support.harness import CLIENT, NOON

from gitmem.documents.event import Event
from gitmem.store.journal.journal import Journal

E = TypeVar("E", bound=Event)


def event(kind: type[E], minute: int = 0, client: str = CLIENT, **values: Any) -> E:
    """An event `minute` minutes after noon."""
    values.setdefault("at", NOON + timedelta(minutes=minute))
    values.setdefault("root", "/project")
    values.setdefault("tool", "claude-code")
    return kind(client_session_id=client, **values)


def note(repository: Path, *events: Event) -> None:
    """The events in the journal of the repository, as a hook would note them."""
    journal = Journal(repository / ".git" / "ocm" / "journal")
    for each in events:
        journal.note(each)


def now() -> datetime:
    return datetime.now().astimezone().replace(microsecond=0)
