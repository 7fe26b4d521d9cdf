"""Transcripts of Gemini CLI: real ones of 0.61.0, and the form of earlier ones."""

import json
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from support.harness import git
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport, ImportStatus
from gitmem.assistants.assistant import EventKind
from gitmem.assistants.gemini.transcripts import GEMINI
from gitmem.assistants.transcripts import PrintedCommit, Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker
from gitmem.documents.event import Todo
from gitmem.git.values import Change

DATA = Path(__file__).parents[1] / "transcripts" / "data" / "gemini_cli"
RESUMED = DATA / "session-2026-11-21T20-26-5e051830.jsonl"
COMPACTED = DATA / "session-2026-11-24T01-22-6dd072ed.jsonl"
PROJECT = "/home/dev/project"
AT = "2026-11-21T20:26:36.286Z"
HEAD = {"sessionId": "c-1", "projectHash": "0", "startTime": AT, "kind": "main"}


def kept(tmp: Path, file: Path, project: str = PROJECT) -> Path:
    """The file in a folder as Gemini CLI makes one."""
    chats = tmp / "project" / "chats"
    chats.mkdir(parents=True, exist_ok=True)
    (chats.parent / ".project_root").write_text(project)
    return Path(shutil.copy(file, chats))


def written(
    folder: Path, lines: Iterable[object], name: str = "session-x.jsonl"
) -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


def transcript(folder: Path, *lines: object) -> Transcript:
    (found,) = GEMINI.read(written(folder, [HEAD, *lines]))
    assert isinstance(found, Transcript)
    return found


