"""OpenCode: its sessions, messages and their parts.

Written after records of version 1.18.33 and the source of version 2. A session of a
subagent names its parent, and its edits and commands count as the parent's. A fork
begins with copies of the messages of another session, which are older than itself; in
version 1 it does not name that one. What the person took back is there until the next
prompt.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.claude_code.hooks import Edit
from gitmem.assistants.codex.hooks import CHANGES, edits_of
from gitmem.assistants.opencode.database import (
    DAMAGE,
    PARENT,
    PARTS,
    Row,
    bound_queries,
    moment_in,
    number_in,
    object_in,
    open_database,
    unknown_tables,
)
from gitmem.assistants.opencode.hooks import unquoted
from gitmem.assistants.payload import (
    client_id,
    inner,
    items,
    text,
    texts,
    todos,
    typed_words,
)
from gitmem.assistants.targets import members
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptPart,
    TranscriptReader,
    Unread,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.documents.conversation.conversation import Speaker
from gitmem.git.values import Change

_SESSIONS = """
    SELECT * FROM sessions WHERE coalesce(parent_id, '') = ''
    ORDER BY time_updated DESC
"""
_LISTED = """
    SELECT id, directory FROM sessions
    WHERE coalesce(parent_id, '') = '' AND (
        EXISTS (SELECT 1 FROM message WHERE session_id = sessions.id)
        OR EXISTS (SELECT 1 FROM session_message WHERE session_id = sessions.id)
    )
"""
_ONE = "SELECT * FROM sessions WHERE id = ?"
_DAMAGED_PART = Unread("a part that is not as OpenCode writes it")
_NEWER = "tables of an unknown version of OpenCode, maybe a newer one"
_PASSED_OVER = """
    step-start step-finish patch reasoning file agent snapshot retry subtask compaction
    text tool synthetic system agent-switched model-switched location-switched skill
"""
_HARMLESS = frozenset(_PASSED_OVER.split())
"""Types of parts and messages that have nothing for us, or not always."""


def _places(
    user_home: Path, variables: Mapping[str, str], _roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the databases: one for each channel of releases, and one named."""
    share = variables.get("XDG_DATA_HOME") or user_home / ".local" / "share"
    folder = Path(share) / "opencode"
    with suppress(OSError):
        yield from sorted(folder.glob("opencode*.db"))
    if database_name := variables.get("OPENCODE_DB"):
        yield folder / database_name


def _read(file: Path) -> Iterator[Transcript | Unread]:
    """Read all sessions, the newest first."""
    try:
        with open_database(file) as database:
            if count := unknown_tables(database):
                yield Unread(_NEWER, count=count)
            for row in database.execute(_SESSIONS).fetchall():
                yield from _session(database, row)
    except DAMAGE:
        yield Unread("no database of OpenCode, or a damaged one")


