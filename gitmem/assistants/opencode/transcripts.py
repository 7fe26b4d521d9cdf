"""OpenCode: its database of sessions, messages and their parts.

Written after records of version 1.18.33: SQLite with a write-ahead log, which OpenCode
may be writing, so it is opened read-only. A session of a subagent names its parent, and
its edits and commands count as the parent's. A fork names none, but begins with copies
of the messages of another session, which are older than itself.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.opencode.hooks import seen, unquoted
from gitmem.assistants.payload import client_id, inner, items, text, typed
from gitmem.assistants.transcripts import Part, Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import LONGEST
from gitmem.documents.conversation.conversation import Speaker
from gitmem.text.calendar import moment_at

_MILLION = 1_000_000
_MOST_STEPS = 500
"""Millions of SQLite's instructions for a session, some seconds: a sort of hostile
tables takes hours.
"""
_TABLES = {"session", "message", "part"}
_SESSIONS = """
    SELECT id, directory, time_created FROM session
    WHERE coalesce(parent_id, '') = '' ORDER BY time_updated DESC
"""
_LISTED = """
    SELECT id, directory FROM session
    WHERE coalesce(parent_id, '') = ''
        AND EXISTS (SELECT 1 FROM message WHERE session_id = session.id)
"""
_SESSION = "SELECT id, directory, time_created FROM session WHERE id = ?"
_PARTS = """
    WITH RECURSIVE family(id) AS (
        SELECT :id UNION
        SELECT session.id FROM session JOIN family ON session.parent_id = family.id
    ), said AS (
        SELECT id, session_id, time_created, iif(json_valid(data), data, '{}') AS data
        FROM message
    )
    SELECT part.data, part.time_updated, family.id = :id AS is_own,
        json_extract(said.data, '$.role') AS role,
        json_extract(said.data, '$.mode') = 'compaction' AS is_summary
    FROM family
    JOIN said ON said.session_id = family.id
    JOIN part ON part.message_id = said.id
    WHERE part.time_updated > :since AND said.time_created >= :begun
    ORDER BY said.time_created, said.id, part.id
"""
_PARENT = """
    SELECT origin.id FROM message AS copy
    JOIN message AS said ON said.time_created = copy.time_created
    JOIN session AS origin ON origin.id = said.session_id
    WHERE copy.session_id = ? AND copy.time_created < ?
        AND origin.time_created <= said.time_created
    ORDER BY copy.time_created DESC
"""
"""The session for which the last copied message was new."""
_CHANGES = {"add": "created", "delete": "deleted", "move": "deleted"}
_DAMAGE = (sqlite3.Error, KeyError, TypeError, ValueError, RecursionError)

Row = Mapping[str, Any]


def _places(
    user_home: Path, variables: Mapping[str, str], _roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the databases: one for each channel of releases, and one named."""
    share = variables.get("XDG_DATA_HOME") or user_home / ".local" / "share"
    folder = Path(share) / "opencode"
    with suppress(OSError):
        yield from sorted(folder.glob("opencode*.db"))
    if named := variables.get("OPENCODE_DB"):
        yield folder / named


def _read(file: Path) -> Iterator[Transcript | Unread]:
    """Read all sessions, the newest first."""
    try:
        with closing(_opened(file)) as database:
            for row in database.execute(_SESSIONS).fetchall():
                yield from _session(database, row)
    except _DAMAGE:
        yield Unread("no database of OpenCode, or a damaged one")


