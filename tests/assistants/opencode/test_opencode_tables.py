"""Tables of OpenCode's database: those of other versions, and hostile ones."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from assistants.transcripts.hostile import read_sound
from support.rounds import every_row

from gitmem.assistants.opencode.transcripts import OPENCODE
from gitmem.assistants.transcripts import Transcript, Unread

T = 1_772_359_200_000
TABLES = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, revert TEXT,
    directory TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
    time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
    time_created INTEGER, time_updated INTEGER, data TEXT);
"""


def made(file: Path, script: str) -> Path:
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    return file


def changed(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def said(file: Path) -> None:
    """One session in which the assistant wrote a new file, and then an old one."""
    changed(
        file, "INSERT INTO session VALUES ('ses_1', '', NULL, '/project', ?, ?)", T, T
    )
    message = "INSERT INTO message VALUES ('msg_1', 'ses_1', ?, ?, ?)"
    changed(file, message, T + 1, T + 1, json.dumps({"role": "assistant"}))
    for number, exists in enumerate((False, True)):
        metadata = {"diagnostics": {}, "exists": exists, "truncated": False}
        edit = {"input": {"filePath": f"/project/{number}.txt"}, "metadata": metadata}
        state = {"status": "completed", "time": {"end": T + 3}, **edit}
        data = json.dumps({"type": "tool", "tool": "write", "state": state})
        part = "INSERT INTO part VALUES (?, 'msg_1', 'ses_1', ?, ?, ?)"
        changed(file, part, f"prt_{number}", T + 3, T + 3, data)


NEWER = Unread("tables of an unknown version of OpenCode, maybe a newer one")


@every_row(
    "script",
    [
        "CREATE TABLE session_v3 (id); CREATE TABLE session_turn (id);",
        "CREATE TABLE session (id TEXT);",
        f"{TABLES} CREATE TABLE session_v2 (id);",
        f"{TABLES} CREATE TABLE session_message (id);",
    ],
)
def test_a_newer_schema_is_told_as_that(tmp_path: Path, script: str) -> None:
    assert read_sound(OPENCODE, made(tmp_path / "opencode.db", script)) == [NEWER]


def test_a_new_file_is_created(tmp_path: Path) -> None:
    said(file := made(tmp_path / "opencode.db", TABLES))
    [read] = read_sound(OPENCODE, file)
    assert isinstance(read, Transcript)
    changes = [(each.path, each.change) for each in read.events]
    assert changes == [("/project/0.txt", "created"), ("/project/1.txt", "modified")]


@every_row(
    "statement",
    [
        "UPDATE message SET data = '{'",
        "UPDATE part SET data = '[7]'",
        "UPDATE part SET data = x'ff00', message_id = x'ff'",
        """UPDATE part SET data = '{"type": "tool", "state": 7}'""",
        "UPDATE part SET time_created = 'now', time_updated = 'now'",
        "UPDATE session SET revert = '7'",
        "UPDATE session SET revert = '{', parent_id = id",
        "ALTER TABLE part DROP COLUMN time_updated",
        "ALTER TABLE session DROP COLUMN directory",
    ],
)
def test_hostile_tables_break_nothing(tmp_path: Path, statement: str) -> None:
    said(file := made(tmp_path / "opencode.db", TABLES))
    changed(file, statement)
    read_sound(OPENCODE, file)
    assert OPENCODE.read_beyond
    OPENCODE.read_beyond(file, "ses_1", 0, None)
