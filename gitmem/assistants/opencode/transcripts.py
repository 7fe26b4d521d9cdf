"""OpenCode: its database of sessions, messages and their parts.

Written after records of version 1.18.33: SQLite with a write-ahead log, which OpenCode
may be writing, so it is opened read-only. A session of a subagent names its parent, and
its edits and commands count as the parent's.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.opencode.hooks import seen, unquoted
from gitmem.assistants.payload import client_id, inner, items, text, typed
from gitmem.assistants.transcripts import (
    Made,
    Part,
    Ran,
    Transcript,
    TranscriptReader,
    Unread,
    printed,
)
from gitmem.assistants.transcripts.transcript_files import LONGEST
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.text.calendar import moment_at

_TEXT_LENGTH = 20_000
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
_SESSION = "SELECT id, directory, time_created FROM session WHERE id = ?"
_PARTS = """
    WITH RECURSIVE family(id) AS (
        SELECT ?1 UNION
        SELECT session.id FROM session JOIN family ON session.parent_id = family.id
    ), said AS (
        SELECT id, session_id, time_created, iif(json_valid(data), data, '{}') AS data
        FROM message
    )
    SELECT part.data, part.time_updated, family.id = ?1 AS is_own,
        json_extract(said.data, '$.role') AS role,
        json_extract(said.data, '$.mode') = 'compaction' AS is_summary
    FROM family
    JOIN said ON said.session_id = family.id
    JOIN part ON part.message_id = said.id
    WHERE part.time_updated > ?2
    ORDER BY said.time_created, said.id, part.id
"""
_CHANGES = {"add": "created", "delete": "deleted", "move": "deleted"}
_DAMAGE = (sqlite3.Error, KeyError, TypeError, ValueError, RecursionError)

Row = Mapping[str, Any]
T = TypeVar("T")


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


def _session(database: sqlite3.Connection, row: Row) -> Iterator[Transcript | Unread]:
    try:
        read, _, damaged = _read_parts(database, row, 0)
    except _DAMAGE:
        yield Unread("a session that is not as OpenCode writes it")
        return
    yield from [Unread("a part that is not as OpenCode writes it")] * damaged
    if read.turns or read.seen or read.commits:
        yield read


def _read_on(file: Path, session_id: str, offset: int, _: datetime | None) -> Part:
    """Read what was written later than `offset`, in milliseconds since 1970."""
    try:
        with closing(_opened(file)) as database:
            row = database.execute(_SESSION, (session_id,)).fetchone()
            read, newest, _damaged = _read_parts(database, row or {}, offset)
            return Part(read, newest)
    except _DAMAGE:
        return Part(None, offset)


OPENCODE = TranscriptReader(
    "opencode", "opencode*.db", _places, _read, read_on=_read_on
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


def _read_parts(
    database: sqlite3.Connection, row: Row, since: int
) -> tuple[Transcript, int, int]:
    """Return a session, when its newest part was written, and how many are damaged."""
    row = dict(row)
    id_, folder = client_id(row, "id"), text(row, "directory")
    about = {"sessionID": id_, "directory": folder}
    found: list[object] = []
    newest, damaged = since, 0
    steps = iter(range(_MOST_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, _MILLION)
    for part in map(dict, database.execute(_PARTS, (id_, since))):
        try:
            found += _found(part, json.loads(text(part, "data")), about)
            newest = max(newest, _number(part, "time_updated"))
        except _DAMAGE:
            damaged += 1
    began = _moment(row, "time_created")
    read = Transcript(
        tool="opencode",
        client_session_id=id_,
        folder=folder,
        began_at=began,
        ended_at=max(began, _moment({"at": newest}, "at")),
        turns=_of(Turn, found),
        seen=_of(HookEvent, found),
        commits=_of(Made, found),
        ran=_of(Ran, found),
        summary="".join(_of(str, found)[-1:]),
    )
    return read, newest, damaged


def _of(kind: type[T], found: Iterable[object]) -> tuple[T, ...]:
    return tuple(each for each in found if isinstance(each, kind))


def _found(row: Row, part: Any, about: Row) -> Iterator[object]:
    """Yield turns, events, commits and commands of a part; a text is a summary."""
    match part:
        case {"type": "text", "text": str(words)} if row["is_own"]:
            yield from _said(row, part, words.strip())
        case {"type": "tool", "state": {"status": "completed"} as state}:
            tool, arguments = text(part, "tool"), inner(state, "input")
            if tool == "bash":
                yield from _ran(arguments, state, about)
            elif tool == "todowrite" and row["is_own"]:
                yield seen({**arguments, **about, "type": "todo.updated"})
            for path, change in _edits(tool, arguments, state.get("metadata")):
                edit = {"file_path": path, "change": change}
                yield seen({**about, **edit, "type": "tool.execute.after"})


def _said(row: Row, part: Row, words: str) -> Iterator[Turn | str]:
    speaker = Speaker.ASSISTANT
    if row["role"] == "user":
        words = "" if part.get("synthetic") else unquoted(typed(words))
        speaker = Speaker.PERSON
    elif not inner(part, "time").get("end"):  # it goes on
        words = ""
    if words and row["is_summary"]:
        yield words
    elif words:
        yield Turn(speaker, words, _moment(row, "time_updated"))


def _ran(arguments: Row, state: Row, about: Row) -> Iterator[Made | Ran]:
    command = text(arguments, "command")[:_TEXT_LENGTH]
    output = text(state, "output", "")[:_TEXT_LENGTH]
    folder = str(Path(about["directory"], text(arguments, "workdir", "")))
    times = inner(state, "time")
    yield Ran(command, output, folder, _moment(times, "start"), _moment(times, "end"))
    yield from printed(command, output)


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
