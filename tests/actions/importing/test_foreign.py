"""No conversation of another project gets in, by whatever reader and folder."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from actions.importing.test_bring_in import imported
from assistants.opencode.records import DUMP
from assistants.opencode.records import PROJECT as RECORDED
from support.harness import CLIENT, make_repository
from support.transcripts import aider_file, claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

from gitmem.actions.importing.histories import importable_histories
from gitmem.actions.importing.report import ImportStatus
from gitmem.assistants.readers import READERS

AT = "2026-03-01T10:00:00.000Z"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "opencodememory-0.2.0"
WORDS = "Rename the payroll export columns."


def lines(file: Path, *values: dict[str, Any]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(each)}\n" for each in values))
    return file


def claude_code(folder: str | None, home: Path, project: Path) -> Path:
    """In the folder of projects that have no name of ours."""
    said: dict[str, Any] = {"type": "user", "sessionId": CLIENT, "timestamp": AT}
    said |= {"message": {"role": "user", "content": WORDS}}
    said |= {} if folder is None else {"cwd": folder}
    return lines(kept_by_claude_code(home, project) / f"{CLIENT}.jsonl", said)


def codex(folder: str | None, home: Path, _: Path) -> Path:
    meta: dict[str, Any] = {"id": CLIENT, "timestamp": AT}
    meta |= {} if folder is None else {"cwd": folder}
    said = {"type": "user_message", "message": WORDS, "kind": "plain"}
    return lines(
        home / f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{CLIENT}.jsonl",
        {"type": "session_meta", "timestamp": AT, "payload": meta},
        {"type": "event_msg", "timestamp": AT, "payload": said},
    )


def copilot(folder: str | None, home: Path, _: Path) -> Path:
    begun: dict[str, Any] = {"sessionId": CLIENT, "startTime": AT, "version": 1}
    begun |= {} if folder is None else {"context": {"cwd": folder}}
    return lines(
        home / f".copilot/session-state/{CLIENT}/events.jsonl",
        {"type": "session.start", "timestamp": AT, "data": begun},
        {"type": "user.message", "timestamp": AT, "data": {"content": WORDS}},
    )


def gemini(folder: str | None, home: Path, _: Path) -> Path:
    project = home / ".gemini" / "tmp" / "payroll"
    project.mkdir(parents=True, exist_ok=True)
    if folder is not None:
        (project / ".project_root").write_text(folder)
    said = {"id": "1", "timestamp": AT, "type": "user", "content": [{"text": WORDS}]}
    return lines(
        project / "chats" / "session-2026-03-01T10-00-0a1b2c3d.jsonl",
        {"sessionId": CLIENT, "startTime": AT, "kind": "main"},
        said,
    )


def antigravity(folder: str | None, home: Path, _: Path) -> Path:
    """Of which the first command tells the folder."""
    log = home / f".gemini/antigravity/brain/{CLIENT}/.system_generated/logs"
    step = {"source": "MODEL", "status": "DONE", "created_at": AT, "content": ""}
    call = {"name": "run_command", "args": {"CommandLine": "ls", "Cwd": folder or ""}}
    return lines(
        log / "transcript_full.jsonl",
        {**step, "type": "USER_INPUT", "content": WORDS},
        {**step, "type": "PLANNER_RESPONSE", "tool_calls": [call]},
        {**step, "type": "RUN_COMMAND"},
    )


def opencode(folder: str | None, home: Path, _: Path) -> Path:
    file = home / ".local" / "share" / "opencode" / "opencode.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as database:
        database.executescript(DUMP.read_text().replace(RECORDED, "/payroll"))
        database.execute("UPDATE session SET directory = ?", (folder or "",))
        database.commit()
    return file


def specstory(folder: str | None, _: Path, project: Path) -> Path:
    """What another project keeps, or for no folder a copy that says nothing."""
    recorded = Path(__file__).parents[2] / "assistants/transcripts/data/specstory"
    (file,) = recorded.glob("2026-*.md")
    inside = ".specstory/history" if folder is not None else "notes"
    target = project / inside / file.name
    target.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(file, target))


def aider(_folder: str | None, _home: Path, project: Path) -> Path:
    return aider_file(project, WORDS)


def opencodememory(folder: str | None, _home: Path, project: Path) -> Path:
    """In the project's own folder, or for no folder in another."""
    kept = project / ("elsewhere" if folder is None else ".openCodeMemory")
    kept.mkdir(parents=True, exist_ok=True)
    file = kept / "memory.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript((FIXTURES / "memory.sql").read_text())
    return file


