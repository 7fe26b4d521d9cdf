"""Copilot CLI's session state: real ones of version 1.0.102, and made lines."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from support.rounds import every_row

from gitmem.assistants.copilot.transcripts import COPILOT, FILE
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.assistants.transcripts.transcript_files import find_transcript
from gitmem.documents.conversation.conversation import Speaker
from gitmem.git.values import Change

DATA = Path(__file__).parent / "data" / "copilot"
RESUMED = "e89a73e1-4751-4d9e-9c36-9ced8bab6e01"
PATCHED = "fbcf8170-5bfc-4db6-82c1-e053c52b9919"
PROJECT = "/home/dev/project"
CONTEXT: dict[str, Any] = {"cwd": "/project", "branch": "topic"}
START: dict[str, Any] = {
    "sessionId": "c-1",
    "startTime": "2026-11-24T10:00:00.500Z",
    "context": CONTEXT,
}

Line = dict[str, Any]


def line(kind: str, /, **data: Any) -> Line:
    at = "2026-11-24T10:05:00.500Z"
    return {"type": kind, "timestamp": at, "data": data}


def ran(command: str, output: str, **more: Any) -> list[Line]:
    arguments = {"command": command}
    call = line("tool.execution_start", toolCallId="t", arguments=arguments)
    result = {"content": output}
    return [
        call,
        line("tool.execution_complete", toolCallId="t", result=result, **more),
    ]


def edited(path: str, kind: str, **more: Any) -> Line:
    edits = [{"path": path, "kind": kind}]
    return line("tool.execution_complete", toolCallId="e", fileEdits=edits, **more)


def written(folder: Path, lines: Iterable[object]) -> Path:
    file = folder / FILE
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


def transcript(folder: Path, *lines: Line) -> Transcript:
    (found,) = COPILOT.read(written(folder, [line("session.start", **START), *lines]))
    assert isinstance(found, Transcript)
    return found


def recorded(name: str) -> Transcript:
    (found,) = COPILOT.read(DATA / name / FILE)
    assert isinstance(found, Transcript)
    return found


def words(found: Transcript) -> list[tuple[Speaker, str]]:
    return [(each.speaker, each.text) for each in found.turns]


def edits(found: Transcript) -> list[tuple[str, Change]]:
    return [(each.path, each.change) for each in found.events]


def test_a_real_conversation_is_read_with_every_text_once() -> None:
    found = recorded(RESUMED)
    assert words(found) == [
        (Speaker.PERSON, "do it"),
        (Speaker.ASSISTANT, "All done."),
        (Speaker.PERSON, "go on"),
        (Speaker.ASSISTANT, "second run"),
    ]
    assert (found.tool, found.client_session_id) == ("copilot", RESUMED)
    assert (found.folder, found.branch) == (PROJECT, "main")
    assert found.began_at == datetime(2026, 11, 21, 20, 28, 28, tzinfo=UTC)
    assert found.ended_at == datetime(2026, 11, 21, 20, 28, 34, tzinfo=UTC)
    assert [each.command[:12] for each in found.runs] == ["echo hi > by"]


def test_real_edits_are_those_that_were_committed_to_disk() -> None:
    hello = f"{PROJECT}/hello.txt"
    created, modified = Change.CREATED, Change.MODIFIED
    assert edits(recorded(RESUMED)) == [(hello, created), (hello, modified)]
    assert edits(recorded(PATCHED)) == [
        (f"{PROJECT}/new.txt", created),
        (hello, modified),
    ]


def test_what_no_person_typed_is_left_out(tmp_path: Path) -> None:
    found = transcript(
        tmp_path,
        line("user.message", content="make two of it"),
        line("user.message", content="a skill's text", source="skill-pdf"),
        line("user.message", content="go on", isAutopilotContinuation=True),
        {**line("user.message", content="to a subagent"), "agentId": "a"},
        line("assistant.message", content="", toolRequests=[]),
        line("assistant.message", content="by a subagent", parentToolCallId="t"),
        line("assistant.message", content=" Done. "),
    )
    assert words(found) == [
        (Speaker.PERSON, "make two of it"),
        (Speaker.ASSISTANT, "Done."),
    ]


def call(name: str, arguments: object, *, success: bool = True) -> list[Line]:
    """A call of a version that did not list the files."""
    started = {"toolCallId": name, "toolName": name, "arguments": arguments}
    done = line("tool.execution_complete", toolCallId=name, success=success)
    return [line("tool.execution_start", **started), done]


def test_calls_name_the_files_where_results_do_not(tmp_path: Path) -> None:
    found = transcript(
        tmp_path,
        *call("create", {"path": "/project/a.py", "file_text": "x"}),
        *call("edit", {"path": r"C:\project\b.py", "old_str": "x"}),
        *call("apply_patch", "*** Begin Patch\n*** Delete File: c.py\n*** End Patch"),
        *call("view", {"path": "/project/d.py"}),
        *call("create", {"path": "/project/e.py"}, success=False),
        call("create", {"path": "/project/never-ended.py"})[0],
        *call("edit", {"path": ""}),
        edited("/project/f.py", "edit", success=True),
    )
    assert edits(found) == [
        ("/project/a.py", Change.CREATED),
        (r"C:\project\b.py", Change.MODIFIED),
        ("c.py", Change.DELETED),
        ("/project/f.py", Change.MODIFIED),
    ]


def test_a_file_is_named_once_by_call_and_result(tmp_path: Path) -> None:
    start, _ = call("create", {"path": "/project/a.py"})
    file = {"path": "/project/a.py", "kind": "create"}
    ended = {"toolCallId": "create", "success": True, "fileEdits": [file]}
    found = transcript(tmp_path, start, line("tool.execution_complete", **ended))
    assert edits(found) == [("/project/a.py", Change.CREATED)]


TRUST = "Folder /trusted has been added to trusted folders."


@every_row(
    ("context", "workspace", "folder"),
    [
        ({"cwd": "/project"}, "cwd: /other\n", "/project"),
        (None, "id: x\ncwd: /project\n", "/project"),
        (None, "cwd: '/it''s: here'\n", "/it's: here"),
        (None, None, "/trusted"),
        (None, "id: x\n", "/trusted"),
    ],
)
def test_the_folder_stands_in_one_of_three_places(
    tmp_path: Path, context: object, workspace: str | None, folder: str
) -> None:
    (tmp_path / "workspace.yaml").unlink(missing_ok=True)
    if workspace is not None:
        (tmp_path / "workspace.yaml").write_text(workspace)
    trust = line("session.info", infoType="folder_trust", message=TRUST)
    start = line("session.start", **{**START, "context": context})
    file = written(tmp_path, [start, trust, line("user.message", content="hello")])
    (found,) = COPILOT.read(file)
    assert isinstance(found, Transcript)
    assert found.folder == folder


def test_what_was_rewound_is_left_out(tmp_path: Path) -> None:
    def named(name: str, each: Line) -> Line:
        return {**each, "id": name}

    found = transcript(
        tmp_path,
        named("1", line("user.message", content="a")),
        named("2", line("user.message", content="b")),
        *call("create", {"path": "/project/b.py"}),
        named("3", line("user.message", content="c")),
        line("session.snapshot_rewind", upToEventId="3", eventsRemoved=1),
        line("session.snapshot_rewind", upToEventId="2", eventsRemoved=3),
        line("session.snapshot_rewind", upToEventId="removed", eventsRemoved=3),
        named("4", line("user.message", content="d")),
    )
    assert [each.text for each in found.turns] == ["a", "d"]
    assert edits(found) == []


def test_the_first_versions_had_no_folder_of_a_conversation(tmp_path: Path) -> None:
    (folder := tmp_path / "session-state").mkdir()
    lines = [line("session.start", **START), line("user.message", content="hello")]
    file = written(folder, lines).rename(folder / "c-1.jsonl")
    assert [type(each) for each in COPILOT.read(file)] == [Transcript]
    (folder / "c-1" / "files").mkdir(parents=True)
    other = file.rename(folder / "c-1" / "files" / "data.jsonl")
    assert list(COPILOT.read(other)) == []


def test_a_subagents_edit_counts(tmp_path: Path) -> None:
    found = transcript(
        tmp_path, edited("/project/a", "delete", parentToolCallId="task")
    )
    assert edits(found) == [("/project/a", Change.DELETED)]


def test_commits_are_those_that_git_printed(tmp_path: Path) -> None:
    output = "[topic 1f2e3d4] fix: two\n 1 file changed\n"
    (made,) = transcript(tmp_path, *ran("git commit -am 'fix: two'", output)).commits
    assert (made.sha, made.subject, made.branch) == ("1f2e3d4", "fix: two", "topic")


def test_a_command_ran_in_the_folder_of_its_time(tmp_path: Path) -> None:
    failed = line("tool.execution_complete", toolCallId="t", success=False)
    found = transcript(
        tmp_path,
        line("user.message", content="go"),
        *(ran("ls", "a")[0], failed),
        line("session.context_changed", cwd="/project/sub"),
        *ran("ls", "b"),
        line("session.resume", context=CONTEXT),
        *ran("ls", "c"),
    )
    folders = [each.folder for each in found.runs]
    assert folders == ["/project", "/project/sub", "/project"]
    assert found.folder == "/project"


def test_the_last_summary_of_a_compaction_is_the_summary(tmp_path: Path) -> None:
    found = transcript(
        tmp_path,
        line("user.message", content="go"),
        line("session.compaction_complete", success=True, summaryContent="first"),
        line("session.compaction_complete", success=True, summaryContent="second"),
        line("session.compaction_complete", success=False),
    )
    assert found.summary == "second"


def test_damaged_lines_cost_only_themselves(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        [
            line("session.start", **START),
            {"type": "user.message", "timestamp": 7, "data": []},
            line("user.message", content=["not", "a", "text"]),
            edited("/project/a", "of a later version"),
            line("of_a_later_version", anything=1),
            line("user.message", content="hello"),
        ],
    )
    with file.open("a") as opened:
        opened.write("torn\n")
    damaged, unknown, torn, found = COPILOT.read(file)
    assert unknown == Unread("unknown type of record of_a_later_version")
    assert damaged == Unread("not as Copilot CLI writes it", 2, count=3)
    assert torn == Unread("no JSON", 7)
    assert isinstance(found, Transcript)
    assert words(found) == [(Speaker.PERSON, "hello")]


@every_row(
    "first",
    [
        line("user.message", content="hello"),
        line("session.start", **{**START, "startTime": "yesterday"}),
        line("session.start", **{**START, "sessionId": 7}),
    ],
)
def test_other_files_are_not_read(tmp_path: Path, first: object) -> None:
    file = written(tmp_path, [first, line("user.message", content="hello")])
    assert list(COPILOT.read(file)) == [Unread("not as Copilot CLI writes it", 1, 2)]


def test_a_file_without_words_and_edits_is_no_conversation(tmp_path: Path) -> None:
    lines = [line("session.start", **START), line("session.shutdown")]
    assert list(COPILOT.read(written(tmp_path, lines))) == []


def test_it_is_found_by_its_id_below_the_users_folder(tmp_path: Path) -> None:
    own = tmp_path / "own" / "session-state"
    (own / "c-1").mkdir(parents=True)
    file = written(own / "c-1", [line("session.start", **START)])
    written(tmp_path, [line("session.start", **START)])
    for home in ({}, {"COPILOT_HOME": str(own.parent)}):
        places = list(COPILOT.places(tmp_path, home, ()))
        found = find_transcript(f"c-1/{FILE}", places, COPILOT.pattern)
        assert found == (file.resolve() if home else None)
        assert find_transcript(f"../../{FILE}", places, COPILOT.pattern) is None
