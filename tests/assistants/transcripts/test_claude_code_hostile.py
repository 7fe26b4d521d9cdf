"""Transcripts of Claude Code with anything in any place."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row, few

from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.transcripts import Transcript, Unread

ID = "0a1b2c3d-4e5f-4000-8000-000000000000"
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1e308,
    "",
    "\ud83d \0",
    [],
    [[]],
    [None, 1, "text"],
    {},
    {"type": []},
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+23:59",
    "2026-02-09T12:00:00",
    "../a",
)

Place = tuple[Any, ...]


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": tool, "name": tool, "input": arguments}


def line(kind: str, content: Any, **values: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "sessionId": ID,
        "timestamp": "2026-02-09T12:00:00Z",
        "cwd": "/project",
        "gitBranch": "main",
        "isSidechain": False,
        "message": {"model": "m", "content": content},
        **values,
    }


def result(tool: str, response: Any, **values: Any) -> dict[str, Any]:
    output = [{"type": "text", "text": "[main 1a2b3c4] subject"}]
    block = {"type": "tool_result", "tool_use_id": tool, "content": output, **values}
    return line("user", [block], toolUseResult=response)


TODO = {"content": "measure", "status": "pending"}
WRITTEN = [
    line("user", "a prompt", origin={"kind": "human"}, isMeta=False),
    line("user", [{"type": "text", "text": "<a-b>x</a-b> a prompt"}]),
    line("assistant", [call("Write", file_path="/project/a"), call("Task")]),
    result("Write", {"type": "create"}),
    result("Task", {"agentId": "a1b2c3d"}),
    line("assistant", [call("Bash", command="git commit")], isApiErrorMessage=False),
    result("Bash", {"stdout": ""}, is_error=True),
    line("assistant", [call("TodoWrite", todos=[TODO])]),
    result("TodoWrite", {}, is_error=False),
    line("assistant", [call("TaskCreate", subject="measure")]),
    result("TaskCreate", {"task": {"id": "1", "subject": "measure"}}),
    line("assistant", [call("TaskUpdate", taskId="1", status="completed")]),
    result("TaskUpdate", {"success": True}),
    line("attachment", None, attachment={"type": "queued_command", "prompt": "more"}),
]
LINES = [each | {"uuid": f"u-{number}"} for number, each in enumerate(WRITTEN)]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """The way to every value inside of another, itself included."""
    yield place
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*place, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from places(inner, (*place, position))


def replace(value: Any, place: Place, other: Any) -> None:
    """Put another value in one place, if the place is there still."""
    *way, last = place
    with suppress(LookupError, TypeError):
        for key in way:
            value = value[key]
        value[last] = other


PLACES = [place for place in places(LINES) if place]


def read(folder: Path, lines: list[Any]) -> list[Transcript | Unread]:
    file = folder / f"{ID}.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return list(CLAUDE_CODE.read(file))


def check(found: list[Transcript | Unread]) -> None:
    for transcript in found:
        if isinstance(transcript, Transcript):
            assert transcript.client_session_id == ID
            assert transcript.began_at <= transcript.ended_at
            transcript.began_at.astimezone()
            transcript.ended_at.astimezone()
            assert transcript.folder in ("", "/project")
            assert isinstance(transcript.branch, str | None)
            assert all(isinstance(turn.text, str) for turn in transcript.turns)
            assert all(isinstance(seen.path, str) for seen in transcript.seen)


def test_the_lines_say_something_in_all_places(tmp_path: Path) -> None:
    (transcript,) = read(tmp_path, LINES)
    assert isinstance(transcript, Transcript)
    assert [turn.text for turn in transcript.turns] == ["a prompt", "a prompt", "more"]
    assert len(transcript.seen) == 4
    assert len(transcript.commits) == 1


@few(5, "odd", ODD, ids=repr)
def test_an_odd_value_in_any_place_breaks_nothing(tmp_path: Path, odd: Any) -> None:
    written = []
    for copy, (number, *inner) in enumerate(PLACES):
        first = max(0, number - 1)
        lines = deepcopy(LINES[first : number + 2])  # a call and its result
        for each in lines:
            each["uuid"] = f"{each['uuid']} {copy}"
        replace(lines, (number - first, *inner), odd)
        written += lines
    check(read(tmp_path, written))


@every_row("odd", ODD)
def test_an_odd_name_of_a_session_breaks_nothing(tmp_path: Path, odd: Any) -> None:
    file = tmp_path / "exported.jsonl"
    file.write_text(json.dumps(LINES[0] | {"sessionId": odd}) + "\n")
    (found,) = CLAUDE_CODE.read(file)
    is_name = isinstance(odd, str) and odd != ""
    assert isinstance(found, Transcript if is_name else Unread)


@given(st.data())
def test_odd_values_in_several_places_break_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    lines = deepcopy(LINES)
    for place in data.draw(st.lists(st.sampled_from(PLACES), max_size=8)):
        replace(lines, place, data.draw(anything))
    check(read(tmp_path_factory.getbasetemp(), lines))


anything = st.recursive(
    st.sampled_from(ODD) | st.text(st.characters(codec=None), max_size=8) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "id", "todos", "status"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
