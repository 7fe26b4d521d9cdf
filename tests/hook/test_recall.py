"""What a client is told at the point of action: before an edit, and at a prompt."""

import json
from pathlib import Path

import pytest
from hook.calls import (
    Call,
    Hear,
    claude,
    commands_for,
    install,
    python_with_gitmem,
    run_command,
)
from support.events import event, note
from support.harness import git
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.remembering.at_hand import note_files
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.event import Compaction, Start
from gitmem.store.file_notes import FileNotes

ONE = "11111111-2222-4333-8444-555555555555"


def before_edit(root: Path, path: str, **values: object) -> Call:
    call = claude("PostToolUse-Write", root, ONE)
    changed = {
        "hook_event_name": "PreToolUse",
        "tool_input": {"file_path": str(root / path), "content": "x"},
    }
    return Call({**call.payload, **changed, **values}, call.variables)


def told(out: str) -> str:
    return (
        str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""
    )


def prompt(root: Path, text: str) -> Call:
    return claude("UserPromptSubmit", root, ONE, prompt=text)


@pytest.fixture
def begun(repository: Path) -> Path:
    note(repository, event(Start, client=ONE, root=str(repository)))
    return repository


def keep(repository: Path, text: str, **values: object) -> str:
    workspace = workspace_at(repository)
    said = parse_statement({"text": text, **values}, workspace.now())
    return remember(workspace, said, "person:A <a@b>").memory.id


def committed(repository: Path, *paths: str) -> None:
    for path in paths:
        (repository / path).write_text("x\n")
    git(repository, "add", *paths)
    git(repository, "commit", "--quiet", "--message", "files")


def test_an_edit_is_told_once_what_is_known_of_the_file(
    begun: Path, hear: Hear
) -> None:
    committed(begun, "store.py", "other.py")
    kept = keep(begun, "store.py: no locks here", kind="constraint", files=["store.py"])
    saved_session(
        workspace_at(begun), goal="Cache", decisions=["Cache trees in store.py"]
    )
    note_files(workspace_at(begun))
    out = told(hear(before_edit(begun, "store.py")))
    assert f"constraint: store.py: no locks here ({kept})" in out
    assert "no instruction" in out
    assert hear(before_edit(begun, "store.py")) == ""
    assert told(hear(before_edit(begun, "store.py", agent_id="a1"))) == out
    assert hear(before_edit(begun, "other.py")) == ""
    assert hear(before_edit(begun, "../store.py")) == ""
    note(begun, event(Compaction, client=ONE, root=str(begun)))
    assert told(hear(before_edit(begun, "store.py"))) == out


def test_decisions_and_failures_of_sessions_are_told(
    repository: Path,
) -> None:
    committed(repository, "a.py", "b.py")
    for each in ("a.py", "b.py"):
        (repository / each).write_text("y\n")
    saved_session(
        workspace_at(repository),
        goal="Speed",
        decisions=["Read trees lazily"],
        tried=["A pool of threads in b.py"],
        work_completed=["Done"],
    )
    note_files(workspace_at(repository))
    notes = FileNotes(workspace_at(repository).own_dir)
    assert [line.partition(" (")[0] for line in notes.of("b.py")] == [
        "decision: Read trees lazily",
        "failed: A pool of threads in b.py",
    ]
    assert notes.of("c.py") == []


@pytest.mark.parametrize("setting", ["off", "prompt"])
def test_nothing_is_noted_where_the_user_turned_it_off(
    repository: Path, setting: str
) -> None:
    committed(repository, "a.py")
    keep(repository, "a.py is generated", files=["a.py"])
    git(repository, "config", "ocm.recall", setting)
    note_files(workspace_at(repository))
    assert FileNotes(workspace_at(repository).own_dir).of("a.py") == []


def test_the_launcher_starts_python_for_a_known_path_alone(
    begun: Path, tmp_path: Path
) -> None:
    committed(begun, "known.py", "unknown.py")
    keep(begun, "known.py is generated", files=["known.py"])
    note_files(workspace_at(begun))
    started, python = tmp_path / "started", tmp_path / "counting"
    python.write_text(
        f'#!/bin/sh\n: >{started}\nexec {python_with_gitmem(tmp_path)} "$@"\n'
    )
    python.chmod(0o755)
    install(begun, str(python))
    assert launched(before_edit(begun, "unknown.py"), begun) == ""
    quiet = before_edit(begun, "known.py")
    quiet.variables["OCM_QUIET"] = "1"
    assert launched(quiet, begun) == ""
    assert not started.exists()
    assert "known.py is generated" in told(
        launched(before_edit(begun, "known.py"), begun)
    )
    assert started.exists()


def launched(call: Call, folder: Path) -> str:
    """What the command prints that Claude Code runs then."""
    (command,) = commands_for(call)
    done = run_command(command, call, folder)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@few(
    4,
    "text",
    [
        "remember that we use tabs",
        "Please remember: no force pushes",
        "Merk dir, dass wir Tabs nehmen",
        "记住我们用 tabs",
        "Don't forget to run the linter",
    ],
)
def test_a_wish_to_remember_names_the_tool(
    begun: Path, hear: Hear, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(hear(prompt(begun, text))).count("ocm__remember") == 1
    monkeypatch.setenv("OCM_QUIET", "1")
    assert hear(prompt(begun, text)) == ""


@few(
    2,
    "text",
    [
        "Do you remember how the tests ran?",
        "fix the memory leak",
        "remember it with ocm__remember",
    ],
)
def test_other_prompts_are_told_nothing(begun: Path, hear: Hear, text: str) -> None:
    keep(begun, "We use tabs, not spaces")
    assert hear(prompt(begun, text)) == ""


def test_a_prompt_is_told_what_clearly_answers_it_where_the_user_wants_that(
    begun: Path, hear: Hear
) -> None:
    kept = keep(begun, "The integration tests need Postgres 16", kind="constraint")
    asked = "How do I run the integration tests with Postgres?"
    assert hear(prompt(begun, asked)) == ""
    git(begun, "config", "ocm.recall", "both")
    assert kept in told(hear(prompt(begun, asked)))
    assert hear(prompt(begun, "Draw a red circle on the canvas")) == ""
