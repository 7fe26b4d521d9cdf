"""OpenCode's database in versions 1 and 2, beside each other and alone.

The tables of version 2 are those of its source; it was not run.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from assistants.transcripts.hostile import read_sound
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.opencode.transcripts import OPENCODE
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker
from gitmem.git.values import Change

T = 1_772_359_200_000
SESSION = (
    "id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, {more} slug TEXT,"
    " directory TEXT, title TEXT, version TEXT, time_created INTEGER,"
    " time_updated INTEGER"
)
OLD = f"""
CREATE TABLE session ({SESSION.format(more="revert TEXT,")});
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
    time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
    time_created INTEGER, time_updated INTEGER, data TEXT);
"""
MESSAGES = """
CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT,
    seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT);
"""
NEW_SESSION = SESSION.format(more="fork_session_id TEXT, revert TEXT,")
NEW = f"CREATE TABLE session_v2 ({NEW_SESSION}); {MESSAGES}"
NEW_IN_OLD_TABLE = f"CREATE TABLE session ({NEW_SESSION}); {MESSAGES}"


class Storage:
    def __init__(self, file: Path, script: str) -> None:
        self.file = file
        self._table = "session_v2" if "session_v2" in script else "session"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(script)

    def add(self, table: str, **values: Any) -> None:
        marks = ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute(statement, tuple(values.values()))

    def add_session(self, name: str, at: int, table: str = "", **more: Any) -> None:
        times = {"time_created": T + at, "time_updated": T + at}
        table = table or self._table
        self.add(table, id=name, directory="/project", **times, **more)

    def say(self, session: str, at: int, kind: str, **data: Any) -> None:
        """Add a message of version 2, named by its time."""
        about = {"id": f"msg_{at:04}_{session}", "type": kind, "seq": at}
        times = {"time_created": T + at, "time_updated": T + at}
        row = {**about, **times, "session_id": session, "data": json.dumps(data)}
        self.add("session_message", **row)

    def ask(self, session: str, at: int, words: str) -> None:
        """Add a prompt of version 1, and an answer to it."""
        for kind, time in (("user", at), ("assistant", at + 1)):
            name = f"msg_{time:04}_{session}"
            times = {"time_created": T + time, "time_updated": T + time}
            about = {"id": name, "session_id": session, **times}
            self.add("message", **about, data=json.dumps({"role": kind}))
            said = words if kind == "user" else f"did {words}"
            data = {"type": "text", "text": said, "time": {"end": T + time}}
            part = {**about, "id": f"prt_{name}", "message_id": name}
            self.add("part", **part, data=json.dumps(data))

    def read(self) -> list[Transcript | Unread]:
        return read_sound(OPENCODE, self.file)

    def words(self) -> dict[str, list[str]]:
        read = (each for each in self.read() if isinstance(each, Transcript))
        return {each.client_session_id: [t.text for t in each.turns] for each in read}


def answer(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"content": list(parts), **more}


def wrote(name: str, tool_input: dict[str, Any], **state: Any) -> dict[str, Any]:
    done = {"status": "completed", "input": tool_input, "content": [], **state}
    return {"type": "tool", "id": "c", "name": name, "state": done}


@pytest.fixture(params=[NEW, NEW_IN_OLD_TABLE])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    return Storage(tmp_path / "opencode.db", request.param)


def test_a_session_of_version_2_is_read_with_all_it_did(storage: Storage) -> None:
    storage.add_session("ses_1", 0)
    storage.add_session("ses_child", 5, parent_id="ses_1")
    storage.say("ses_1", 1, "user", text='"do it \\"now\\" please"')
    text = {"type": "text", "text": "I begin."}
    created = {"operation": "write", "existed": False}
    shell = [{"type": "text", "text": "[main abc1234] Do it"}]
    patch = "*** Begin Patch\n*** Delete File: c.py\n*** Update File: d.py\n"
    tools = [
        wrote("write", {"path": "a.py", "content": "x"}, structured=created),
        wrote("edit", {"path": "/project/b.py"}),
        wrote("edit", {"path": "failed.py"}, status="error"),
        wrote("patch", {"patchText": patch}),
        wrote("shell", {"command": "git commit -m x"}, content=shell),
    ]
    storage.say("ses_1", 2, "assistant", **answer(text, {"type": "reasoning"}, *tools))
    unfinished = answer({"type": "text", "text": "And"}, time={"created": T})
    storage.say("ses_1", 3, "assistant", **unfinished)
    storage.say("ses_1", 4, "compaction", summary="So far.", recent="")
    edited = answer(wrote("edit", {"path": "of-child.py"}))
    storage.say("ses_child", 6, "assistant", **edited)
    storage.say("ses_child", 7, "user", text="asked by a program")
    storage.say(
        "ses_1",
        8,
        "shell",
        command="git commit",
        output="[main def5678] y",
        status="exited",
    )
    storage.say("ses_1", 9, "synthetic", text="of a program")
    storage.say("ses_1", 10, "thought", text="of a later version")
    unread, found = storage.read()
    assert unread == Unread("unknown type of record thought")
    assert isinstance(found, Transcript)
    assert [(turn.speaker, turn.text) for turn in found.turns] == [
        (Speaker.PERSON, 'do it "now" please'),
        (Speaker.ASSISTANT, "I begin."),
    ]
    assert found.summary == "So far."
    assert [commit.sha for commit in found.commits] == ["abc1234", "def5678"]
    edits = [(e.path, e.change) for e in found.events if e.kind is EventKind.EDIT]
    assert edits == [
        ("a.py", Change.CREATED),
        ("/project/b.py", Change.MODIFIED),
        ("c.py", Change.DELETED),
        ("d.py", Change.MODIFIED),
        ("of-child.py", Change.MODIFIED),
    ]
    assert OPENCODE.session_folders
    assert list(OPENCODE.session_folders(storage.file)) == [("ses_1", "/project")]


def test_a_fork_of_version_2_names_its_parent(storage: Storage) -> None:
    storage.add_session("ses_1", 0)
    storage.say("ses_1", 1, "user", text="first")
    storage.add_session("ses_2", 10, fork_session_id="ses_1")
    copy = {"id": "copy", "session_id": "ses_2", "type": "user", "seq": 1}
    times = {"time_created": T + 1, "time_updated": T + 1}
    storage.add("session_message", **copy, **times, data='{"text": "first"}')
    storage.say("ses_2", 11, "user", text="second")
    fork, first = storage.read()
    assert isinstance(fork, Transcript)
    assert isinstance(first, Transcript)
    assert [turn.text for turn in fork.turns] == ["second"]
    assert (fork.parent, first.parent) == ("ses_1", "")
    assert OPENCODE.parent_in
    assert OPENCODE.parent_in(storage.file, "ses_2") == "ses_1"


@every_row("table", ["session_v2", "session"])
def test_what_was_taken_back_is_left_out_in_both(tmp_path: Path, table: str) -> None:
    file = tmp_path / "opencode.db"
    file.unlink(missing_ok=True)
    storage = Storage(file, f"{OLD} {NEW}")
    revert = json.dumps({"messageID": "msg_0003_ses_1"})
    storage.add_session("ses_1", 0, table, revert=revert)
    for at, words in ((1, "a"), (3, "b"), (5, "c")):
        if table == "session":
            storage.ask("ses_1", at, words)
        else:
            storage.say("ses_1", at, "user", text=words)
    expected = ["a", "did a"] if table == "session" else ["a"]
    assert storage.words() == {"ses_1": expected}


def test_a_part_that_was_taken_back_ends_its_message(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "opencode.db", OLD)
    revert = {"messageID": "msg_0002_ses_1", "partID": "prt_msg_0002_ses_1"}
    storage.add_session("ses_1", 0, revert=json.dumps(revert))
    storage.ask("ses_1", 1, "a")
    assert storage.words() == {"ses_1": ["a"]}


def test_both_versions_are_read_beside_each_other(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "opencode.db", f"{OLD} {NEW}")
    storage.add_session("ses_old", 0, "session")
    storage.ask("ses_old", 1, "old")
    storage.add_session("ses_both", 10, "session")
    storage.ask("ses_both", 11, "copied")
    storage.add_session("ses_both", 10, "session_v2")
    storage.say("ses_both", 11, "user", text="copied")
    storage.say("ses_both", 12, "assistant", **answer({"type": "text", "text": "ok"}))
    storage.say("ses_both", 13, "user", text="new")
    assert storage.words() == {
        "ses_both": ["copied", "ok", "new"],
        "ses_old": ["old", "did old"],
    }


def test_a_session_goes_on_in_version_2(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "opencode.db", f"{OLD} {MESSAGES}")
    storage.add_session("ses_1", 0)
    storage.ask("ses_1", 1, "before")
    storage.say("ses_1", 5, "user", text="after")
    assert storage.words() == {"ses_1": ["before", "did before", "after"]}
    assert OPENCODE.read_beyond
    part = OPENCODE.read_beyond(storage.file, "ses_1", T + 2, None)
    assert part.transcript
    assert [turn.text for turn in part.transcript.turns] == ["after"]


NEWER = Unread("tables of an unknown version of OpenCode, maybe a newer one")


@every_row(
    "script",
    [
        "CREATE TABLE session_v3 (id); CREATE TABLE session_turn (id);",
        "CREATE TABLE session (id TEXT);",
        f"{OLD} CREATE TABLE session_v3 (id);",
        f"{NEW} CREATE TABLE message_v9 (id);",
    ],
)
def test_a_newer_schema_is_told_as_that(tmp_path: Path, script: str) -> None:
    file = tmp_path / "opencode.db"
    file.unlink(missing_ok=True)
    assert Storage(file, script).read() == [NEWER]


@every_row(
    "statement",
    [
        "UPDATE session_message SET data = '{'",
        "UPDATE session_message SET data = '[7]'",
        "UPDATE session_message SET data = x'ff00', type = x'ff'",
        "UPDATE session_message SET type = 7, seq = 'x'",
        """UPDATE session_message SET data = '{"content": [{"type": "tool"}, 7]}'""",
        """UPDATE session_message SET data = '{"content": 7, "time": 7}'""",
        "UPDATE session_message SET time_created = 'now', time_updated = 'now'",
        "UPDATE session_v2 SET revert = '7', fork_session_id = 7",
        "UPDATE session_v2 SET revert = '{', parent_id = id",
        "ALTER TABLE session_message DROP COLUMN seq",
        "ALTER TABLE session_v2 DROP COLUMN directory",
    ],
)
def test_hostile_tables_break_nothing(tmp_path: Path, statement: str) -> None:
    file = tmp_path / "opencode.db"
    file.unlink(missing_ok=True)
    storage = Storage(file, NEW)
    storage.add_session("ses_1", 0)
    storage.say("ses_1", 1, "user", text="hello")
    storage.say("ses_1", 2, "assistant", **answer(wrote("edit", {"path": "a"})))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)
    storage.read()
    assert OPENCODE.read_beyond
    OPENCODE.read_beyond(file, "ses_1", 0, None)


def test_a_new_file_of_version_1_is_created(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "opencode.db", OLD)
    storage.add_session("ses_1", 0)
    storage.ask("ses_1", 1, "do it")
    for at, exists in enumerate((False, True)):
        metadata = {"diagnostics": {}, "exists": exists, "truncated": False}
        edit = {"input": {"filePath": f"/project/{at}.txt"}, "metadata": metadata}
        state = {"status": "completed", "time": {"end": T + 3}, **edit}
        storage.add(
            "part",
            id=f"prt_write_{at}",
            message_id="msg_0002_ses_1",
            session_id="ses_1",
            time_created=T + 3,
            time_updated=T + 3,
            data=json.dumps({"type": "tool", "tool": "write", "state": state}),
        )
    [read] = storage.read()
    assert isinstance(read, Transcript)
    changes = [(each.path, each.change) for each in read.events]
    assert changes == [("/project/0.txt", "created"), ("/project/1.txt", "modified")]
