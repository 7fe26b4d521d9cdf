"""OpenCode's database: what version 1.18.33 wrote of a session, and hostile ones."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from assistants.opencode.records import DUMP, PROJECT
from assistants.transcripts.hostile import read_sound
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.opencode.transcripts import OPENCODE
from gitmem.assistants.transcripts import (
    PrintedCommit,
    Transcript,
    TranscriptPart,
    Unread,
)
from gitmem.assistants.transcripts.transcript_files import files_in, find_transcript
from gitmem.documents.conversation.conversation import Speaker
from gitmem.documents.event import Todo
from gitmem.git.values import Change

ID = "ses_df4d24f39ffesIde3shdKEzSOy"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return written(tmp_path, DUMP.read_text())


def written(folder: Path, script: str) -> Path:
    file = folder / "opencode.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    return file


def changed(file: Path, statement: str, values: Any = ()) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def only(file: Path) -> Transcript:
    [found] = read_sound(OPENCODE, file)
    assert isinstance(found, Transcript)
    return found


def test_words_are_those_of_person_and_assistant(database: Path) -> None:
    found = only(database)
    assert (found.tool, found.client_session_id) == ("opencode", ID)
    assert found.folder == PROJECT
    assert [(turn.speaker, turn.text) for turn in found.turns] == [
        (Speaker.PERSON, "Please patch it all"),
        (Speaker.ASSISTANT, "I will patch."),
        (Speaker.ASSISTANT, "All done: it is patched."),
    ]
    assert found.summary == "Mock title"
    assert found.began_at == datetime(2026, 11, 24, 1, 31, 13, tzinfo=UTC)


def test_sessions_with_messages_are_listed(database: Path) -> None:
    assert OPENCODE.session_folders
    assert list(OPENCODE.session_folders(database)) == [(ID, PROJECT)]
    changed(database, "DELETE FROM message")
    assert list(OPENCODE.session_folders(database)) == []
    database.write_bytes(b"no database")
    assert list(OPENCODE.session_folders(database)) == []


def test_edits_are_those_of_subagents_too(database: Path) -> None:
    edits = [x for x in only(database).events if x.kind is EventKind.EDIT]
    assert [(x.path.removeprefix(f"{PROJECT}/"), x.change) for x in edits] == [
        ("new.txt", Change.CREATED),
        ("README.md", Change.MODIFIED),
        ("old.txt", Change.DELETED),
        ("moved.txt", Change.CREATED),
        ("gone.txt", Change.DELETED),
        ("sub.txt", Change.CREATED),
    ]


def test_commands_commits_and_todos_are_found(database: Path) -> None:
    found = only(database)
    [ran] = found.runs
    assert ran.command == "git add -A . && git commit -m 'patch all'"
    assert ran.folder == PROJECT
    assert ran.began <= ran.ended
    assert found.commits == (PrintedCommit("207bcd9", "patch all", "main"),)
    [todos] = [x for x in found.events if x.kind is EventKind.TODOS]
    assert todos.todos == (
        Todo("Write hello", "Write hello", done=True),
        Todo("Say bye", "Say bye", done=False),
    )


def test_a_session_is_read_on_from_where_it_was_left(database: Path) -> None:
    read_on = OPENCODE.read_beyond
    assert read_on
    whole = read_on(database, ID, 0, None)
    assert whole.transcript == only(database)
    nothing = read_on(database, ID, whole.end, None)
    assert nothing.end == whole.end
    assert nothing.transcript
    assert not nothing.transcript.turns
    changed(
        database,
        "INSERT INTO part SELECT 'prt_z', message_id, session_id, time_created, ?,"
        " json_set(data, '$.text', 'And more.') FROM part WHERE data LIKE ?",
        (whole.end + 5, "%it is patched%"),
    )
    news = read_on(database, ID, whole.end, None)
    assert news.end == whole.end + 5
    assert news.transcript
    assert [turn.text for turn in news.transcript.turns] == ["And more."]
    assert read_on(database, "ses_other", 7, None) == TranscriptPart(None, 7)


def test_what_another_process_writes_meanwhile_is_read(database: Path) -> None:
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE session SET directory = '/elsewhere'")
        writer.commit()
        writer.execute("UPDATE session SET directory = '/later'")
        assert only(database).folder == "/elsewhere"
        before = database.read_bytes()
        assert only(database).folder == "/elsewhere"
        assert database.read_bytes() == before


def test_an_unfinished_answer_waits_until_it_is_whole(database: Path) -> None:
    changed(database, "UPDATE part SET data = json_remove(data, '$.time.end')")
    assert [turn.text for turn in only(database).turns] == ["Please patch it all"]


def test_a_fork_has_its_own_messages_and_names_whose_it_is(database: Path) -> None:
    """Copies keep the times of messages, as `opencode run --fork` makes them."""
    fork(database, "ses_fork", ID, later=1_000_000)
    fork(database, "ses_again", "ses_fork", later=2_000_000)
    read = [x for x in read_sound(OPENCODE, database) if isinstance(x, Transcript)]
    found = [(each.client_session_id, each.parent) for each in read]
    newest_first = [("ses_again", "ses_fork"), ("ses_fork", ID), (ID, "")]
    assert found == newest_first
    own = read[0]
    assert [turn.text for turn in own.turns] == ["I, ses_again, go on."]
    assert [each for each in own.events if each.kind is EventKind.EDIT] == []
    assert OPENCODE.parent_in
    assert OPENCODE.parent_in(database, "ses_again") == "ses_fork"
    assert OPENCODE.parent_in(database, "ses_none") == ""


FORK = """
INSERT INTO session
    (id, project_id, slug, directory, title, version, time_created, time_updated)
    SELECT :name, project_id, slug, directory, title, version,
    time_created + :later, time_updated + :later FROM session WHERE id = :origin;
