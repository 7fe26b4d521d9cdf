"""What `ocm doctor` finds of each assistant: entries, and signs of life."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from examining import CLAUDE, NOTE, OK, PROBLEM, WARNING, Place
from harness import record
from rounds import few
from seeing import event, note, now

from gitmem.actions.doctor.finding import INIT, Code
from gitmem.documents.session.event import Committed, Connected, Edit, Start
from gitmem.documents.session.record import to_json
from gitmem.redaction.redact import seal


@few(
    1,
    ("path", "code"),
    [
        (".mcp.json", Code.MCP_ENTRY),
        (".claude/settings.json", Code.HOOK_ENTRIES),
        ("CLAUDE.md", Code.RULES),
    ],
)
def test_what_is_missing_comes_by_init(healthy: Place, path: str, code: Code) -> None:
    (healthy.repository / path).unlink()
    [found] = healthy.grave()
    assert (found.code, found.about, found.mend) == (code, CLAUDE, INIT)
    assert found.where == str(healthy.repository / path)
    assert found.what.endswith("not there")


def test_entries_of_another_version_are_told_from_missing_ones(healthy: Place) -> None:
    file = healthy.repository / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 3
    file.write_text(json.dumps(settings))
    [found] = healthy.grave()
    assert (found.code, found.mend) == (Code.HOOK_ENTRIES, INIT)
    assert "not as this version has it" in found.what


def test_unparsable_file_is_named_once_with_its_line(healthy: Place) -> None:
    healthy.write(".claude/settings.json", '{\n  "hooks": {\n    oops\n')
    [found] = healthy.grave()
    assert found.grade is PROBLEM
    assert "line 3" in found.what


def test_cursor_is_said_to_be_known_from_its_documents(healthy: Place) -> None:
    assert healthy.found(Code.ASSISTANT, "cursor").grade is NOTE


def test_assistant_told_by_hand_is_named(healthy: Place, tmp_path: Path) -> None:
    (tmp_path / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "codex").chmod(0o755)
    found = healthy.found(Code.ASSISTANT, "codex", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert found.grade is NOTE
    assert "ocm serve" in found.mend


def test_the_newest_event_counts(healthy: Place) -> None:
    for minutes in (200, 5, 90):
        at = now() - timedelta(minutes=minutes)
        note(healthy.repository, event(Edit, at=at, client="other", path="a"))
    said = healthy.found(Code.HEARD, CLAUDE).what
    assert said == "Claude Code: last heard of just now"


@few(
    2,
    ("ago", "words"),
    [
        (timedelta(seconds=30), "just now"),
        (timedelta(minutes=-5), "just now"),
        (timedelta(minutes=5), "5 minutes ago"),
        (timedelta(hours=1, minutes=59), "1 hour ago"),
        (timedelta(days=3), "3 days ago"),
    ],
)
def test_it_is_said_how_long_ago(place: Place, ago: timedelta, words: str) -> None:
    (place.repository / ".claude").mkdir()
    note(place.repository, event(Start, at=now() - ago))
    assert place.found(Code.HEARD, CLAUDE).what.endswith(f"last heard of {words}")


def test_a_commit_that_git_told_of_is_no_sign_of_the_assistant(place: Place) -> None:
    (place.repository / ".claude").mkdir()
    note(place.repository, event(Committed, at=now(), sha="a" * 40, subject="s"))
    found = place.found(Code.HEARD, CLAUDE)
    assert found.grade is NOTE
    assert "not been heard of yet" in found.what


@pytest.mark.parametrize("is_noted", [True, False])
def test_checkpoint_without_hooks_is_a_warning(healthy: Place, is_noted: bool) -> None:
    if is_noted:  # by the server
        git: dict[str, Any] = {"branch": None, "head": None, "dirty": ()}
        note(healthy.repository, event(Connected, client="unheard", at=now(), **git))
    made = record(client="unheard", at=now() + timedelta(seconds=60), goal="g")
    line = seal(made, to_json).replace("cursor", CLAUDE)
    journal = healthy.repository / ".git" / "ocm" / "journal" / "unheard.jsonl"
    with journal.open("a") as lines:
        lines.write(f"\n{line}\n")
    found = healthy.found(Code.HEARD, CLAUDE)
    assert found.grade is WARNING
    assert "its hooks did not" in found.what


def test_an_assistant_that_runs_the_hooks_of_another_is_named(healthy: Place) -> None:
    made = json.dumps({"event": "start", "at": now().isoformat(), "root": "/r"})
    line = made[:-1] + ', "tool": "copilot", "client_session_id": "c"}'
    healthy.write(".git/ocm/journal/c.jsonl", f"\n{line}\n")
    assert healthy.found(Code.HEARD, "copilot").grade is OK