def message(kind: str, content: object, name: str = "m", **more: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": AT, "type": kind, "content": content, **more}


def call(tool: str, name: str = "c", **values: Any) -> dict[str, Any]:
    return {"id": name, "name": tool, "status": "success", "timestamp": AT, **values}


def words(found: Transcript) -> list[tuple[Speaker, str]]:
    return [(each.speaker, each.text) for each in found.turns]


def test_a_resumed_session_is_read_with_every_text_once(tmp_path: Path) -> None:
    """As it resumes, Gemini CLI writes all that was said once more."""
    (found,) = GEMINI.read(kept(tmp_path, RESUMED))
    assert isinstance(found, Transcript)
    assert found.client_session_id == "5e051830-0f4d-42b4-9b36-f5c8e31b2023"
    assert found.folder == PROJECT
    assert found.began_at == datetime(2026, 11, 21, 20, 26, 36, tzinfo=UTC)
    assert words(found) == [
        (Speaker.PERSON, "do it"),
        (Speaker.ASSISTANT, "All done."),
        (Speaker.PERSON, "go on"),
        (Speaker.ASSISTANT, "second run"),
    ]
    assert [(each.path, each.change) for each in found.events] == [
        (f"{PROJECT}/hello.txt", Change.CREATED),
        (f"{PROJECT}/hello.txt", Change.MODIFIED),
    ]
    (ran,) = found.runs
    assert ran.command.startswith("echo hi > by_bash.txt")
    assert ran.folder == PROJECT


def test_a_compaction_loses_nothing_and_leaves_its_summary(tmp_path: Path) -> None:
    (found,) = GEMINI.read(kept(tmp_path, COMPACTED))
    assert isinstance(found, Transcript)
    assert words(found)[:2] == [
        (Speaker.PERSON, "Write z"),
        (Speaker.ASSISTANT, "Compacted and done."),
    ]
    assert {each.speaker for each in found.turns[2:]} == {Speaker.ASSISTANT}
    assert found.summary == "<overall_goal>Say hello</overall_goal>"
    assert found.commits == (PrintedCommit("ccae255", "Add z", "master"),)


def test_what_programs_put_in_is_left_out(tmp_path: Path) -> None:
    parts = [
        {"text": "<hook_context>b</hook_context>\n\nlook"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "secret"},
        {"text": "<hook_context>more</hook_context>"},
        {"functionResponse": {"name": "x"}},
    ]
    found = transcript(
        tmp_path,
        message("user", parts, "1"),
        message("user", "expanded", "2", displayContent=[{"text": "@a.py explain"}]),
        message("user", "gitmem: 20 edits were made since", "3"),
        message("gemini", [{"text": "hm", "thought": True}, {"text": "Done."}], "4"),
        message("info", "Request cancelled.", "5"),
    )
    assert words(found) == [
        (Speaker.PERSON, "look"),
        (Speaker.PERSON, "@a.py explain"),
        (Speaker.ASSISTANT, "Done."),
    ]


@every_row(
    ("back", "left"),
    [
        (["3"], ["a", "b", "d"]),
        (["2"], ["a", "d"]),
        (["3", "2"], ["a", "d"]),
        (["2", "1"], ["d"]),
        (["unknown"], ["d"]),
    ],
)
def test_what_was_rewound_is_left_out(
    tmp_path: Path, back: list[str], left: list[str]
) -> None:
    asked = [
        line
        for name, words in zip("123", "abc", strict=True)
        for line in (
            message("user", words, name),
            message(
                "gemini",
                "",
                f"{name}-answer",
                toolCalls=[call("replace", words, args={"file_path": words})],
            ),
        )
    ]
    rewinds = [{"$rewindTo": name} for name in back]
    found = transcript(tmp_path, *asked, *rewinds, message("user", "d", "4"))
    assert [each.text for each in found.turns] == left
    assert [each.path for each in found.events] == left[:-1]


def test_what_is_unknown_is_counted(tmp_path: Path) -> None:
    lines = [HEAD, {"$undo": 1}, message("said", "x", "1"), message("user", "a", "2")]
    *unread, found = GEMINI.read(written(tmp_path, lines))
    assert unread == [
        Unread("unknown type of record"),
        Unread("unknown type of record said"),
    ]
    assert isinstance(found, Transcript)


def test_only_calls_that_succeeded_count_and_once(tmp_path: Path) -> None:
    todos = [{"description": "one", "status": "pending"}]
    calls = [
        call("replace", "1", args={"file_path": "/p/a"}),
        {**call("replace", "2", args={"file_path": "/p/b"}), "status": "error"},
        call("write_todos", "3", args={"todos": todos}),
        call("read_file", "4", args={"file_path": "/p/c"}),
    ]
    said = message("gemini", "", toolCalls=calls)
    found = transcript(tmp_path, said, said)
    assert [(each.kind, each.path) for each in found.events] == [
        (EventKind.EDIT, "/p/a"),
        (EventKind.TODOS, ""),
    ]
    assert found.events[1].todos == (Todo("one", "one", done=False),)


def test_an_older_version_wrote_one_object(tmp_path: Path) -> None:
    session = {**HEAD, "messages": [message("user", "hi")]}
    file = tmp_path / "session-2025-08-01T10-00-abcdef12.json"
    file.write_text(json.dumps(session, indent=2))
    (found,) = GEMINI.read(file)
    assert isinstance(found, Transcript)
    assert words(found) == [(Speaker.PERSON, "hi")]
    file.write_text("[" * 100_000)
    assert list(GEMINI.read(file)) == [Unread("no JSON object", 1)]


def test_a_subagents_session_is_left_out(tmp_path: Path) -> None:
    lines = [{**HEAD, "kind": "subagent"}, message("user", "hi")]
    assert list(GEMINI.read(written(tmp_path, lines))) == []


def test_folders_are_found_by_project_or_by_the_hash_of_older_versions(
    tmp_path: Path,
) -> None:
    root, tmp = tmp_path / "work", tmp_path / ".gemini" / "tmp"
    for name, project in (("work", root), ("sub", root / "sub"), ("other", tmp_path)):
        (tmp / name).mkdir(parents=True)
        (tmp / name / ".project_root").write_text(str(project))
    hashed = sha256(str(root).encode()).hexdigest()
    (tmp / hashed).mkdir()
    (tmp / "loop").symlink_to(tmp / "loop")
    found = GEMINI.places(tmp_path, {}, [root])
    assert {each.parent.name for each in found} == {"work", "sub", hashed}
    moved = {"GEMINI_CLI_HOME": str(tmp_path)}
    assert len(list(GEMINI.places(tmp_path / "elsewhere", moved, [root]))) == 3


def test_import_brings_them_in_once(repository: Path) -> None:
    tmp = Path.home() / ".gemini" / "tmp"
    kept(tmp, RESUMED, str(repository.resolve()))
    outcomes = []
    for _ in range(2):
        workspace, report = workspace_at(repository), ImportReport()
        wanted = ImportRequest(reader=GEMINI)
        files = wanted_files(workspace, wanted)
        bring_in(workspace, wanted, files, report, lambda *_: None)
        outcomes += [(each.outcome, each.goal) for each in report.sessions]
    assert outcomes == [(ImportStatus.NEW, "do it"), (ImportStatus.ALREADY, "do it")]
    assert git(repository, "rev-list", "--count", "refs/ocm/sessions") == "1"