INSERT INTO message SELECT id || :name, :name, time_created, time_updated + :later, data
    FROM message WHERE session_id = :origin;
INSERT INTO part SELECT id || :name, message_id || :name, :name, time_created + :later,
    time_updated + :later, data FROM part WHERE session_id = :origin;
INSERT INTO message SELECT :name, :name, time_created + 5, time_updated + 5,
    '{"role": "assistant"}' FROM session WHERE id = :name;
INSERT INTO part SELECT :name, :name, :name, time_created + 5, time_updated + 5, :said
    FROM session WHERE id = :name
"""


def fork(database: Path, name: str, origin: str, later: int) -> None:
    """Copy a session as it is then, and go on with an answer."""
    said = {"type": "text", "text": f"I, {name}, go on.", "time": {"end": 1}}
    about = {"name": name, "origin": origin, "later": later, "said": json.dumps(said)}
    for statement in FORK.split(";"):
        changed(database, statement, about)


def test_it_is_found_where_opencode_keeps_it(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    kept = database.rename(folder / "opencode.db")
    (folder / "opencode.db-wal").touch()
    for home, variables in (
        (tmp_path, {}),
        (Path("/nowhere"), {"XDG_DATA_HOME": str(tmp_path / ".local" / "share")}),
        (tmp_path, {"OPENCODE_DB": "opencode.db"}),
    ):
        places = list(OPENCODE.places(home, variables, []))
        assert [each.path for each in files_in(places, OPENCODE.pattern)] == [kept]
        assert find_transcript(str(kept), places, OPENCODE.pattern) == kept


@every_row("data", [b"", b"SQLite format 3\0" + b"x" * 4096, b"text"])
def test_what_is_no_database_is_unread(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "opencode.db"
    file.write_bytes(data)
    assert [type(each) for each in read_sound(OPENCODE, file)] == [Unread]
    assert OPENCODE.read_beyond
    assert OPENCODE.read_beyond(file, ID, 3, None) == TranscriptPart(None, 3)


def test_a_missing_file_is_the_worlds_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        list(OPENCODE.read(tmp_path / "opencode.db"))
    assert not list(tmp_path.iterdir())


@every_row(
    "statement",
    [
        "UPDATE part SET data = '{'",
        "UPDATE part SET data = x'ff00'",
        "UPDATE part SET data = json_set(data, '$.type', 7, '$.state', 7)",
        "UPDATE part SET data = json_set(data, '$.text', 7, '$.state.input', 7)",
        "UPDATE part SET data = json_set(data, '$.state.metadata.files', json('[1]'))",
        "UPDATE part SET data = json_set(data, '$.state.time.start', 'now')",
        "UPDATE part SET time_updated = 'now'",
        "UPDATE part SET time_updated = 9223372036854775807",
        "UPDATE message SET data = '7'",
        "UPDATE session SET directory = x'ff'",
        "UPDATE session SET id = '' WHERE parent_id IS NULL",
        "UPDATE session SET time_created = 9223372036854775807",
        "UPDATE session SET parent_id = id",
        "DROP TABLE part",
        "ALTER TABLE part DROP COLUMN time_created",
    ],
)
def test_a_hostile_database_breaks_nothing(statement: str, tmp_path: Path) -> None:
    file = tmp_path / "opencode.db"
    file.unlink(missing_ok=True)
    changed(written(tmp_path, DUMP.read_text()), statement)
    read_sound(OPENCODE, file)
    assert OPENCODE.read_beyond
    OPENCODE.read_beyond(file, ID, 0, None)


def test_a_view_is_not_evaluated(tmp_path: Path) -> None:
    endless = (
        "CREATE VIEW session AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT"
        " id + 1 FROM n) SELECT id, '' AS directory, id AS time_created FROM n;"
        "CREATE TABLE message (id); CREATE TABLE part (id);"
    )
    found = read_sound(OPENCODE, written(tmp_path, endless))
    assert [type(each) for each in found] == [Unread]


def test_tables_that_multiply_each_other_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.assistants.opencode.database._MOST_STEPS", 5)
    many = (
        "CREATE TABLE session (id, parent_id, directory, time_created, time_updated);"
        "CREATE TABLE message (id, session_id, time_created, data);"
        "CREATE TABLE part (id, message_id, time_updated, data);"
        "INSERT INTO session VALUES ('s', NULL, '/', 1, 1);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        " INSERT INTO message SELECT 'm', 's', 1, '{}' FROM n;"
        "INSERT INTO part SELECT 'p', 'm', 1, '{}' FROM message;"
    )
    file = written(tmp_path, many)
    assert [type(each) for each in read_sound(OPENCODE, file)] == [Unread]
