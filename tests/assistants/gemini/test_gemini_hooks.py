"""What Gemini CLI 0.61.0 tells its hooks, and what it reads of them."""

import json
from contextlib import suppress
from typing import Any

from hook.calls import FIXTURES, recorded, records
from hook.test_hostile import places, replaced, values
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.gemini.hooks import HOOKS
from gitmem.assistants.known import calling_client
from gitmem.documents.event import Todo
from gitmem.git.values import Change
from gitmem.resources import resource

GEMINI = "gemini-cli-0.61.0"
SESSION = "5e051830-0f4d-42b4-9b36-f5c8e31b2023"
CHAT = "/home/dev/.gemini/tmp/proj-gm1/chats/session-2026-11-21T20-26-5e051830.jsonl"
HELLO = f"{FIXTURES}/hello.txt"
BEGUN = "<hook_context>INJECTED-SESSIONSTART-CTX</hook_context>\n\ndo it"


def seen(what: EventKind, transcript: str = CHAT, **values: Any) -> HookEvent:
    return HookEvent(
        kind=what,
        client_session_id=SESSION,
        folder=str(FIXTURES),
        transcript=transcript,
        **values,
    )


def payload(name: str, **values: Any) -> dict[str, Any]:
    return {**recorded(GEMINI, name, FIXTURES).payload, **values}


EXPECTED = {
    "AfterAgent": seen(EventKind.TURN_END, last_answer="All done."),
    "AfterTool-replace": seen(EventKind.EDIT, path=HELLO),
    "AfterTool-run_shell_command": seen(
        EventKind.READ,
        reads=(
            *("echo", "hi", "by_bash.txt", "env", "grep", "-iE"),
            *("^", "GEMINI", "OCM", "AI_", "AGENT", "true"),
        ),
    ),
    "AfterTool-write_file": seen(EventKind.EDIT, path=HELLO, change=Change.CREATED),
    "BeforeAgent": seen(EventKind.PROMPT, prompt=BEGUN),
    "BeforeTool-mcp_opencodememory_ocm__checkpoint": seen(
        EventKind.CALL, arguments={"session_id": "x", "goal": "g"}
    ),
    "SessionEnd-exit": seen(EventKind.END),
    "SessionStart-resume": seen(EventKind.START, transcript="", source="resume"),
    "SessionStart-startup": seen(EventKind.START, source="startup"),
}


@every_row("name", records(GEMINI))
def test_all_that_was_recorded_is_read(name: str) -> None:
    call = recorded(GEMINI, name, FIXTURES)
    assistant = calling_client("gemini-cli", call.payload, call.variables)
    assert assistant is HOOKS
    assert assistant.read(call.payload) == EXPECTED.get(name)


def test_nothing_of_the_records_is_left_out() -> None:
    assert len(records(GEMINI)) == 17
    assert EXPECTED.keys() <= set(records(GEMINI))


def test_files_that_a_prompt_names_are_no_part_of_it() -> None:
    files = "\n--- Content from referenced files ---\nContent from a.py:\nsecret"
    read = HOOKS.read(payload("BeforeAgent", prompt=f"look at @a.py{files}"))
    assert read == seen(EventKind.PROMPT, prompt="look at @a.py")


def test_an_edit_that_failed_is_none() -> None:
    response = {"llmContent": "Error", "returnDisplay": "Error", "error": {"type": "x"}}
    assert HOOKS.read(payload("AfterTool-replace", tool_response=response)) is None


def test_a_file_that_is_read_is_known() -> None:
    reading = {"tool_name": "read_file", "tool_input": {"file_path": "a.py"}}
    read = HOOKS.read(payload("AfterTool-write_file", **reading))
    assert read == seen(EventKind.READ, reads=("a.py",))


def test_a_to_do_list_is_read_as_a_whole() -> None:
    todos = [
        {"description": "one", "status": "completed"},
        {"description": "two", "status": "in_progress"},
        {"description": "three", "status": "cancelled"},
    ]
    written = {"tool_name": "write_todos", "tool_input": {"todos": todos}}
    assert HOOKS.read(payload("AfterTool-write_file", **written)) == seen(
        EventKind.TODOS,
        todos=(Todo("one", "one", done=True), Todo("two", "two", done=False)),
        is_whole_list=True,
    )


def test_only_a_compaction_that_was_asked_for_is_one() -> None:
    """The others are announced before every request, whether there is one or not."""
    assert HOOKS.read(payload("PreCompress-auto")) is None
    manual = HOOKS.read(payload("PreCompress-auto", trigger="manual"))
    assert manual == seen(EventKind.COMPACTION)


def test_answer_to_a_nudge_is_known() -> None:
    read = HOOKS.read(payload("AfterAgent", stop_hook_active=True))
    assert read
    assert read.is_answer


def test_a_call_goes_on_with_all_its_arguments() -> None:
    """They take the place of those that the model gave."""
    arguments = {"goal": "g", "session_id": "one"}
    answer = json.loads(HOOKS.call(arguments))["hookSpecificOutput"]
    assert answer == {"hookEventName": "BeforeTool", "tool_input": arguments}


def test_texts_are_told_where_they_are_taken() -> None:
    told = {
        what: HOOKS.context(what, "t") for what in (EventKind.PROMPT, EventKind.READ)
    }
    events = [json.loads(each)["hookSpecificOutput"] for each in told.values()]
    assert events == [
        {"hookEventName": "BeforeAgent", "additionalContext": "t"},
        {"hookEventName": "AfterTool", "additionalContext": "t"},
    ]
    assert json.loads(HOOKS.nudge("t")) == {"decision": "block", "reason": "t"}


def test_packaged_hooks_are_as_gemini_cli_takes_them() -> None:
    """Milliseconds; a matcher of an event is exact, one of a tool is a pattern."""
    text = resource("hooks/gemini/settings.json").read_text("utf-8")
    for entries in json.loads(text)["hooks"].values():
        for entry in entries:
            assert set(entry) <= {"matcher", "hooks"}
            [hook] = entry["hooks"]
            assert set(hook) == {"type", "name", "command", "timeout"}
            assert hook["timeout"] >= 10_000
            assert hook["command"].endswith(" gemini-cli")
    [compaction] = json.loads(text)["hooks"]["PreCompress"]
    assert compaction["matcher"] == "manual"


@given(st.data())
def test_a_payload_with_anything_in_any_place_is_read_or_refused(
    data: st.DataObject,
) -> None:
    call = payload(data.draw(st.sampled_from(records(GEMINI))))
    way = data.draw(st.sampled_from(list(places(call))))
    with suppress(KeyError, TypeError, ValueError):
        read = HOOKS.read(replaced(call, way, data.draw(values())))
        assert read is None or read.client_session_id
