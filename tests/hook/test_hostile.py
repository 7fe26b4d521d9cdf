"""Whatever is told: the client goes on, nothing is printed, and no content is kept."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hook.calls import (
    CLAUDE,
    CODEX,
    COPILOT,
    Call,
    Hear,
    claude,
    kinds,
    log_of,
    recorded,
    records,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.harness import git
from support.rounds import every_row

CANARY = "canary-4711-content"
ONE = "11111111-2222-4333-8444-555555555555"

NONSENSE = [
    *(b"", b" ", b"[]", b"null", b"{}", b"7", b'"text"', b"\xff\xfe", b"{", b"\x00"),
    *(b'{"hook_event_name": 1}', b'{"hook_event_name": "Stop"}', b"[" * 99_999),
    b'{"hook_event_name": "Stop", "session_id": ' + b"9" * 5000 + b"}",
    b'{"hook_event_name": "Stop", "session_id": ""}',
    b'{"hook_event_name": ["Stop"], "session_id": "one"}',
    b'{"a": ' * 50_000,
]


@every_row("stdin", NONSENSE)
def test_nonsense_breaks_nothing(repository: Path, hear: Hear, stdin: bytes) -> None:
    assert hear(stdin) == ""
    [line] = log_of(repository).splitlines()
    assert "ocm-hook: " in line
    log = repository / ".git" / "ocm" / "log"
    assert oct(log.stat().st_mode & 0o777) == "0o600"
    assert git(repository, "status", "--porcelain") == ""
    log.unlink()


def test_unknown_name_is_one_log_line(repository: Path, hear: Hear) -> None:
    for number, named in enumerate(["", "nobody", "--help", "../claude-code"], 1):
        assert hear(claude("Stop", repository), named) == ""
        assert log_of(repository).count("\n") == number


def test_errors_do_not_quote_the_payload(repository: Path, hear: Hear) -> None:
    call = claude("UserPromptSubmit", repository, prompt=[CANARY])
    hear(call)
    assert "TypeError in payload.py:" in log_of(repository)
    assert CANARY not in log_of(repository)


def test_a_zone_that_no_time_can_tell_keeps_no_event_out(
    repository: Path, hear: Hear, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "A+24:59:59")
        time.tzset()
        hear(claude("UserPromptSubmit", repository, ONE))
    time.tzset()
    assert kinds(repository, ONE) == ["Start", "Prompt"]


@pytest.mark.endurance
def test_a_payload_of_many_megabytes_is_read(repository: Path, hear: Hear) -> None:
    call = claude("PostToolUse-Write", repository, ONE)
    response = {**call.payload["tool_response"], "originalFile": "x" * 20_000_000}
    hear(Call({**call.payload, "tool_response": response}, call.variables))
    assert (repository / ".git" / "ocm" / "journal" / f"{ONE}.jsonl").exists()


@every_row("name", [n for n in records(CLAUDE) if "ToolUse" in n])
def test_file_content_is_never_kept(repository: Path, hear: Hear, name: str) -> None:
    call = claude(name, repository, ONE)
    payload = json.loads(json.dumps(call.payload), object_hook=with_canary)
    hear(Call(payload, call.variables))
    assert CANARY.encode() not in everything_below(repository / ".git")


CONTENTS = {
    *("content", "old_string", "new_string", "originalFile", "lines", "new_source"),
    *("oldString", "newString", "original_file", "updated_file", "old_source"),
    *("stdout", "stderr", "command", "description", "prompt", "text"),
}


def with_canary(told: dict[str, Any]) -> dict[str, Any]:
    """Each content replaced, but for the texts of to-dos, which are no file's."""
    if "status" in told and "content" in told:
        return told
    return {key: CANARY if key in CONTENTS else value for key, value in told.items()}


def everything_below(folder: Path) -> bytes:
    return b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


def values() -> st.SearchStrategy[Any]:
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    odd = st.sampled_from(["\x00", "\ud83d", "/", "..", "/" * 5000, "a" * 5000])
    return st.recursive(
        scalars | odd,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
        ),
        max_leaves=6,
    )


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything inside of a payload."""
    if here:
        yield here
    pairs = value.items() if isinstance(value, dict) else ()
    for key, inner in [*pairs, *enumerate(value if isinstance(value, list) else ())]:
        yield from places(inner, (*here, key))


def replaced(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    if not way:
        return new
    copy = value.copy()
    copy[way[0]] = replaced(value[way[0]], way[1:], new)
    return copy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_payload_with_anything_in_any_place_breaks_nothing(
    repository: Path, hear: Hear, data: st.DataObject
) -> None:
    clients = (CLAUDE, COPILOT, CODEX)
    names = [(client, name) for client in clients for name in records(client)]
    quick = [each for each in names if each[1][:10] not in SLOW]
    client, name = data.draw(st.sampled_from(quick))
    call = recorded(client, name, repository)
    way = data.draw(st.sampled_from(list(places(call.payload))))
    payload = replaced(call.payload, way, data.draw(values()))
    variables = data.draw(st.sampled_from([call.variables, {}]))
    out = hear(
        Call(payload, variables),
        data.draw(st.sampled_from(["claude-code", "copilot", "cursor", "codex"])),
    )
    known = {"hookSpecificOutput", "additionalContext"}
    assert out == "" or not known.isdisjoint(json.loads(out))


SLOW = ("SessionSta", "SessionEnd", "PreCompact", "plugin_Ses", "camelCase-")
"""They load git, or start a process; what they read is read as for the others."""
