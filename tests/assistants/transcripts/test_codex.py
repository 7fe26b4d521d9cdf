"""Codex's rollouts: a real one of version 0.169.0, and the forms of earlier ones."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistants.transcripts.hostile import read_sound
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.codex.conversations import CODEX
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker
from gitmem.documents.event import Todo
from gitmem.git.values import Change

REAL = next((Path(__file__).parent / "data" / "codex").glob(CODEX.pattern))
ID = "019f5c5a-eb02-7ff0-90af-653b66eba9f4"
META = {
    "id": ID,
    "timestamp": "2026-07-13T16:41:30.114Z",
    "cwd": "/project",
    "git": {"commit_hash": "1" * 40, "branch": "topic"},
}
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** End Patch\n"
APPLIED = "Success. Updated the following files:\nM a.py\n"

Line = dict[str, Any]


def line(kind: str, /, **payload: Any) -> Line:
    at = "2026-07-13T16:45:00.500Z"
    return {"timestamp": at, "type": kind, "payload": payload}


def item(name: str, /, **payload: Any) -> Line:
    return line("response_item", type=name, **payload)


def event(name: str, /, **payload: Any) -> Line:
    return line("event_msg", type=name, **payload)


def completed(name: str, thread: str = ID, **payload: Any) -> Line:
    return event("item_completed", thread_id=thread, item={"type": name, **payload})


def said(role: str, text: str) -> Line:
    return line("response_item", **message(role, text))


def message(role: str, text: str) -> Line:
    block = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": block, "text": text}]}


def written(folder: Path, lines: Iterable[object]) -> Path:
    file = folder / "rollout-x.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


def transcript(folder: Path, *lines: Line, **meta: Any) -> Transcript:
    first = line("session_meta", **{**META, **meta})
    (found,) = CODEX.read(written(folder, [first, *lines]))
    assert isinstance(found, Transcript)
    return found


def words(found: Transcript) -> list[tuple[Speaker, str]]:
    return [(each.speaker, each.text) for each in found.turns]


def edits(found: Transcript) -> list[tuple[str, str, Change]]:
    return [
        (each.folder, each.path, each.change)
        for each in found.events
        if each.kind is EventKind.EDIT
    ]


def test_a_real_rollout_is_read_with_every_text_and_patch_once() -> None:
    (found,) = CODEX.read(REAL)
    assert isinstance(found, Transcript)
    assert words(found) == [
        (Speaker.PERSON, "do it"),
        (Speaker.ASSISTANT, "There is no such tool."),
        (Speaker.PERSON, "go on"),
        (Speaker.ASSISTANT, "turn1 done."),
    ]
    assert found.client_session_id == "01a1ffc1-6b42-7681-b5a8-f158db8c8fcb"
    project = "/home/dev/project"
    assert (found.tool, found.folder, found.branch) == ("codex", project, "main")
    assert found.began_at == datetime(2026, 11, 21, 20, 17, 8, tzinfo=UTC)
    assert found.ended_at == datetime(2026, 11, 21, 20, 17, 10, tzinfo=UTC)
    assert found.turns[3].at == found.ended_at
    assert edits(found) == [
        (project, f"{project}/hello.txt", Change.CREATED),
        (project, f"{project}/sub/two.txt", Change.CREATED),
        (project, f"{project}/hello.txt", Change.MODIFIED),
    ]


def test_a_fork_names_its_parent(tmp_path: Path) -> None:
    """As version 0.169.0 begins the rollout of `codex fork` and `codex exec fork`."""
    parent = "01a20ec4-bf6a-7af0-ad9f-d338437117e0"
    fork = {"forked_from_id": parent, "forked_from_ordinal_exclusive": 20}
    assert transcript(tmp_path, said("user", "And on"), **fork).parent == parent
    assert CODEX.parent_in
    assert CODEX.parent_in(tmp_path / "rollout-x.jsonl", ID) == parent
    assert transcript(tmp_path, said("user", "Alone")).parent == ""
    assert CODEX.parent_in(tmp_path / "rollout-x.jsonl", ID) == ""
    first = line("session_meta", **META, forked_from_id=[7])
    assert CODEX.parent_in(written(tmp_path, [first]), ID) == ""
    assert CODEX.parent_in(written(tmp_path, []), ID) == ""


def test_events_are_believed_before_what_the_model_was_given(tmp_path: Path) -> None:
    found = transcript(
        tmp_path,
        said("user", "<environment_context>x</environment_context>"),
        said("user", "<plan>put in by a program</plan>"),
        said("user", "again"),
        event("user_message", message="again", kind="plain"),
        event("user_message", message="# rules", kind="user_instructions"),
        event("agent_message", message="Done."),
        said("assistant", "Done."),
        said("assistant", "A summary that nobody sees."),
        said("user", "again"),
        event("user_message", message="again", images=[]),
    )
    assert words(found) == [
        (Speaker.PERSON, "again"),
        (Speaker.ASSISTANT, "Done."),
        (Speaker.PERSON, "again"),
    ]


@every_row("folder", ["Current working directory: /project\n", "<cwd>/project</cwd>"])
def test_lines_of_old_rollouts_have_no_envelope(tmp_path: Path, folder: str) -> None:
    context = f"<environment_context>\n{folder}</environment_context>"
    first = {"id": "early", "timestamp": "2025-08-18T01:16:13.522Z", "git": {}}
    state = {"record_type": "state"}
    asked = [message("user", context), message("user", "make two of it")]
    file = written(tmp_path, [first, state, *asked, state, *old_patch(APPLIED)])
    (found,) = CODEX.read(file)
    assert isinstance(found, Transcript)
    assert (found.client_session_id, found.folder) == ("early", "/project")
    assert found.began_at == found.ended_at
    assert words(found) == [
        (Speaker.PERSON, "make two of it"),
        (Speaker.ASSISTANT, "It is two."),
    ]
    assert edits(found) == [("/project/sub", "a.py", Change.MODIFIED)]


def test_the_oldest_rollouts_are_one_object(tmp_path: Path) -> None:
    session = {"id": "first", "timestamp": "2025-05-02T09:00:00.000Z"}
    items = [message("user", "make two of it"), *old_patch("Done!")]
    file = tmp_path / "rollout-2025-05-02-first.json"
    file.write_text(json.dumps({"session": session, "items": items}, indent=2))
    (found,) = CODEX.read(file)
    assert isinstance(found, Transcript)
    assert (found.client_session_id, found.folder) == ("first", "/project/sub")
    assert [text for _, text in words(found)] == ["make two of it", "It is two."]
    assert edits(found) == [("/project/sub", "a.py", Change.MODIFIED)]


def test_a_rollout_that_names_no_folder_is_of_no_work_tree(tmp_path: Path) -> None:
    first = {"id": "early", "timestamp": "2025-08-18T01:16:13.522Z"}
    (found,) = CODEX.read(written(tmp_path, [first, message("user", "say hello")]))
    assert isinstance(found, Transcript)
    assert found.folder == ""


@every_row("value", ["[]", "{", '{"session": 1, "items": [2]}', "{}"])
def test_an_object_that_is_no_rollout_is_unread(tmp_path: Path, value: str) -> None:
    file = tmp_path / "rollout-x.json"
    file.write_text(value)
    assert [type(each) for each in read_sound(CODEX, file)] == [Unread]


def old_patch(output: str) -> list[Line]:
    call = {"command": ["apply_patch", PATCH], "workdir": "/project/sub"}
    done = json.dumps({"output": output, "metadata": {"exit_code": 0}})
    about = {"name": "shell", "arguments": json.dumps(call), "call_id": "c1"}
    return [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", **about},
        {"type": "function_call_output", "call_id": "c1", "output": done},
        message("assistant", "It is two."),
    ]


def called(name: str, **arguments: object) -> Line:
    about = {"name": name, "arguments": json.dumps(arguments), "call_id": "c"}
    return item("function_call", **about)


ITEM = item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c")
SHELL = {"type": "exec", "command": ["apply_patch", PATCH]}


@every_row(
    ("call", "output", "is_applied"),
    [
        (ITEM, APPLIED, True),
        (called("apply_patch", input=PATCH), APPLIED, True),
        (called("exec_command", cmd=f"apply_patch <<'EOF'\n{PATCH}EOF"), APPLIED, True),
        (item("local_shell_call", action=SHELL, call_id="c"), APPLIED, True),
        (ITEM, {"content": APPLIED, "success": True}, True),
        (ITEM, [{"type": "input_text", "text": APPLIED}], True),
        (ITEM, "apply_patch verification failed: no such file", False),
    ],
)
def test_patch_counts_once_it_was_applied(
    tmp_path: Path, call: Line, output: object, is_applied: bool
) -> None:
    result = item("function_call_output", call_id="c", output=output)
    found = transcript(tmp_path, event("user_message", message="go"), call, result)
    expected = [("/project", "a.py", Change.MODIFIED)]
    assert edits(found) == (expected if is_applied else [])


def test_a_patch_that_was_recorded_counts_by_its_record(tmp_path: Path) -> None:
    changes = {
        "/project/a.py": {"type": "update", "move_path": "/project/b.py"},
        "/project/c.py": {"delete": {"content": ""}},
    }
    found = transcript(
        tmp_path,
        ITEM,
        event("patch_apply_end", call_id="c", success=True, changes=changes),
        item("custom_tool_call_output", call_id="c", output=APPLIED),
        completed("FileChange", id="d", status="failed", changes=changes),
        event("patch_apply_end", call_id="e", success=False, changes=changes),
    )
    assert edits(found) == [
        ("/project", "/project/a.py", Change.MODIFIED),
        ("/project", "/project/a.py", Change.DELETED),
        ("/project", "/project/b.py", Change.CREATED),
        ("/project", "/project/c.py", Change.DELETED),
    ]


def test_relative_paths_are_those_of_the_folder_at_the_time(tmp_path: Path) -> None:
    call = ITEM, item("custom_tool_call_output", call_id="c", output=APPLIED)
    moved = line("turn_context", cwd="/project/sub")
    found = transcript(tmp_path, *call, moved, *call)
    assert [folder for folder, _, _ in edits(found)] == ["/project", "/project/sub"]
    assert found.folder == "/project"


def test_a_plan_is_the_whole_to_do_list(tmp_path: Path) -> None:
    plan = [
        {"step": "look", "status": "completed"},
        {"step": "mend", "status": "in_progress"},
    ]
    call = called("update_plan", plan=plan)
    (seen,) = transcript(tmp_path, call).events
    assert seen.kind is EventKind.TODOS
    assert seen.is_whole_list
    assert seen.todos == (
        Todo("look", "look", done=True),
        Todo("mend", "mend", done=False),
    )


def test_what_a_shell_ran_has_its_time(tmp_path: Path) -> None:
    call = {"call_id": "1", "name": "exec_command", "arguments": '{"cmd": "make x"}'}
    lines = [
        item("function_call", **call),
        item("function_call_output", call_id="1", output="x made"),
        item("function_call", call_id="2", name="write_stdin", arguments="{}"),
        item("function_call_output", call_id="2", output="done"),
        item("function_call", call_id="3", name="ocm__context", arguments="{}"),
        item("function_call_output", call_id="3", output="{}"),
    ]
    moments = [f"2026-07-13T16:42:0{at}.000Z" for at in range(len(lines))]
    timed = [{**each, "timestamp": at} for each, at in zip(lines, moments, strict=True)]
    ran = transcript(tmp_path, said("user", "make x"), *timed).runs
    assert [(each.command, each.output, each.folder) for each in ran] == [
        ("make x", "x made", "/project"),
        ("", "done", "/project"),
    ]
    assert [(each.began.second, each.ended.second) for each in ran] == [(0, 1), (2, 3)]


def test_commits_are_those_that_git_printed(tmp_path: Path) -> None:
    call = called("exec_command", cmd="git commit -am 'fix: two'")
    output = "Exit code: 0\nOutput:\n[topic 1f2e3d4] fix: two\n 1 file changed\n"
    result = item("function_call_output", call_id="c", output=output)
    (made,) = transcript(tmp_path, call, result).commits
    assert (made.sha, made.subject) == ("1f2e3d4", "fix: two")


def test_commits_are_read_from_a_command_that_goes_on(tmp_path: Path) -> None:
    lines = [
        called("exec_command", cmd="git commit -am 'fix: take both'"),
        item("function_call_output", call_id="c", output="Process running: 7"),
        item("function_call", call_id="2", name="write_stdin", arguments="{}"),
        item("function_call_output", call_id="2", output="[x 1f2e3d4] fix: take both"),
    ]
    (made,) = transcript(tmp_path, *lines).commits
    assert (made.sha, made.subject) == ("1f2e3d4", "fix: take both")


def test_what_an_editor_puts_before_a_prompt_is_left_out(tmp_path: Path) -> None:
    prompt = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n"
        "## My request for Codex:\nmake two of it\n"
    )
    found = transcript(tmp_path, event("user_message", message=prompt))
    assert words(found) == [(Speaker.PERSON, "make two of it")]


def test_what_another_thread_said_is_left_out(tmp_path: Path) -> None:
    content = [{"type": "text", "text": "hello"}]
    found = transcript(
        tmp_path,
        line("session_meta", **{**META, "id": "parent", "cwd": "/elsewhere"}),
        completed("UserMessage", thread="parent", content=content),
        completed("UserMessage", content=content),
    )
    assert words(found) == [(Speaker.PERSON, "hello")]
    assert found.client_session_id == ID


@every_row(
    "meta",
    [
        {"source": {"subagent": {"thread_spawn": {"depth": 1}}}},
        {"thread_source": "subagent"},
    ],
)
def test_the_work_of_a_subagent_is_no_conversation(tmp_path: Path, meta: Line) -> None:
    first = line("session_meta", **META, **meta)
    file = written(tmp_path, [first, event("user_message", message="look for it")])
    assert list(CODEX.read(file)) == []


def test_damaged_lines_cost_only_themselves(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        [
            line("session_meta", **META),
            {"timestamp": 7, "type": "event_msg", "payload": {}},
            event("user_message", message=["not", "a", "text"]),
            line("of_a_later_version", anything=1),
            event("user_message", message="hello"),
        ],
    )
    with file.open("a") as opened:
        opened.write("torn\n")
    damaged, unknown, torn, found = CODEX.read(file)
    assert damaged == Unread("not as Codex writes it", 2, count=2)
    assert torn == Unread("no JSON", 6)
    assert unknown == Unread("unknown type of record of_a_later_version")
    assert isinstance(found, Transcript)
    assert words(found) == [(Speaker.PERSON, "hello")]


@every_row(
    "first",
    [
        {"type": "thread.started", "thread_id": "x"},
        line("session_meta", **{**META, "timestamp": "yesterday"}),
        line("session_meta", **{**META, "id": 7}),
        ["a list"],
    ],
)
def test_other_files_are_not_read(tmp_path: Path, first: object) -> None:
    file = written(tmp_path, [first, event("user_message", message="hello")])
    assert list(CODEX.read(file)) == [Unread("no beginning of a conversation", 1)]


def test_a_rollout_in_which_nothing_was_said_is_no_conversation(tmp_path: Path) -> None:
    assert list(CODEX.read(written(tmp_path, [line("session_meta", **META)]))) == []
    assert list(CODEX.read(written(tmp_path, []))) == []


def test_rollouts_are_looked_for_in_the_home_of_codex() -> None:
    home = Path("/home/dev")
    kept = [home / ".codex" / name for name in ("sessions", "archived_sessions")]
    assert list(CODEX.places(home, {}, [])) == kept
    elsewhere = {"CODEX_HOME": "/data/codex"}
    assert next(iter(CODEX.places(home, elsewhere, []))) == Path("/data/codex/sessions")
