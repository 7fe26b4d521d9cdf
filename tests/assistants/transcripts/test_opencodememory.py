"""Documents and the database of `ocm-session-memory`, beside copies of ours."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from actions.importing.test_bring_in import imported, outcomes, sessions
from assistants.transcripts.hostile import read_sound
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.importing.import_transcripts import ImportRequest, wanted_files
from gitmem.actions.reading.documents import readable_copy
from gitmem.assistants.opencodememory import OPENCODEMEMORY
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import PlanFile, Reference, Session, Status
from gitmem.lookup import find_id

FIXTURES = Path(__file__).parents[2] / "fixtures" / "opencodememory-0.2.0"
TOOL = "opencodememory"


def database(folder: Path, script: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "memory.db"
    with closing(sqlite3.connect(file)) as opened:
        opened.executescript(script or (FIXTURES / "memory.sql").read_text())
    return file


def documents(folder: Path) -> list[Path]:
    (folder / "sessions").mkdir(parents=True, exist_ok=True)
    files = sorted(FIXTURES.glob("2026*.md"))
    return [Path(shutil.copy(file, folder / "sessions")) for file in files]


def check(found: Session) -> None:
    assert found.goal == "Migrate the embedding endpoint to TEI."
    assert found.work_completed == (
        "Replaced vLLM in embedding_server.py",
        "Wrote a benchmark",
    )
    assert found.work_pending == ("Tune the batch size",)
    assert found.work_summary == ("TEI at 38 ms",)
    assert found.decisions == ("**TEI over Infinity:** native support",)
    assert found.plan_files == (PlanFile("docs/plan.md", "## TEI Plan"),)
    assert found.references == (Reference("https://example.com/tei", "TEI"),)
    assert found.status is Status.CLOSED
    assert found.session_id.endswith("_claude-code_tei-migration")
    assert found.client_session_id == "0a1b2c3d-4e5f-4000-8000-000000000001"
    assert found.extra_body == ""


@every_row("kept", [database, documents])
def test_become_sessions_once(repository: Path, kept: object) -> None:
    shutil.rmtree(repository / ".openCodeMemory", ignore_errors=True)
    assert callable(kept)
    kept(repository / ".openCodeMemory")
    imported(repository, TOOL)
    (tei,) = (each for each in sessions(repository) if each.tool == "claude-code")
    check(tei)
    assert {each.tool for each in sessions(repository)} == {"claude-code", "cursor"}
    assert set(outcomes(imported(repository, TOOL))) == {"already"}


def test_a_session_in_both_is_read_in_the_database(repository: Path) -> None:
    folder = repository / ".openCodeMemory"
    database(folder)
    documents(folder)
    shutil.copy(documents(folder)[0], folder / "sessions" / "2026-03-02_10-00_x_y.md")
    wanted = ImportRequest(reader=OPENCODEMEMORY)
    files = wanted_files(workspace_at(repository), wanted)
    assert {file.path.name for file in files} == {
        "memory.db",
        "2026-03-02_10-00_x_y.md",
    }


def test_copies_of_ours_are_never_imported(repository: Path) -> None:
    database(repository / ".openCodeMemory")
    imported(repository, TOOL)
    (repository / ".openCodeMemory" / "memory.db").unlink()
    workspace = workspace_at(repository)
    found = (readable_copy(workspace, each.id) for each in sessions(repository))
    copies = [*filter(None, found)]
    assert len(copies) == 2
    assert imported(repository, TOOL).files == 0
    report = imported(repository, TOOL, paths=copies)
    assert report.sessions == []
    reasons = {x.first[0].reason for x in report.unread.values()}
    assert reasons == {"a readable copy of gitmem"}


def test_what_the_home_folder_has_is_of_all_projects(
    sealed_environment: Path, repository: Path
) -> None:
    file = database(sealed_environment / ".openCodeMemory")
    report = imported(repository, TOOL, paths=[file])
    assert (report.sessions, report.elsewhere.total()) == ([], 2)


@pytest.mark.parametrize(
    "script", ["CREATE TABLE a (b)", "CREATE TABLE sessions (id, started_at)"]
)
def test_a_damaged_database_is_counted(tmp_path: Path, script: str) -> None:
    script += "; INSERT INTO sessions VALUES (1, 'x')" if "id" in script else ""
    (read,) = read_sound(OPENCODEMEMORY, database(tmp_path, script))
    assert isinstance(read, Unread)


@every_row("text", ["", "---\n", "---\nsession_id: a\n---\n## Goal\nx\n", "\0\n" * 99])
def test_any_document_is_read_without_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.md"
    file.write_text(text)
    (read,) = read_sound(OPENCODEMEMORY, file)
    assert not isinstance(read, Transcript)


def test_a_copy_of_ours_takes_no_document_away(repository: Path) -> None:
    """Its session has the same id, and the same place."""
    document, *_ = documents(repository / ".openCodeMemory")
    before = document.read_text()
    imported(repository, TOOL)
    workspace = workspace_at(repository)
    copy = readable_copy(workspace, find_id(workspace, SESSION, document.stem))
    assert copy
    assert copy != document
    assert document.read_text() == before
