"""Records and events survive the journal; anything else there is passed over."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.harness import NOON, record
from support.rounds import every_row, rounds
from support.strategies import checkpoints, header_texts, sessions, times

from gitmem.actions.context.brief import before_next
from gitmem.documents import event_log as events
from gitmem.documents.event import (
    Connected,
    End,
    Prompt,
    Start,
    TranscriptRead,
    Trigger,
    WorkTreeState,
)
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.fields import RECORD_VERSION
from gitmem.documents.session.message import SUBJECT_LENGTH, message_of, render
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import FormatTooNew
from gitmem.git.values import Change, FileChange


@given(checkpoints(), header_texts(), st.none() | header_texts())
def test_a_record_survives_as_one_line_of_ascii(
    checkpoint: Checkpoint, text: str, session_id: str | None
) -> None:
    record = Record(
        tool="claude-code",
        project=text,
        client_session_id=text,
        session_id=session_id,
        checkpoint=checkpoint,
    )
    line = records.to_json(record)
    assert line.isascii()
    assert "\n" not in line
    assert records.from_json(line) == record
    assert events.from_json(line) is None


@given(times(), header_texts())
def test_an_event_survives_as_one_line_of_ascii(at: Any, text: str) -> None:
    event = Prompt(at=at, tool="cursor", client_session_id=text, root=text, text=text)
    line = events.to_json(event)
    assert line.isascii()
    assert events.from_json(line) == event
    assert records.from_json(line) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["checkpoint", "at", "event", "tool", "root"]), inner
        )
    ),
    max_leaves=8,
)


@given(json_values.map(json.dumps) | st.text(max_size=20))
@example('{"event": "start"}')
@example("[" * 100_000)
def test_any_other_line_is_neither(line: str) -> None:
    assert records.from_json(line) is None
    assert events.from_json(line) is None


@every_row("version", [RECORD_VERSION + 1, 99])
def test_a_record_of_a_newer_version_is_refused(version: int) -> None:
    with pytest.raises(FormatTooNew, match=str(version)):
        records.from_json(json.dumps({"v": version, "something": "new"}))


@every_row("later", ["prompts", "answers", "questions"])
def test_a_record_that_is_older_than_a_field_is_read(later: str) -> None:
    told: dict[str, Any] = {later: ("a", "b")}
    data = json.loads(records.to_json(record(**told)))
    data["v"] = 1
    del data["checkpoint"][later]
    assert records.from_json(json.dumps(data)) == record()


def test_events_of_an_earlier_version_are_read() -> None:
    about = {"at": NOON.isoformat(), "tool": "codex", "client_session_id": "c"}
    about["root"] = "/project"
    read = {"transcript": "/t", "offset": 9, "files": ["a.py"], "gone": ["b.py"]}
    event = events.from_json(json.dumps({"event": "heard", **about, **read}))
    assert isinstance(event, TranscriptRead)
    assert event.files == (FileChange("a.py", Change.MODIFIED),)
    assert (event.removed, event.edits) == (("b.py",), 1)
    state = {"branch": "main", "head": None, "dirty": ["a.py"]}
    event = events.from_json(json.dumps({"event": "found", **about, **state}))
    assert isinstance(event, WorkTreeState)
    assert event.dirty == ("a.py",)


def test_a_conversation_is_open_until_its_last_event_is_an_end() -> None:
    where = {"tool": "cursor", "client_session_id": "c", "root": "/project"}
    start, end = Start(at=NOON, **where), End(at=NOON, **where)
    lines = ["nonsense", events.to_json(start)]
    assert events.open_conversation(lines) == start
    lines.append(events.to_json(end))
    assert events.open_conversation(lines) is None
    assert events.first_event(lines) == start


def test_connection_is_the_conversation_until_hooks() -> None:
    where = {"tool": "cursor", "client_session_id": "c", "root": "/project"}
    found: dict[str, Any] = {**where, "dirty": ("a",), "changed": (1.5,)}
    connected = Connected(at=NOON, branch="x", head=None, **found)
    lines = [events.to_json(connected)]
    assert events.events_in(lines) == [connected]
    assert events.open_conversation(lines) is None
    end, start = End(at=NOON, **where), Start(at=NOON, **where)
    assert events.is_unhooked([end, connected])
    assert not events.is_unhooked([end, start, connected])
    assert not events.is_unhooked([])
    assert before_next([connected]) is None  # nobody was given a brief


@settings(max_examples=rounds(5))
@given(sessions(), checkpoints(), st.sampled_from(["", "x" * 60]))
def test_commit_message_has_a_short_subject(
    before: Session, checkpoint: Checkpoint, longer: str
) -> None:
    before = replace(before, session_id=before.session_id + longer)
    message = render(message_of(before, apply(before, checkpoint), checkpoint))
    subject, *rest = message.split("\n")
    assert len(subject) <= SUBJECT_LENGTH
    assert all(line.isprintable() for line in (subject, *rest))
    assert [line for line in rest if line.startswith("Ocm-Session:")] == [
        f"Ocm-Session: {before.session_id}"
    ]


def test_the_commit_of_an_import_says_so() -> None:
    begun = Session(
        id="2026-02-23_12-00_claude-code_0a1b2c3d",
        tool="claude-code",
        project="inference",
        client_session_id="c",
        started_at=NOON,
        updated_at=NOON,
    )
    made = Checkpoint(at=NOON, trigger=Trigger.IMPORT, goal="Hide the file")
    after = apply(begun, made)
    message = render(message_of(None, after, made))
    assert message.splitlines()[0] == "0a1b2c3d: Hide the file (imported)"
    assert "Ocm-Trigger: import" in message
    grown = replace(made, prompts=("Hide the file", "and the other"))
    message = render(message_of(after, apply(after, grown), grown))
    assert message.splitlines()[0] == "0a1b2c3d: and the other (imported)"
