"""What Copilot CLI tells its hooks, in our words: after records of version 1.0.102."""

import json
from typing import Any

from hook.calls import COPILOT, FIXTURES, PROJECT, recorded, records
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.copilot.hooks import HOOKS
from gitmem.git.values import Change

HELLO = f"{PROJECT}/hello.txt"
SEEN = {
    "SessionStart": EventKind.START,
    "UserPromptSubmit": EventKind.PROMPT,
    "PreToolUse": EventKind.BEFORE_EDIT,
    "PostToolUse": EventKind.EDIT,
    "PreCompact": EventKind.COMPACTION,
    "Stop": EventKind.TURN_END,
    "SessionEnd": EventKind.END,
    "sessionStart": EventKind.START,
    "userPromptSubmitted": EventKind.PROMPT,
    "preToolUse": EventKind.BEFORE_EDIT,
    "postToolUse": EventKind.EDIT,
    "agentStop": EventKind.TURN_END,
    "sessionEnd": EventKind.END,
}


def payload(name: str) -> dict[str, Any]:
    return dict(recorded(COPILOT, name, FIXTURES).payload)


def read(name: str) -> HookEvent | None:
    call = recorded(COPILOT, name, FIXTURES)
    text = json.dumps(call.payload).replace(str(FIXTURES), PROJECT)
    return HOOKS.read(json.loads(text))


@every_row("name", records(COPILOT))
def test_every_record_is_what_happened(name: str) -> None:
    event = name.removeprefix("camelCase-").partition(".")[0]
    event, _, about = event.partition("-")
    is_after = event.lower() == "posttooluse"
    is_of_no_file = about == "checkpoint" or (is_after and about.lower() == "bash")
    seen = read(name)
    is_read = event.lower() == "pretooluse" and about.lower() in ("bash", "read")
    expected = EventKind.READ if is_read else SEEN.get(event)
    expected = None if is_of_no_file else expected
    assert (seen and seen.kind) == expected


@every_row(
    ("ours", "own"),
    [
        ("PostToolUse-Write.2", "postToolUse-create"),
        ("PostToolUse-Edit", "postToolUse-edit"),
        ("PreToolUse-Edit", "preToolUse-edit"),
        ("SessionStart-resume", "sessionStart-resume"),
        ("UserPromptSubmit.2", "userPromptSubmitted"),
        ("SessionEnd-complete.2", "sessionEnd-complete"),
        ("Stop.2", "agentStop"),
    ],
)
def test_both_forms_say_the_same(ours: str, own: str) -> None:
    assert read(ours) == read(f"camelCase-{own}") is not None


def test_an_edit_names_its_file_and_whether_that_is_new() -> None:
    created, modified = read("PostToolUse-Write"), read("PostToolUse-Edit")
    assert created
    assert modified
    assert (created.path, created.change) == (HELLO, Change.CREATED)
    assert (modified.path, modified.change) == (HELLO, Change.MODIFIED)
    assert modified.folder == PROJECT


def test_a_patch_names_all_its_files() -> None:
    """Of models that edit by patches; one is also told before it is made."""
    for name in ("PreToolUse-apply_patch", "PostToolUse-apply_patch"):
        seen = read(name)
        assert seen
        assert (seen.path, seen.change) == ("new.txt", Change.CREATED)
        assert seen.more_edits == (("hello.txt", Change.MODIFIED),)


def test_an_edit_that_failed_is_none() -> None:
    failed = {**payload("PostToolUse-Edit"), "tool_result": {"result_type": "failure"}}
    assert HOOKS.read(failed) is None


def test_the_transcript_is_told_though_the_client_tells_it_rarely() -> None:
    for name in ("SessionStart-new", "Stop", "camelCase-sessionEnd-complete"):
        seen = read(name)
        assert seen
        assert seen.transcript == f"{seen.client_session_id}/events.jsonl"


def test_texts_are_told_in_the_form_that_it_reads() -> None:
    for out in (HOOKS.brief("x"), HOOKS.context(EventKind.PROMPT, "x")):
        assert json.loads(out) == {"additionalContext": "x"}
