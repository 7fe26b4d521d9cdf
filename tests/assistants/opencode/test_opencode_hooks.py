"""EventKind the plugin told of a recorded session, in our words."""

import json
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from assistants.opencode.records import PROJECT, TOLD
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.known import calling_client

ID = "ses_df4d24f39ffesIde3shdKEzSOy"
ODD: tuple[object, ...] = (None, 7, True, "", '"', [], [7], {})
SUBAGENT = "ses_df4d22659ffekUnbGTnnPnA2Vj"


def seen(payload: dict[str, Any]) -> HookEvent | None:
    assistant = calling_client("opencode", payload, {"CLAUDECODE": "1"})
    assert assistant.name == "opencode"
    return assistant.read(payload)


@pytest.fixture(scope="module")
def told() -> list[HookEvent]:
    lines = TOLD.read_text().splitlines()
    payloads = [json.loads(line.split(" ", 2)[2]) for line in lines]
    return [event for each in payloads if (event := seen(each))]


def test_every_event_is_of_the_session_and_its_folder(told: list[HookEvent]) -> None:
    assert {each.client_session_id for each in told} == {ID}
    assert {each.folder for each in told} == {PROJECT}
    assert {each.transcript for each in told} == {
        "/home/dev/.local/share/opencode/opencode.db"
    }


def test_a_session_begins_is_compacted_and_ends(told: list[HookEvent]) -> None:
    rare = [
        x
        for x in told
        if x.kind not in (EventKind.EDIT, EventKind.BEFORE_EDIT, EventKind.READ)
    ]
    assert [each.kind for each in rare] == [
        EventKind.START,
        EventKind.PROMPT,
        EventKind.COMPACTION,
        EventKind.START,
        EventKind.TURN_END,
        EventKind.END,
    ]
    start, prompt, _, again, turn, _ = rare
    assert (start.source, again.source) == ("startup", "compact")
    assert prompt.prompt == "Please patch it all"  # without the quotes around it
    assert turn.last_answer == "All done: it is patched."


def test_what_is_known_of_each_file_of_a_patch_is_asked(told: list[HookEvent]) -> None:
    before = [x for x in told if x.kind is EventKind.BEFORE_EDIT]
    names = ("new.txt", "README.md", "old.txt", "moved.txt", "gone.txt", "sub.txt")
    assert {x.path for x in before} == {f"{PROJECT}/{name}" for name in names}
    assert {x.path for x in before if x.subagent == SUBAGENT} == {f"{PROJECT}/sub.txt"}


@every_row(
    "payload",
    [
        {"type": "chat.message", "sessionID": "", "prompt": "p"},
        {"type": "chat.message", "sessionID": "s"},
        {"type": "tool.execute.before", "sessionID": "s", "file_path": ["a"]},
        {"type": ["chat.message"]},
        {},
    ],
)
def test_what_makes_no_sense_is_an_error(payload: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        seen(payload)


def test_anything_in_any_place_is_an_event_or_refused() -> None:
    for line in TOLD.read_text().splitlines():
        payload = json.loads(line.split(" ", 2)[2])
        for key, odd in product(payload, ODD):
            with suppress(KeyError, TypeError, ValueError):
                found = seen(payload | {key: odd})
                assert found is None or is_sound(found)


def is_sound(found: HookEvent) -> bool:
    texts = (found.folder, found.transcript, found.path, found.prompt, found.source)
    is_text = all(isinstance(each, str) for each in texts)
    return is_text and bool(found.client_session_id)


def test_other_events_are_passed_over() -> None:
    assert seen({"type": "session.deleted", "sessionID": "s"}) is None


@every_row(
    ("prompt", "typed"),
    [
        ('"say hi"', "say hi"),
        ('say "hi"', 'say "hi"'),
        ('"a" or "b"', '"a" or "b"'),
        (r'"fix the \"login\" page"', 'fix the "login" page'),
        (r'"fix\"the login"', 'fix"the login'),
        (r'"fix the \\d regex"', r"fix the \d regex"),
        (r'"open C:\temp dir \"x\""', r'open C:\temp dir "x"'),
        ('"fix the page" "then test it"', "fix the page then test it"),
        ('"fix the page" now', "fix the page now"),
        ('rename "old name" to x', 'rename "old name" to x'),
        ('"two\nlines of it"', "two\nlines of it"),
        ('"never closed', '"never closed'),
        ('"', '"'),
    ],
)
def test_quotes_of_the_command_line_are_not_of_a_prompt(
    prompt: str, typed: str
) -> None:
    found = seen({"type": "chat.message", "sessionID": "s", "prompt": prompt})
    assert found
    assert found.prompt == typed