def _session_folders(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the sessions in which something was said."""
    with suppress(*DAMAGE), open_database(file) as database:
        for row in map(dict, database.execute(_LISTED).fetchall()):
            yield client_id(row, "id"), text(row, "directory")


def _session(database: sqlite3.Connection, row: Row) -> Iterator[Transcript | Unread]:
    try:
        session = _read_parts(database, row, 0)
    except DAMAGE:
        yield Unread("a session that is not as OpenCode writes it")
    else:
        yield from session.built()


def _read_on(
    file: Path, session_id: str, offset: int, _: datetime | None
) -> TranscriptPart:
    """Read what was written later than `offset`, in milliseconds since 1970."""
    try:
        with open_database(file) as database:
            row = database.execute(_ONE, (session_id,)).fetchone()
            session = _read_parts(database, row or {}, offset)
            return TranscriptPart(session.transcript(), session.newest)
    except DAMAGE:
        return TranscriptPart(None, offset)


def _parent_in(file: Path, session_id: str) -> str:
    with suppress(*DAMAGE), open_database(file) as database:
        row = database.execute(_ONE, (session_id,)).fetchone()
        bound_queries(database)
        return _parent(database, dict(row or {}))
    return ""


OPENCODE = TranscriptReader(
    "opencode",
    "opencode*.db",
    _places,
    _read,
    read_beyond=_read_on,
    parent_in=_parent_in,
    session_folders=_session_folders,
)


def _parent(database: sqlite3.Connection, row: Row) -> str:
    """Return the session that one was forked from; "" for none."""
    if row.get("fork_session_id"):
        return client_id(row, "fork_session_id")
    begun = client_id(row, "id"), number_in(row, "time_created")
    copied = database.execute(PARENT, begun).fetchone()
    return client_id(dict(copied), "id") if copied else ""


def _read_parts(
    database: sqlite3.Connection, row: Row, since: int
) -> "_OpenCodeBuilder":
    """Read what was written of a session later than `since`, and what is damaged."""
    row = dict(row)
    name, folder = client_id(row, "id"), text(row, "directory")
    began_at = moment_in(row, "time_created")
    session = _OpenCodeBuilder(
        "opencode", name, folder, began_at=began_at, newest=since
    )
    bound_queries(database)
    session.parent = _parent(database, row)
    parameters = {"id": name, "since": since, "begun": number_in(row, "time_created")}
    revert = object_in(row, "revert", "{}")
    for part_row in map(dict, database.execute(PARTS, parameters)):
        if _is_reverted(part_row, revert):
            break
        try:
            for part in _parts(part_row):
                session.take(part_row, part)
            session.newest = max(session.newest, number_in(part_row, "time_updated"))
        except DAMAGE:
            session.add_unread(_DAMAGED_PART)
    session.add_time(moment_in({"at": session.newest}, "at"))
    return session


def _is_reverted(row: Row, revert: Row) -> bool:
    """Tell whether the person took a row back, and what follows it."""
    is_message = row["message_id"] == revert.get("messageID")
    return is_message and revert.get("partID") in (None, "", row["part_id"])


def _parts(row: Row) -> Iterator[Row]:
    """Yield the parts of a row, those of version 2 as version 1 writes them."""
    data = object_in(row, "data")
    match row["type"]:
        case "":
            yield data
        case "user":
            yield {"type": "text", "text": text(data, "text")}
        case "assistant":
            is_done = inner(data, "time").get("completed") if "time" in data else True
            for part in items(data, "content"):
                text_part = {**part, "time": {"end": is_done}}
                yield _tool(row, part) if part.get("type") == "tool" else text_part
        case "compaction":
            summary = text(data, "summary", "")
            yield {"type": "text", "text": summary, "time": {"end": True}}
        case "shell":
            state = {**data, "status": "completed", "input": data}
            yield _tool(row, {**data, "name": "bash", "state": state})
        case kind:
            yield {"type": kind}


def _tool(row: Row, part: Row) -> Row:
    state, times = inner(part, "state"), members(part, "time")
    existed = members(state, "structured").get("existed")
    began = times.get("ran") or times.get("created") or row["said_at"]
    ended = times.get("completed") or row["time_updated"]
    output = state.get("output") or "\n".join(texts(state.get("content")))
    version_1 = {
        "output": output if isinstance(output, str) else "",
        "metadata": {"exists": existed},
        "time": {"start": began, "end": ended},
    }
    return {"type": "tool", "tool": text(part, "name"), "state": {**state, **version_1}}


@dataclass(slots=True)
class _OpenCodeBuilder(TranscriptBuilder):
    newest: int = 0
    """When its newest part was written, in milliseconds since 1970."""

    def take(self, row: Row, part: Any) -> None:
        self.add_time(moment_in(row, "time_updated"))
        match part:
            case {"type": "text", "text": str(words)} if row["is_own"]:
                self._take_words(row, part, words.strip())
            case {"type": "tool", "state": {"status": "completed"} as state}:
                self._take_call(row, text(part, "tool"), state)
            case {"type": str(kind)} if kind not in _HARMLESS:
                self.pass_over(kind)

    def _take_words(self, row: Row, part: Row, words: str) -> None:
        speaker = Speaker.ASSISTANT
        if row["role"] == "user":
            words = "" if part.get("synthetic") else unquoted(typed_words(words))
            speaker = Speaker.PERSON
        elif not inner(part, "time").get("end"):  # it goes on
            words = ""
        if row["is_summary"]:
            self.summary = words or self.summary
        else:
            self.add_turn(speaker, words, moment_in(row, "time_updated"))

    def _take_call(self, row: Row, tool: str, state: Row) -> None:
        arguments = inner(state, "input")
        if tool in ("bash", "shell"):
            self._take_command(arguments, state)
        elif tool == "todowrite" and row["is_own"]:
            entries = todos(arguments, "todos", "content")
            self.add_event(
                EventKind.TODOS, self.folder, todos=entries, is_whole_list=True
            )
        self.add_edits(_edits(tool, arguments, state.get("metadata")), self.folder)

    def _take_command(self, arguments: Row, state: Row) -> None:
        command, output = text(arguments, "command"), text(state, "output", "")
        folder = str(Path(self.folder, text(arguments, "workdir", "")))
        times = inner(state, "time")
        began, ended = moment_in(times, "start"), moment_in(times, "end")
        self.add_command(command, output, folder, began, ended)


def _path(arguments: Row) -> str:
    return text(arguments, "filePath", text(arguments, "path", ""))


def _edits(tool: str, arguments: Row, metadata: Any) -> Iterator[Edit]:
    """Yield the files that a tool changed, as `hooks/opencode/ocm.js` does."""
    match tool, metadata:
        case "write", {"exists": False}:
            yield _path(arguments), Change.CREATED
        case "write" | "edit", _:
            yield _path(arguments), Change.MODIFIED
        case "apply_patch", {"files": _}:
            for file in items(metadata, "files"):
                change = CHANGES.get(text(file, "type"), Change.MODIFIED)
                yield text(file, "filePath"), change
                if "movePath" in file:
                    yield text(file, "movePath"), Change.CREATED
        case "apply_patch" | "patch", _ if "patchText" in arguments:
            yield from edits_of(text(arguments, "patchText"))
