"""What `ocm doctor` finds in the memory and around it."""

import shutil

import pytest
from cli.running import commit_by_hand
from examining import NOTE, OK, PROBLEM, WARNING, Place
from harness import git, record
from seeing import event, note, now
from support import saved_session, workspace_at

from gitmem.actions.doctor.finding import Code
from gitmem.actions.doctor.leftovers import damaged_files
from gitmem.actions.reading.find import search
from gitmem.documents.session.event import Edit
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.record import to_json
from gitmem.documents.session.rendering import DOCUMENT_LIMIT
from gitmem.redaction.redact import seal
from gitmem.store.journal.journal import Journal


def test_sessions_are_counted(healthy: Place) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    assert healthy.found(Code.MEMORY).what.startswith("1 session, refs/ocm/")


def test_a_ref_that_leads_nowhere_is_a_problem(healthy: Place) -> None:
    healthy.write(".git/refs/ocm/sessions", "1" * 40 + "\n")
    found = healthy.found(Code.MEMORY)
    assert found.grade is PROBLEM
    assert "reflog" in found.mend
    assert Code.OBJECTS not in {each.code for each in healthy.findings()}


def test_oversized_document_is_named_with_its_session(healthy: Place) -> None:
    session_id = saved_session(workspace_at(healthy.repository), goal="g").session_id
    assert session_id
    text = "x" * (DOCUMENT_LIMIT + 1)
    commit_by_hand(healthy.repository, document_path(session_id), text)
    found = healthy.found(Code.OVERSIZED, session_id)
    assert found.grade is WARNING
    assert session_id in found.what
    assert "4,000,001 bytes" in found.what


def test_a_newer_format_is_a_problem(healthy: Place) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    commit_by_hand(healthy.repository, "format", "99\n")
    found = healthy.found(Code.MEMORY)
    assert found.grade is PROBLEM
    assert "Upgrade" in found.mend


def test_conversations_that_cannot_be_read_are_told(healthy: Place) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    healthy.write(".git/refs/ocm/conversations", "1" * 40 + "\n")
    found = healthy.found(Code.CONVERSATIONS)
    assert found.grade is WARNING
    assert "reflog" in found.mend
    assert healthy.found(Code.MEMORY).grade is OK


def test_checkpoints_that_wait_are_counted(healthy: Place) -> None:
    Journal(healthy.common_dir / "ocm" / "journal").append(
        "waiting", seal(record(goal="g"), to_json)
    )
    found = healthy.found(Code.JOURNAL)
    assert found.grade is NOTE
    assert found.what.startswith("1 checkpoint ")


def test_what_hooks_saw_is_no_checkpoint_that_waits(healthy: Place) -> None:
    note(healthy.repository, event(Edit, at=now(), path="a.py"))
    assert healthy.found(Code.JOURNAL).grade is OK


@pytest.mark.endurance
def test_an_index_is_never_a_problem(healthy: Place) -> None:
    workspace = workspace_at(healthy.repository)
    said = [healthy.found(Code.INDEX).what]
    saved_session(workspace, goal="g")
    search(workspace, "anything")
    said.append(healthy.found(Code.INDEX).what)
    saved_session(workspace, goal="h")
    said.append(healthy.found(Code.INDEX).what)
    shutil.rmtree(workspace.index_folder)
    workspace.index_folder.write_text("damaged")
    found = healthy.found(Code.INDEX)
    said.append(found.what)
    assert found.grade is OK
    assert [each.removeprefix("the index ") for each in said] == [
        "is not there; the next search makes it",
        "is up to date",
        "catches up with the next search",
        "cannot be used; the next search makes it anew",
    ]


@pytest.mark.endurance
def test_settings_that_say_nothing_are_named(healthy: Place) -> None:
    for name, sound, nonsense in (
        ("ocm.brief.budget", "800", "much"),
        ("ocm.nudge.edits", "0", "1.5"),
        ("ocm.nudge.edits", "1k", "many"),
        ("ocm.notes", "true", "perhaps"),
    ):
        git(healthy.repository, "config", name, sound)
        assert healthy.found(Code.SETTING, name).grade is OK
        git(healthy.repository, "config", name, nonsense)
        assert healthy.found(Code.SETTING, name).grade is WARNING


def test_a_mark_that_its_reader_cannot_read_is_told(place: Place) -> None:
    texts = {
        "a": "{}",
        "b": '{"offset": 0}',
        "c": '{"offset": 0, "session_id": null}',
        "bad-1": "[",
        "bad-2": '{"offset": -1}',
        "bad-3": '{"offset": 0, "x": 1}',
        "bad-4": '{"offset": 0, "session_id": 3}',
    }
    for name, text in texts.items():
        place.write(f".git/ocm/journal/{name}.mark", text)
    damaged = [path.stem for path in damaged_files(workspace_at(place.repository))]
    assert damaged == [name for name in texts if name.startswith("bad")]
