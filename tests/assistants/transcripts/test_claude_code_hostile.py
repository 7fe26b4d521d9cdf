"""Transcripts of Claude Code with anything in any place."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.assistants.transcripts.claude_code import CLAUDE_CODE
from gitmem.assistants.transcripts.transcript import Transcript, Unread

ID = "0a1b2c3d-4e5f-4000-8000-000000000000"
NOON = "2026-02-09T12:00:00Z"
WORDS = f"""
{ID} {NOON} 9999-12-31T23:59:59-23:59 0001-01-01 t-1 user assistant attachment text
tool_use tool_result queued_command prompt human Edit Write Bash TodoWrite TaskCreate
TaskUpdate completed deleted create /a ../a HEAD \ud83d \0
""".split()
KEYS = re.findall(
    r"\w+",
    """content type text id name input file_path command todos status tool_use_id task
    is_error agentId subject taskId success prompt commandMode kind model role""",
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(st.characters(codec=None), max_size=8)
    | st.sampled_from(WORDS)
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)
calls = st.fixed_dictionaries(
    {
        "type": st.just("tool_use"),
        "id": st.just("t-1"),
        "name": st.sampled_from(
            ["Edit", "Bash", "TodoWrite", "TaskCreate", "TaskUpdate"]
        ),
        "input": anything,
    }
)
results = st.fixed_dictionaries(
    {"type": st.just("tool_result"), "tool_use_id": st.just("t-1"), "content": anything}
)
messages = st.fixed_dictionaries(
    {"content": st.lists(calls | results | anything, max_size=3) | anything}
)
lines = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["user", "assistant", "attachment"]) | anything,
        "sessionId": st.just(ID) | anything,
        "timestamp": st.just(NOON) | anything,
        "message": messages | anything,
        **dict.fromkeys(
            ["uuid", "cwd", "gitBranch", "toolUseResult", "attachment", "origin"],
            anything,
        ),
        **dict.fromkeys(["isSidechain", "isMeta", "forkedFrom"], anything),
    },
)


@given(st.lists(lines | anything, max_size=6))
def test_lines_with_anything_in_any_place_break_nothing(
    tmp_path_factory: pytest.TempPathFactory, written: list[Any]
) -> None:
    file = tmp_path_factory.getbasetemp() / f"{ID}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in written))

    for found in CLAUDE_CODE.read(file):
        if not isinstance(found, Unread):
            check(found)


def check(transcript: Transcript) -> None:
    assert transcript.client_session_id == ID
    assert transcript.began_at <= transcript.ended_at
    transcript.began_at.astimezone()
    transcript.ended_at.astimezone()
    assert not transcript.folder or Path(transcript.folder).is_absolute()
    assert all(isinstance(turn.text, str) for turn in transcript.turns)
    assert all(isinstance(seen.path, str) for seen in transcript.seen)