WRITERS: dict[str, Callable[[str | None, Path, Path], Path]] = {
    "claude-code": claude_code,
    "codex": codex,
    "copilot": copilot,
    "gemini-cli": gemini,
    "antigravity": antigravity,
    "opencode": opencode,
    "specstory": specstory,
    "aider": aider,
    "opencodememory": opencodememory,
}
FOLDERS = (
    *(None, "", ".", "~/payroll", "../payroll", "C:\\work\\payroll"),
    *("\\\\server\\share\\payroll", "/Users/ann/payroll", "/", "file:///"),
)
"""Missing, empty, relative, of Windows, and of another machine."""


def test_every_reader_is_tried() -> None:
    assert {reader.tool for reader in READERS} == WRITERS.keys()


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.tool)
def test_nothing_of_another_project_gets_in(
    reader: Any, sealed_environment: Path, repository: Path, tmp_path: Path
) -> None:
    """Neither in its place, nor in a folder that is named, nor through a link."""
    other = make_repository(tmp_path / "payroll")
    link, moved = tmp_path / "linked-payroll", tmp_path / "moved"
    link.symlink_to(other)
    folders = [*FOLDERS, str(other), str(link), str(moved / "payroll")]
    folders += [f"{repository}-2", str(repository.parent), f"{repository}/../payroll"]
    before = workspace_at(repository).repository.refs("refs/ocm/")
    for folder in folders:
        file = WRITERS[reader.tool](folder, sealed_environment, other)
        report = imported(repository, reader.tool, paths=(file.parent,))
        assert not report.sessions, folder
        assert report.elsewhere or not report.files, folder
        file.unlink()
    for folder in (None, str(other), str(link)):
        file = WRITERS[reader.tool](folder, sealed_environment, other)
        assert not imported(repository, reader.tool).sessions, folder
        assert [*importable_histories(workspace_at(repository))] == [], folder
        file.unlink()
    assert workspace_at(repository).repository.refs("refs/ocm/") == before


@pytest.mark.parametrize("tool", ["specstory", "aider", "opencodememory"])
def test_a_link_to_files_of_another_project_proves_nothing(
    tool: str, sealed_environment: Path, repository: Path, tmp_path: Path
) -> None:
    other = make_repository(tmp_path / "payroll")
    file = WRITERS[tool]("", sealed_environment, other)
    name = file.relative_to(other).parts[0]
    (repository / name).symlink_to(other / name)
    report = imported(repository, tool)
    assert (report.files, report.sessions) == (1, [])
    assert report.elsewhere.keys() == {str(other)}


@pytest.mark.parametrize("tool", ["claude-code", "codex", "copilot", "gemini-cli"])
def test_one_without_a_folder_gets_in_if_its_file_is_named(
    tool: str, sealed_environment: Path, repository: Path, tmp_path: Path
) -> None:
    file = WRITERS[tool](None, sealed_environment, tmp_path / "other")
    (session,) = imported(repository, tool, paths=[file]).sessions
    assert (session.outcome, session.goal) == (ImportStatus.NEW, WORDS)


def test_the_place_of_a_file_proves_its_work_tree(
    sealed_environment: Path, repository: Path
) -> None:
    claude_code(None, sealed_environment, repository)
    assert [each.goal for each in imported(repository).sessions] == [WORDS]
    specstory(None, sealed_environment, repository)
    report = imported(repository, "specstory", paths=[repository / "notes"])
    assert len(report.sessions) == 1


def test_no_path_of_another_system_is_a_file_of_the_session(
    sealed_environment: Path, repository: Path
) -> None:
    """A conversation here may edit files of the Windows side."""
    edits = ["C:\\payroll\\pay.py", "~/payroll/pay.py", "\\\\wsl$\\a\\pay.py", "a.py"]
    kept = kept_by_claude_code(sealed_environment, repository)
    claude_code_file(kept, CLIENT, WORDS, cwd=repository, edits=edits)
    imported(repository)
    (session,) = workspace_at(repository).store.memory().newest()
    assert [file.path for file in session.files] == ["a.py"]