def _listed(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the sessions in which something was said."""
    with suppress(*_DAMAGE), closing(_opened(file)) as database:
        for row in map(dict, database.execute(_LISTED).fetchall()):
            yield client_id(row, "id"), text(row, "directory")


def _session(database: sqlite3.Connection, row: Row) -> Iterator[Transcript | Unread]:
    try:
        session = _read_parts(database, row, 0)
    except _DAMAGE:
        yield Unread("a session that is not as OpenCode writes it")
        return
    yield from [Unread("a part that is not as OpenCode writes it")] * session.damaged
    yield from session.built()


def _read_on(file: Path, session_id: str, offset: int, _: datetime | None) -> Part:
    """Read what was written later than `offset`, in milliseconds since 1970."""
    try:
        with closing(_opened(file)) as database:
            row = database.execute(_SESSION, (session_id,)).fetchone()
            session = _read_parts(database, row or {}, offset)
            return Part(session.transcript(), session.newest)
    except _DAMAGE:
        return Part(None, offset)


def _parent_in(file: Path, session_id: str) -> str:
    with suppress(*_DAMAGE), closing(_opened(file)) as database:
        row = database.execute(_SESSION, (session_id,)).fetchone()
        _bound(database)
        return _parent(database, dict(row or {}))
    return ""


OPENCODE = TranscriptReader(
    "opencode",
    "opencode*.db",
    _places,
    _read,
    read_on=_read_on,
    parent_in=_parent_in,
    listed=_listed,
)


def _opened(file: Path) -> sqlite3.Connection:
    """Open a database to read. Raises OSError, sqlite3.Error, ValueError for views."""
    file.open("rb").close()
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    database.row_factory = sqlite3.Row
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    database.execute("PRAGMA trusted_schema = OFF")
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    if {row["name"] for row in tables} >= _TABLES:
        return database
    database.close()
    raise ValueError("a table is missing")


def _bound(database: sqlite3.Connection) -> None:
    """Bound what all queries about a session take together."""
    steps = iter(range(_MOST_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, _MILLION)


def _parent(database: sqlite3.Connection, row: Row) -> str:
    """Return the session that one was forked from; "" for none."""
    begun = client_id(row, "id"), _number(row, "time_created")
    found = database.execute(_PARENT, begun).fetchone()
    return client_id(dict(found), "id") if found else ""


def _read_parts(database: sqlite3.Connection, row: Row, since: int) -> "_Session":
    """Read what was written of a session later than `since`, and what is damaged."""
    row = dict(row)
    name, folder = client_id(row, "id"), text(row, "directory")
    began_at = _moment(row, "time_created")
    session = _Session("opencode", name, folder, began_at=began_at, newest=since)
    _bound(database)
    session.parent = _parent(database, row)
    begun = _number(row, "time_created")
    asked = {"id": name, "since": since, "begun": begun}
    for part in map(dict, database.execute(_PARTS, asked)):
        try:
            session.take(part, json.loads(text(part, "data")))
            session.newest = max(session.newest, _number(part, "time_updated"))
        except _DAMAGE:
            session.damaged += 1
    session.add_time(_moment({"at": session.newest}, "at"))
    return session


@dataclass(slots=True)
class _Session(TranscriptBuilder):
    newest: int = 0
    """When its newest part was written, in milliseconds since 1970."""
    damaged: int = 0
    """Parts that could not be read."""

    def take(self, row: Row, part: Any) -> None:
        match part:
            case {"type": "text", "text": str(words)} if row["is_own"]:
                self._take_words(row, part, words.strip())
            case {"type": "tool", "state": {"status": "completed"} as state}:
                self._take_call(row, text(part, "tool"), state)

    def _take_words(self, row: Row, part: Row, words: str) -> None:
        speaker = Speaker.ASSISTANT
        if row["role"] == "user":
            words = "" if part.get("synthetic") else unquoted(typed(words))
            speaker = Speaker.PERSON
        elif not inner(part, "time").get("end"):  # it goes on
            words = ""
        if row["is_summary"]:
            self.summary = words or self.summary
        else:
            self.add_turn(speaker, words, _moment(row, "time_updated"))

    def _take_call(self, row: Row, tool: str, state: Row) -> None:
        arguments = inner(state, "input")
        if tool == "bash":
            self._take_command(arguments, state)
        elif tool == "todowrite" and row["is_own"]:
            self._take_event({**arguments, "type": "todo.updated"})
        for path, change in _edits(tool, arguments, state.get("metadata")):
            edit = {"file_path": path, "change": change}
            self._take_event({**edit, "type": "tool.execute.after"})

    def _take_event(self, payload: Row) -> None:
        about = {"sessionID": self.id, "directory": self.folder}
        if event := seen({**payload, **about}):
            self.seen.append(event)

    def _take_command(self, arguments: Row, state: Row) -> None:
        command, output = text(arguments, "command"), text(state, "output", "")
        folder = str(Path(self.folder, text(arguments, "workdir", "")))
        times = inner(state, "time")
        began, ended = _moment(times, "start"), _moment(times, "end")
        self.add_command(command, output, folder, began, ended)


def _edits(tool: str, arguments: Row, metadata: Any) -> Iterator[tuple[str, str]]:
    """Yield the files that a tool changed, as `hooks/opencode/ocm.js` does."""
    match tool, metadata:
        case "write", {"exists": False}:
            yield text(arguments, "filePath"), "created"
        case "write" | "edit", _:
            yield text(arguments, "filePath"), "modified"
        case "apply_patch", {"files": _}:
            for file in items(metadata, "files"):
                change = _CHANGES.get(text(file, "type"), "modified")
                yield text(file, "filePath"), change
                if "movePath" in file:
                    yield text(file, "movePath"), "created"


def _number(values: Row, key: str) -> int:
    if not isinstance(value := values[key], int):
        raise TypeError(key)
    return value


def _moment(values: Row, key: str) -> datetime:
    return moment_at(_number(values, key) // 1000)
