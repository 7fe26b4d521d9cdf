"""Changes of sessions: checkpoints, and what hooks saw.

What hooks saw before a checkpoint is in its commit; what they saw after the last one is
in a commit of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from gitmem.documents.event import Event, Start
from gitmem.documents.event_log import events_in, first_event
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
from gitmem.frozen import frozen
from gitmem.git.values import FileChange

_AN_EVENT = '{"event":'
"""How lines begin, as `to_json` writes them."""

KnownFile = Callable[[str, FileChange], FileChange | None]
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


def changes_in(
    earlier: Sequence[str], lines: Sequence[str], project: str, known_file: KnownFile
) -> Iterator[tuple[int, SessionChange | None]]:
    """Yield each change in lines of a journal, and the number of lines up to its end.

    `earlier` are the lines before them. None for lines that hold nothing that we know.
    Raises FormatTooNew on reaching a checkpoint that a newer gitmem wrote.
    """
    first = first_event(chain(earlier, lines))
    no_events = (line for line in earlier if not line.startswith(_AN_EVENT))
    events, checkpoints = events_in(earlier), records.checkpoints_in(no_events)
    end = 0
    for batch, record in _batches(lines):
        end += len(batch)
        since = events_in(batch)
        change = observed(since, events, checkpoints) if since else None
        if change:
            root, changes = since[-1].root, merge_files((), change.files)
            files = (known_file(root, file) for file in changes)
            change = replace(change, files=tuple(filter(None, files)))
        if record:
            at = record.checkpoint.at
            saved = SessionChange(record, at, change, is_acknowledged=True)
            yield end, _since(first, saved)
        elif change:
            observed_record = Record(
                tool=since[-1].tool,
                project=project,
                client_session_id=since[-1].client_session_id,
                session_id=None,
                checkpoint=change,
            )
            yield end, _since(first, SessionChange(observed_record, change.at))
        else:
            yield end, None
        events += since
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


def _batches(lines: Iterable[str]) -> Iterator[tuple[list[str], Record | None]]:
    """Yield the lines up to each checkpoint, and those after the last one."""
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if record := records.from_json(line):
            yield batch, record
            batch = []
    if batch:
        yield batch, None
