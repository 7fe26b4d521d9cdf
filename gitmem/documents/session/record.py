"""A record: one checkpoint as the journal keeps it, with whose session it is for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field
from datetime import datetime

from gitmem.documents import event_log
from gitmem.documents.names import is_tool
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.fields import COUNT_DIGITS, RECORD_VERSION
from gitmem.documents.session.identity import is_slug
from gitmem.documents.session.sections import is_valid
from gitmem.errors import FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.values import SHA, Commit
from gitmem.redaction.redact import NAME
from gitmem.text.shape import value_of


@frozen(kw_only=True)
class Record:
    tool: str = field(metadata=NAME)
    project: str
    client_session_id: str = field(metadata=NAME)
    session_id: str | None = field(metadata=NAME)
    """The document this is for, where that was known when it was written."""
    checkpoint: Checkpoint


def to_json(record: Record) -> str:
    """The record as one line of JSON in ASCII, without a line end."""
    data = {"v": RECORD_VERSION, **asdict(record)}
    return json.dumps(data, default=datetime.isoformat)


def from_json(line: str) -> Record | None:
    """The record in a line of a journal; None for a line that holds none.

    Raises FormatTooNew for a record that a newer gitmem wrote: it was acknowledged, so
    it has to wait for a gitmem that understands it.
    """
    try:
        data = json.loads(line)
        _require_known_version(data)
        data.pop("v")
        record = value_of(Record, data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return record if _is_sound(record) else None


def records_in(lines: Iterable[str]) -> Iterator[Record]:
    """The records of a journal, in its order, but for those of a newer gitmem."""
    for line in lines:
        with suppress(FormatTooNew):
            if record := from_json(line):
                yield record


def checkpoints_in(lines: Iterable[str]) -> list[Checkpoint]:
    """Those of the records of a journal, in their order."""
    return [record.checkpoint for record in records_in(lines)]


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
            if event := event_log.from_json(line):
                return Owner(event.tool, event.client_session_id, event.at)
            if record := from_json(line):
                return Owner(
                    record.tool, record.client_session_id, record.checkpoint.at
                )
    return None


def _is_sound(record: Record) -> bool:
    """True if a session can be made of it; a journal is a file like any other."""
    checkpoint = record.checkpoint
    return (
        is_tool(record.tool)
        and (checkpoint.slug is None or is_slug(checkpoint.slug))
        and all(SHA.fullmatch(commit.sha) for commit in _commits(checkpoint))
        and all(map(is_valid, checkpoint.patches))
        and len(str(checkpoint.other_repositories)) <= COUNT_DIGITS
    )


def _commits(checkpoint: Checkpoint) -> Iterator[Commit]:
    yield from checkpoint.commits
    yield from (rewrite.new for rewrite in checkpoint.rewritten)


def _require_known_version(data: object) -> None:
    version = data.get("v") if isinstance(data, Mapping) else None
    if isinstance(version, int) and version > RECORD_VERSION:
        raise FormatTooNew(
            f"The journal has a record of version {version}; this gitmem knows"
            f" {RECORD_VERSION}.",
            hint="Upgrade gitmem: `pipx upgrade git-ocm`.",
        )
