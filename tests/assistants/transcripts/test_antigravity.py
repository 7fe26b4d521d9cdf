"""Antigravity's transcripts, in the form that others recorded."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistants.transcripts.hostile import read_sound

from gitmem.assistants.antigravity.transcripts import ANTIGRAVITY
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker, Turn

ID = "ec33ebf9-0cba-4100-8142-c61503f6c587"
FILE = Path(ID) / ".system_generated" / "logs" / ANTIGRAVITY.pattern
AT = datetime(2026, 11, 24, 1, 0, 5, tzinfo=UTC)

Step = dict[str, Any]


def step(kind: str, source: str = "MODEL", **values: Any) -> Step:
    at = {"created_at": "2026-11-24T01:00:05Z", "status": "DONE"}
    return {"step_index": 0, "source": source, "type": kind, **at, **values}


def asked(text: str) -> Step:
    words = f"<USER_REQUEST>\n{text}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx\n"
    return step("USER_INPUT", "USER_EXPLICIT", content=words)


def call(name: str, **arguments: str) -> Step:
    """Some versions encode each argument once more."""
    encoded = {key: json.dumps(value) for key, value in arguments.items()}
    return {"name": name, "args": encoded}


def written(root: Path, steps: Iterable[Step]) -> Path:
    file = root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(each)}\n" for each in steps))
    return file


def steps(project: Path) -> list[Step]:
    command = call("run_command", CommandLine="git commit -m Fix", Cwd=str(project))
    edits = [
        call("write_to_file", TargetFile=str(Path.home() / ".gemini" / "plan.md")),
        call("write_to_file", TargetFile=f"{project}/retry.py"),
        call("replace_file_content", TargetFile=f"{project}/gone.py"),
    ]
    return [
        asked("Retry a payment"),
        step("CONVERSATION_HISTORY", "SYSTEM"),
        step("PLANNER_RESPONSE", content="I will.", tool_calls=edits),
        *(step("CODE_ACTION") for _ in edits[:2]),
        step("CODE_ACTION", status="ERROR"),
        step("PLANNER_RESPONSE", tool_calls=[command]),
        step("RUN_COMMAND", content="[main abcdef1] Fix\n 1 file changed\n"),
        step("PLANNER_RESPONSE", content="Payments are retried."),
    ]


def test_a_conversation_is_read(tmp_path: Path) -> None:
    [found] = read_sound(ANTIGRAVITY, written(tmp_path, steps(Path("/project"))))
    assert isinstance(found, Transcript)
    assert (found.client_session_id, found.folder) == (ID, "/project")
    assert found.turns == (
        Turn(Speaker.PERSON, "Retry a payment", AT),
        Turn(Speaker.ASSISTANT, "I will.", AT),
        Turn(Speaker.ASSISTANT, "Payments are retried.", AT),
    )
    assert [each.path for each in found.events] == ["/project/retry.py"]
    assert [each.command for each in found.runs] == ["git commit -m Fix"]
    assert [(each.sha, each.subject) for each in found.commits] == [("abcdef1", "Fix")]


def test_one_without_work_is_of_no_repository(tmp_path: Path) -> None:
    [found] = read_sound(ANTIGRAVITY, written(tmp_path, [asked("What is this?")]))
    assert isinstance(found, Transcript)
    assert found.folder == ""


def test_a_line_without_a_step_is_told(tmp_path: Path) -> None:
    found = read_sound(ANTIGRAVITY, written(tmp_path, [{"type": "USER_INPUT"}]))
    assert found == [Unread("no step of a conversation", 1)]
