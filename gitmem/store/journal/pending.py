"""The uncommitted lines of a journal: checkpoints, and what hooks saw.

What hooks saw before a checkpoint is in its commit; what they saw after the last one is
in a commit of its own.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice

from gitmem.documents.event import Event, Start
from gitmem.documents.event_log import events_in, first_event, from_json
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import (
    Checkpoint,
    merge_files,
    state_only,
    without_facts,
)
from gitmem.documents.session.observed import has_content, observed
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, ROOM
from gitmem.errors import FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.values import FileChange
from gitmem.store.journal.journal import Entry, Journal

_AN_EVENT = '{"event":'
"""How lines begin, as `to_json` writes them."""

Known = Callable[[str, FileChange], FileChange | None]
"""A file below the root of a work tree as git knows it; None where it is left out."""


@frozen
class SessionChange:
    """The content of one commit: of a journal, or of a transcript that was imported."""

    record: Record
    began_at: datetime
    """When the conversation began, as far as it is known."""
    observed: Checkpoint | None = None
    """Checkpoint of what hooks saw before the record, if anything."""
    is_acknowledged: bool = False
    """True if somebody saved the record; else hooks or a transcript tell it."""
    tools: frozenset[str] = frozenset()
    """Other names that its assistant goes by."""
    is_resumed: bool = False
    """True if the conversation was there before hooks heard of it."""

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        return tuple(filter(None, (self.observed, self.record.checkpoint)))

    def portions(self) -> Iterator[tuple[tuple[Checkpoint, ...], int]]:
        """Yield what to add to the document, and how many bytes that may have then.

        First all; then what fits of what nobody wrote. What was acknowledged is in each
        of them: it was acknowledged because there is room.
        """
        yield self.checkpoints, ROOM
        yield tuple(map(without_facts, self.checkpoints)), ROOM
        *seen, last = self.checkpoints
        least = without_facts(last) if self.is_acknowledged else state_only(last)
        yield (*map(state_only, seen), least), DOCUMENT_LIMIT

    @property
    def begins_a_session(self) -> bool:
        """Tell whether there is anything worth a document."""
        return self.is_acknowledged or any(map(has_content, self.checkpoints))


def pending_in(
    journal: Journal, name: str, project: str, known_file: Known
) -> Iterator[tuple[Entry, SessionChange | None]]:
    """Yield the last line of each change, and the change; None for no known lines.

    Raises FormatTooNew on reaching a checkpoint that a newer gitmem wrote.
    """
    offset, entries = journal.position_of(name).offset, [*journal.entries(name)]
    first = first_event(entry.line for entry in entries)
    lines = [entry.line for entry in entries if entry.end <= offset]
    rest = [entry for entry in entries if entry.end > offset]
    no_events = (line for line in lines if not line.startswith(_AN_EVENT))
    earlier, checkpoints = events_in(lines), records.checkpoints_in(no_events)
    for batch, record in _batches(rest):
        since = events_in(entry.line for entry in batch)
        change = observed(since, earlier, checkpoints) if since else None
        if change:
            root, changes = since[-1].root, merge_files((), change.files)
            files = (known_file(root, file) for file in changes)
            change = replace(change, files=tuple(filter(None, files)))
        if record is None and change:
            observed_record = Record(
                tool=since[-1].tool,
                project=project,
                client_session_id=since[-1].client_session_id,
                session_id=None,
                checkpoint=change,
            )
            yield batch[-1], _since(first, SessionChange(observed_record, change.at))
        elif record:
            at = record.checkpoint.at
            saved = SessionChange(record, at, change, is_acknowledged=True)
            yield batch[-1], _since(first, saved)
        else:
            yield batch[-1], None
        earlier += since
        checkpoints += [record.checkpoint] if record else []


def _since(first: Event | None, change: SessionChange) -> SessionChange:
    """Return the change with how hooks saw its conversation begin."""
    if first is None:
        return change
    return replace(
        change,
        began_at=min(first.at, change.began_at),
        tools=frozenset({first.tool}),
        is_resumed=isinstance(first, Start) and first.source == "resume",
    )


def _batches(entries: list[Entry]) -> Iterator[tuple[list[Entry], Record | None]]:
    """Yield entries up to each checkpoint, and what comes after the last one."""
    batch: list[Entry] = []
    for entry in entries:
        batch.append(entry)
        if record := records.from_json(entry.line):
            yield batch, record
            batch = []
    if batch:
        yield batch, None


def count_waiting(journal: Journal, most: int) -> tuple[int, int]:
    """Count the waiting checkpoints, and the unreadable lines, of so many lines."""
    waiting = unknown = 0
    for entry in islice(journal.pending(), most):
        is_record = next(records.records_in([entry.line]), None) is not None
        waiting += is_record
        unknown += not is_record and from_json(entry.line) is None
    return waiting, unknown


@frozen
class Owner:
    """The conversation that a journal is of."""

    tool: str
    client_session_id: str
    at: datetime
    """When the line was written that says so."""


def owner_in(lines: Iterable[str]) -> Owner | None:
    """Find a journal's conversation, by the first line that names it."""
    for line in lines:
        with suppress(FormatTooNew):
            if event := from_json(line):
                return Owner(event.tool, event.client_session_id, event.at)
            if record := records.from_json(line):
                return Owner(
                    record.tool, record.client_session_id, record.checkpoint.at
                )
    return None
