"""A conversation that begins with a copy of another one becomes its child."""

import os
from pathlib import Path
from typing import Any

import pytest
from support.harness import CLIENT, make_repository
from support.rounds import every_row
from support.transcripts import records, written_records
from support.workspaces import workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport
from gitmem.assistants.readers import reader_named
from gitmem.documents.session.session import Session

COPY = "ffffffff-4e5f-4000-8000-000000000001"
MARKS: list[dict[str, Any]] = [
    {"sessionKind": "bg"},
    {"requestSessionId": CLIENT},
    {"forkedFrom": {"sessionId": CLIENT, "messageUuid": "u"}},
    {"sessionId": CLIENT},
    {},
]


def copy(repository: Path, marks: dict[str, Any]) -> list[dict[str, Any]]:
    lines = records(repository, COPY, "backoff", "changelog")
    return [*({**each, **marks} for each in lines[:4]), *lines[4:]]


def imported(repository: Path, *paths: Path) -> dict[str, Session]:
    workspace = workspace_at(repository)
    wanted = ImportRequest(reader=reader_named("claude-code"), paths=paths)
    files = wanted_files(workspace, wanted)
    bring_in(workspace, wanted, files, ImportReport(), lambda _done, _total: None)
    newest = workspace_at(repository).store.memory().newest()
    return {each.client_session_id: each for each in newest}


def facts(session: Session) -> tuple[str, str, list[str]]:
    return session.parent, session.goal, [each.path for each in session.files]


@every_row(
    ("marks", "is_copy_older"),
    [(marks, number % 2 == 0) for number, marks in enumerate(MARKS)],
)
def test_both_in_one_import(
    tmp_path: Path, marks: dict[str, Any], is_copy_older: bool
) -> None:
    repository = make_repository(tmp_path / f"r{MARKS.index(marks)}")
    original = written_records(
        repository, CLIENT, records(repository, CLIENT, "backoff")
    )
    file = written_records(repository, COPY, copy(repository, marks))
    os.utime(file if is_copy_older else original, (1_700_000_000,) * 2)
    sessions = imported(repository)
    assert facts(sessions[CLIENT]) == ("", "backoff", ["backoff.py"])
    assert facts(sessions[COPY]) == (CLIENT, "changelog", ["changelog.py"])
    assert imported(repository) == sessions


@pytest.mark.endurance
@every_row("marks", MARKS[1:4])
def test_the_original_was_imported_and_is_gone(
    tmp_path: Path, marks: dict[str, Any]
) -> None:
    repository = make_repository(tmp_path / f"r{MARKS.index(marks)}")
    original = written_records(
        repository, CLIENT, records(repository, CLIENT, "backoff")
    )
    imported(repository)
    original.unlink()
    written_records(repository, COPY, copy(repository, marks))
    sessions = imported(repository)
    assert facts(sessions[CLIENT]) == ("", "backoff", ["backoff.py"])
    assert facts(sessions[COPY]) == (CLIENT, "changelog", ["changelog.py"])


@every_row("marks", MARKS)
def test_of_an_unknown_original_the_whole_is_kept(
    tmp_path: Path, marks: dict[str, Any]
) -> None:
    repository = make_repository(tmp_path / f"r{MARKS.index(marks)}")
    file = written_records(repository, COPY, copy(repository, marks))
    (session,) = imported(repository, file).values()
    parent = CLIENT if {*marks} - {"sessionKind"} else ""
    whole = parent, "backoff", ["backoff.py", "changelog.py"]
    assert facts(session) == whole
    written_records(repository, CLIENT, records(repository, CLIENT, "backoff"))
    sessions = imported(repository)
    assert facts(sessions[COPY])[1:] == whole[1:]
    assert facts(sessions[CLIENT]) == ("", "backoff", ["backoff.py"])


def test_a_copy_of_a_copy_is_the_child_of_the_copy(repository: Path) -> None:
    marks = {"sessionKind": "bg"}
    newest = COPY[:-1] + "2"
    written_records(repository, CLIENT, records(repository, CLIENT, "backoff"))
    written_records(repository, COPY, copy(repository, marks))
    lines = records(repository, newest, "backoff", "changelog", "release")
    written_records(repository, newest, [{**each, **marks} for each in lines])
    sessions = imported(repository)
    assert facts(sessions[COPY]) == (CLIENT, "changelog", ["changelog.py"])
    assert facts(sessions[newest]) == (COPY, "release", ["release.py"])
