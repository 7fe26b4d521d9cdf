"""What is read of Claude Code's transcripts: real lines, and lines like them."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from support.rounds import every_row

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Todo
from gitmem.git.values import Change

DATA = Path(__file__).parent / "data" / "claude_code"
ID = "0a1b2c3d-4e5f-4000-8000-000000000000"
OTHER = "9a1b2c3d-4e5f-4000-8000-000000000009"
NOON = datetime(2026, 2, 9, 12, tzinfo=UTC)
REJECTION = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected."
    " To tell you how to proceed, the user said:\n"
)


def line(kind: str, content: object = None, **values: Any) -> dict[str, Any]:
    return {
        "isSidechain": False,
        "cwd": "/project",
        "sessionId": ID,
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, "content": content},
        "timestamp": "2026-02-09T12:00:00.000Z",
        **values,
    }


def user(content: object, **values: Any) -> dict[str, Any]:
    return line("user", content, **values)


def used(
    tool: str, arguments: object, response: object = None, **result: Any
) -> list[dict[str, Any]]:
    """The call of a tool, and its result."""
    call = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": arguments}
    came_to = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "", **result}
    return [line("assistant", [call]), user([came_to], toolUseResult=response)]


def command(name: str, arguments: str = "") -> str:
    """The line of a command that somebody wrote as a prompt."""
    return (
        f"<command-message>{name}</command-message>\n<command-name>/{name}"
        f"</command-name>\n<command-args>{arguments}</command-args>"
    )


def own_command(name: str, arguments: str = "") -> str:
    return (
        f"<command-name>/{name}</command-name>\n  <command-message>{name}"
        f"</command-message>\n  <command-args>{arguments}</command-args>"
    )


def write(folder: Path, lines: list[Any], name: str = ID) -> Path:
    file = folder / f"{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def read(folder: Path, *lines: Any) -> Transcript:
    (transcript,) = CLAUDE_CODE.read(write(folder, list(lines)))
    assert isinstance(transcript, Transcript)
    return transcript


def recorded(name: str) -> Transcript:
    (file,) = DATA.glob(f"{name}*.jsonl")
    (transcript,) = CLAUDE_CODE.read(file)
    assert isinstance(transcript, Transcript)
    return transcript


def said(transcript: Transcript, speaker: Speaker = Speaker.PERSON) -> list[str]:
    return [turn.text for turn in transcript.turns if turn.speaker is speaker]


def edited(transcript: Transcript) -> list[tuple[str, Change]]:
    edits = (seen for seen in transcript.events if seen.kind is EventKind.EDIT)
    return [(edit.path, edit.change) for edit in edits]


class TestRealSessions:
    def test_version_2_0_76(self) -> None:
        transcript = recorded("a0bd162f")
        assert transcript.client_session_id == "a0bd162f-1328-48c5-83bc-c0674aa791ac"
        assert (transcript.folder, transcript.branch) == ("/home/dev/project", "main")
        assert transcript.began_at == datetime(2026, 1, 5, 13, 54, 16, tzinfo=UTC)
        first, *others = transcript.turns
        assert first.text.startswith("the new logging feature writes to `.entire/logs`")
        assert (first.speaker, first.at) == (Speaker.PERSON, transcript.began_at)
        speakers = [turn.speaker for turn in others]
        person, assistant = Speaker.PERSON, Speaker.ASSISTANT
        assert speakers == [assistant, person, assistant, assistant]
        assert edited(transcript) == [
            ("/home/dev/project/cmd/entire/cli/setup.go", Change.MODIFIED),
            ("/home/dev/project/cmd/entire/cli/strategy/common.go", Change.MODIFIED),
        ]

    def test_version_2_1_5_with_a_summary_and_a_to_do_list(self) -> None:
        transcript = recorded("21a2e002")
        first, second = said(transcript)
        assert first == "can you sort the branches by date?"
        assert second.startswith("This is still not working perfectly")
        assert edited(transcript) == [
            ("/home/dev/project/cmd/entire/cli/list/model.go", Change.CREATED)
        ]
        todos = transcript.events[0]
        assert todos.is_whole_list
        assert [todo.text for todo in todos.todos] == [
            "Create data model (model.go)",
            "Create data fetching logic (data.go)",
            "Create tree builder (tree.go)",
        ]

    def test_version_2_1_12_with_a_rejection(self) -> None:
        transcript = recorded("d64b50bb")
        assert transcript.branch == "do-not-show-suggestions-if-cmd-fails"
        first, second = said(transcript)
        assert first.startswith("what I'm trying to achieve there is")
        assert second == "can you use a switch case instead of linked ifelse?"
        assert edited(transcript) == [
            ("/home/dev/project/cmd/entire/main.go", Change.MODIFIED)
        ]

    def test_version_2_1_197(self) -> None:
        transcript = recorded("7de7bc19")
        assert said(transcript) == ["second prompt", "third prompt"]
        assert said(transcript, Speaker.ASSISTANT) == ["Turn two done.", "Turn three."]
        assert transcript.summary == "Mock compaction summary: did A, pending B."
        summary = "The user asked for a greeting; it was written."
        assert recorded("a544d86f").summary == summary
        hello = "/home/dev/project/hello.txt"
        assert edited(recorded("0b3093dd")) == [
            (hello, Change.CREATED),
            (hello, Change.MODIFIED),
        ]


class TestPrompts:
    @every_row(
        ("content", "words"),
        [
            ("fix it", ["fix it"]),
            ([{"type": "text", "text": "fix"}, {"type": "image"}], ["fix"]),
            (
                [
                    {"type": "text", "text": "<ide_opened_file>a</ide_opened_file>"},
                    {"type": "text", "text": "one"},
                    {"type": "text", "text": "two"},
                ],
                ["one\n\ntwo"],
            ),
            ([{"type": "image", "source": {"data": "AAAA"}}], []),
            (own_command("compact", "keep the goal"), []),
            (command("review", "the last\ncommit"), ["/review the last\ncommit"]),
            (command("init"), ["/init"]),
            (command("mcp__tracker__triage", "42"), ["/mcp__tracker__triage 42"]),
            (command("pdf").replace(">/", ">"), []),
            ("<local-command-stdout>Bye!</local-command-stdout>", []),
            ("<bash-input>ls</bash-input>", []),
            ("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", []),
            ("<task-notification>x</task-notification>\nRead the output file", []),
            ("[Request interrupted by user for tool use]", []),
            ("[Request interrupted by user]no, the other one", ["no, the other one"]),
            ("Caveat: The messages below were generated by the user while", []),
            ("Operation stopped by hook: another session is active", []),
            ("This session is being continued from a previous conversation that", []),
            ("gitmem: 12 edits were made since this session was last saved", []),
            ("gitmem: how do I change it?", ["gitmem: how do I change it?"]),
            ("Stop hook feedback:\n- [lint]: no", []),
            ("Stop hook feedback: why?", ["Stop hook feedback: why?"]),
            ("Unknown slash command: foo", []),
            ("<user-card>\n</user-card>", ["<user-card>\n</user-card>"]),
            ("<order id='1'/> is no XML", ["<order id='1'/> is no XML"]),
        ],
    )
    def test_only_the_words_of_the_person_are_kept(
        self, tmp_path: Path, content: object, words: list[str]
    ) -> None:
        transcript = read(tmp_path, user(content), user("and more"))
        assert said(transcript) == [*words, "and more"]

    @every_row(
        "values",
        [
            {"isMeta": True},
            {"isCompactSummary": True},
            {"isVisibleInTranscriptOnly": True},
            {"isSidechain": True},
            {"origin": {"kind": "task-notification"}},
            {"promptSource": "system"},
            {"turnOrigin": "scheduled"},
            {"origin": {"kind": "peer"}, "promptSource": "typed"},
        ],
    )
    def test_programs_write_no_prompts(
        self, tmp_path: Path, values: dict[str, Any]
    ) -> None:
        transcript = read(tmp_path, user("not typed", **values), user("typed"))
        assert said(transcript) == ["typed"]

    def test_prompt_queued_while_the_assistant_worked(self, tmp_path: Path) -> None:
        waited = {"type": "queued_command", "commandMode": "prompt", "prompt": "and b"}
        notified = {**waited, "commandMode": "task-notification", "prompt": "done"}
        transcript = read(
            tmp_path,
            user("do a", origin={"kind": "human"}),
            line("attachment", attachment=waited),
            line("attachment", attachment=notified),
            line("attachment", attachment={**waited, "origin": {"kind": "peer"}}),
            line("attachment", attachment={"type": "skill_listing"}),
        )
        assert said(transcript) == ["do a", "and b"]

    def test_what_the_person_said_instead_of_a_call(self, tmp_path: Path) -> None:
        note = "\n\nNote: The user's next message may contain a correction."
        content = REJECTION + "use tabs" + note
        transcript = read(tmp_path, *used("Edit", {}, is_error=True, content=content))
        assert said(transcript) == ["use tabs"]
        assert transcript.events == ()

    def test_a_prompt_that_only_the_queue_has(self, tmp_path: Path) -> None:
        def queued(operation: str, minute: int, **values: Any) -> dict[str, Any]:
            at = f"2026-02-09T12:{minute:02}:00Z"
            record = line("queue-operation", operation=operation, timestamp=at)
            return {**record, **values}

        transcript = read(
            tmp_path,
            user("do a"),
            queued("enqueue", 1, content="and b"),
            queued("remove", 2, content="and b"),
            queued("enqueue", 2, content="edited again"),
            queued("popAll", 3, content="edited again"),
            queued("enqueue", 3, content="seen later"),
            queued("dequeue", 4),
            user("seen later", timestamp="2026-02-09T12:04:00Z"),
            queued("enqueue", 4, content="<task-notification>x</task-notification>"),
            queued("enqueue", 4, content="taken back"),
            queued("remove", 5, content="taken back", reason="cleared_on_cancel"),
            queued("enqueue", 5, content="never read"),
        )
        assert said(transcript) == ["do a", "and b", "seen later", "never read"]

    @every_row(
        ("result", "response", "words"),
        [
            ("", {"answers": {"Which?": "Postgres"}}, "Which? Postgres"),
            (
                "",
                {
                    "answers": {"Which?": ["a", "b"], "Why?": "so", "None?": ""},
                    "annotations": {"Why?": {"notes": "as ever"}},
                },
                "Which? a, b\nWhy? so, as ever",
            ),
            (
                'User has answered your questions: "Which?"="a". You can now continue.',
                None,
                '"Which?"="a"',
            ),
            ("The user responded: none of these", {"answers": {}}, "none of these"),
            ("The user did not answer the questions.", "x", None),
        ],
    )
    def test_answers_to_questions(
        self, tmp_path: Path, result: str, response: object, words: str | None
    ) -> None:
        lines = used("AskUserQuestion", {"questions": []}, response, content=result)
        asked = [] if words is None else [words]
        assert said(read(tmp_path, user("hi"), *lines)) == ["hi", *asked]

    def test_questions_sent_back_are_in_the_persons_words(self, tmp_path: Path) -> None:
        words = (
            "The user wants to clarify these questions.\n    This means they may have"
            " more.\n\n    Questions asked:\n"
            '- "Which?"\n  Answer: neither\n  User notes: ask\n'
            '- "Why?"\n  (No answer provided)'
        )
        failed = {"is_error": True, "content": REJECTION + words}
        lines = used("AskUserQuestion", {}, **failed)
        assert said(read(tmp_path, user("hi"), *lines)) == ["hi", "Which? neither ask"]

    @every_row(
        ("result", "plan"),
        [
            ("User has approved your plan.", "1. Cut"),
            ("Saved.\n\n## Approved Plan (edited by user):\n1. Glue", "1. Glue"),
        ],
    )
    def test_an_approved_plan_is_kept(
        self, tmp_path: Path, result: str, plan: str
    ) -> None:
        rejected = {"is_error": True, "content": f"{REJECTION}not so"}
        beside = {"type": "text", "text": "but slowly"}
        call, answer = used("ExitPlanMode", {"plan": "1. Cut"}, {}, content=result)
        answer["message"]["content"].append(beside)
        first = used("ExitPlanMode", {"plan": "0. Burn"}, **rejected)
        transcript = read(tmp_path, *first, call, answer)
        assert said(transcript) == ["not so", "but slowly"]
        assert said(transcript, Speaker.ASSISTANT) == [plan]

    def test_a_plan_that_a_new_session_begins_with(self, tmp_path: Path) -> None:
        values = {"origin": {"kind": "auto-continuation"}, "planContent": "1. Cut"}
        transcript = read(tmp_path, user("Implement the following plan:\n1.", **values))
        assert said(transcript) == ["Implement the following plan:\n1."]

    def test_file_with_rejection_words_is_no_prompt(self, tmp_path: Path) -> None:
        lines = used("Bash", {"command": "cat x"}, content=REJECTION + "obey")
        assert said(read(tmp_path, user("hi"), *lines)) == ["hi"]

    def test_only_the_prose_of_the_assistant_is_kept(self, tmp_path: Path) -> None:
        blocks = [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "I see."},
            {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}},
        ]
        transcript = read(tmp_path, line("assistant", blocks))
        assert transcript.turns == (Turn(Speaker.ASSISTANT, "I see.", NOON),)

    @every_row("model", ["<synthetic>", "m"])
    def test_what_no_model_said_is_no_prose(self, tmp_path: Path, model: str) -> None:
        message = {"model": model, "content": [{"type": "text", "text": "API Error"}]}
        failed = line("assistant", message=message, isApiErrorMessage=model == "m")
        assert len(read(tmp_path, user("hi"), failed).turns) == 1

    def test_text_beside_a_result_is_no_prompt(self, tmp_path: Path) -> None:
        call, result = used("Bash", {"command": "ls"})
        result["message"]["content"].append({"type": "text", "text": "not typed"})
        assert said(read(tmp_path, user("hi"), call, result)) == ["hi"]


class TestTools:
    @every_row(
        ("tool", "arguments", "response", "edit"),
        [
            ("Write", {"file_path": "/p/a"}, {"type": "create"}, Change.CREATED),
            ("Write", {"file_path": "/p/a"}, {"type": "update"}, Change.MODIFIED),
            ("Edit", {"file_path": "/p/a"}, None, Change.MODIFIED),
            ("MultiEdit", {"file_path": "/p/a", "edits": []}, {}, Change.MODIFIED),
            ("NotebookEdit", {"notebook_path": "/p/a"}, {}, Change.MODIFIED),
        ],
    )
    def test_an_edit_is_what_a_hook_would_be_told(
        self,
        tmp_path: Path,
        tool: str,
        arguments: dict[str, Any],
        response: object,
        edit: Change,
    ) -> None:
        transcript = read(tmp_path, *used(tool, arguments, response))
        assert transcript.events == (
            HookEvent(
                kind=EventKind.EDIT,
                client_session_id=ID,
                folder="/project",
                path="/p/a",
                change=edit,
                at=transcript.ended_at,
            ),
        )

    def test_a_call_that_failed_or_has_no_result_did_nothing(
        self, tmp_path: Path
    ) -> None:
        failed = used("Edit", {"file_path": "/p/a"}, "Error: no match", is_error=True)
        call, _ = used("Edit", {"file_path": "/p/a"})
        assert read(tmp_path, user("hi"), *failed, call).events == ()

    def test_tasks_are_to_dos(self, tmp_path: Path) -> None:
        created = used("TaskCreate", {}, {"task": {"id": "1", "subject": "measure"}})
        done = {"taskId": "1", "status": "completed"}
        updated = used("TaskUpdate", done, {"success": True})
        assert [seen.todos for seen in read(tmp_path, *created, *updated).events] == [
            (Todo("1", "measure", done=False),),
            (Todo("1", "", done=True),),
        ]

    def test_commits_are_read_where_they_are_shown_later(self, tmp_path: Path) -> None:
        commit = {"command": "git commit -qm 'Send a key with each request'"}
        shown = "1f2e3d4 Send a key with each request\n5d6e7f8 Not of this session"
        in_background = "[main 9a0b1c2] Send a key with each request\n"
        lines = [
            *used("Bash", {"command": "git log --oneline"}, {}, content=shown),
            *used("Bash", commit, {}, content="Command running in background: b1"),
            *used("TaskOutput", {"task_id": "b1"}, {}, content=in_background),
            *used("Bash", {"command": "git log --oneline"}, {}, content=shown),
        ]
        transcript = read(tmp_path, *lines)
        shas = [commit.sha for commit in transcript.commits]
        assert shas == ["9a0b1c2", "1f2e3d4"]

    def test_commits_are_read_from_failed_commands_too(self, tmp_path: Path) -> None:
        command = {"command": "git commit -m one && git push"}
        output = "Exit code 1\n[main 1a2b3c4] one\n 1 file changed\nrejected"
        lines = used("Bash", command, is_error=True, content=output)
        as_blocks = [{"type": "text", "text": "[main 5d6e7f8] two"}]
        transcript = read(tmp_path, *lines, *used("Bash", command, content=as_blocks))
        made = [(each.sha, each.subject) for each in transcript.commits]
        assert made == [("1a2b3c4", "one"), ("5d6e7f8", "two")]


class TestSubagents:
    def lines(self) -> list[dict[str, Any]]:
        at = "2026-02-09T12:00:05Z"
        edit = used("Edit", {"file_path": "/p/sub"})
        todo = {"content": "its own", "status": "pending"}
        todos = used("TodoWrite", {"todos": [todo]}, {})
        lines = [user("your task"), *edit, *todos]
        return [{**each, "isSidechain": True, "timestamp": at} for each in lines]

    def session(self) -> list[dict[str, Any]]:
        before = used("Edit", {"file_path": "/p/before"})
        task = used("Task", {}, {"agentId": "a1b2c3d"}, content="done")
        after = used("Write", {"file_path": "/p/after"})
        late = {"timestamp": "2026-02-09T12:00:09Z"}
        return [*before, *task, *({**each, **late} for each in after)]

    @every_row("name", ["agent-a9", "workflows/wf_1/agent-a9"])
    def test_their_edits_are_their_sessions(self, tmp_path: Path, name: str) -> None:
        shutil.rmtree(tmp_path / ID, ignore_errors=True)
        write(tmp_path, self.lines(), f"{ID}/subagents/{name}")
        transcript = read(tmp_path, *self.session())
        paths = [path for path, _ in edited(transcript)]
        assert paths == ["/p/before", "/p/sub", "/p/after"]
        assert [seen.kind for seen in transcript.events] == [EventKind.EDIT] * 3
        assert transcript.turns == ()

    def test_older_versions_have_them_in_the_session_file(self, tmp_path: Path) -> None:
        transcript = read(tmp_path, user("hi"), *self.lines())
        assert edited(transcript) == [("/p/sub", Change.MODIFIED)]
        assert said(transcript) == ["hi"]

    def test_their_records_inside_of_progress_are_read(self, tmp_path: Path) -> None:
        output = "[main 1f2e3d4] fix: two\n 1 file changed\n"
        commit = used("Bash", {"command": "git commit -m x"}, {}, content=output)
        inside = [
            line("progress", data={"type": "agent_progress", "message": message})
            for message in [user("its task"), *self.lines(), *commit]
        ]
        transcript = read(tmp_path, user("hi"), *inside)
        assert edited(transcript) == [("/p/sub", Change.MODIFIED)]
        assert [commit.sha for commit in transcript.commits] == ["1f2e3d4"]
        assert said(transcript) == ["hi"]

    def test_files_of_others_are_not_taken(self, tmp_path: Path) -> None:
        others = [{**each, "sessionId": OTHER} for each in self.lines()]
        write(tmp_path, others, f"{ID}/subagents/agent-a9")
        elsewhere = write(tmp_path, self.lines(), "elsewhere")
        link = tmp_path / ID / "subagents" / "agent-b1.jsonl"
        link.symlink_to(elsewhere)
        assert len(read(tmp_path, *self.session()).events) == 2

    def test_damage_in_their_files_is_reported_by_name(self, tmp_path: Path) -> None:
        file = write(tmp_path, self.session())
        other = write(tmp_path, [], f"{ID}/subagents/agent-a9")
        other.write_text("{}\n{no\n")
        unread, transcript = CLAUDE_CODE.read(file)
        assert unread == Unread("no JSON in agent-a9.jsonl", 2)
        assert isinstance(transcript, Transcript)

    def test_a_file_of_one_is_no_session_of_its_own(self, tmp_path: Path) -> None:
        file = write(tmp_path, self.lines(), "agent-a1b2c3d")
        (unread,) = CLAUDE_CODE.read(file)
        assert isinstance(unread, Unread)
        assert list(tmp_path.rglob(CLAUDE_CODE.pattern)) == []


class TestSessions:
    def test_lines_of_the_session_before_are_apart(self, tmp_path: Path) -> None:
        transcript = read(tmp_path, user("old", sessionId=OTHER), user("new"))
        assert (transcript.parent, said(transcript)) == (OTHER, ["old", "new"])
        assert transcript.own_part
        assert said(transcript.own_part) == ["new"]

    @every_row(
        "marks",
        [
            {"sessionKind": "bg"},
            {"requestSessionId": OTHER},
            {"forkedFrom": {"sessionId": OTHER, "messageUuid": "u"}},
            {"sessionId": OTHER},
            {},
        ],
    )
    def test_what_is_copied_from_another_conversation_is_apart(
        self, tmp_path: Path, marks: dict[str, Any]
    ) -> None:
        folder = Path(mkdtemp(dir=tmp_path))
        common = [user("a", uuid="1"), line("assistant", "b", uuid="2")]
        original = [{**each, "sessionId": OTHER} for each in common]
        late = {"timestamp": "2026-02-09T12:09:00.000Z"}
        has_gone_on = "sessionKind" in marks or "requestSessionId" in marks
        more = has_gone_on * [user("on", sessionId=OTHER, **late)]
        write(folder, [*original, *more], OTHER)
        copied = [{**each, **marks} for each in common]
        later = {"uuid": "3", "timestamp": "2026-02-09T12:05:00.000Z"}
        transcript = read(folder, *copied, user("c", **later))
        assert (transcript.parent, said(transcript)) == (OTHER, ["a", "c"])
        assert transcript.own_part
        assert transcript.own_part.parent == OTHER
        assert said(transcript.own_part) == ["c"]
        (first,) = CLAUDE_CODE.read(folder / f"{OTHER}.jsonl")
        assert isinstance(first, Transcript)
        assert (first.parent, first.own_part) == ("", None)

    def test_same_names_of_other_messages_are_no_copy(self, tmp_path: Path) -> None:
        answer = line("assistant", "b", uuid="2")
        write(tmp_path, [user("a", uuid="1", sessionId=OTHER), answer], OTHER)
        assert read(tmp_path, user("c", uuid="1"), answer).parent == ""

    def test_a_file_by_another_name_holds_what_it_holds(self, tmp_path: Path) -> None:
        lines = [user("one", sessionId=OTHER), user("two"), user("3", sessionId=OTHER)]
        file = write(tmp_path, lines, "exported")
        found = [
            each for each in CLAUDE_CODE.read(file) if isinstance(each, Transcript)
        ]
        assert {each.client_session_id: said(each) for each in found} == {
            OTHER: ["one", "3"],
            ID: ["two"],
        }

    def test_a_line_that_is_written_twice_counts_once(self, tmp_path: Path) -> None:
        once = user("only once", uuid="u-1")
        assert said(read(tmp_path, once, once)) == ["only once"]

    def test_it_lasts_from_the_first_time_to_the_last(self, tmp_path: Path) -> None:
        transcript = read(
            tmp_path,
            line("system", timestamp="2026-02-09T12:00:01.999Z"),
            user("a", timestamp="2026-02-09T15:00:00+02:00"),
            user("b", timestamp="2026-02-08T12:00:00"),
            line("mode", timestamp="2026-02-09T13:30:00Z"),
        )
        assert transcript.began_at == NOON.replace(second=1)
        assert transcript.ended_at == NOON.replace(hour=13, minute=30)
        assert [turn.at for turn in transcript.turns] == [NOON.replace(hour=13), None]

    def test_folder_is_the_first_and_branch_the_last(self, tmp_path: Path) -> None:
        transcript = read(
            tmp_path,
            user("a", cwd="relative", gitBranch="main"),
            user("b", cwd="/one", gitBranch="feature"),
            user("c", cwd="/two", gitBranch="HEAD"),
            user("d", gitBranch=""),
        )
        assert (transcript.folder, transcript.branch) == ("/one", "feature")

    def test_nothing_said_and_nothing_done_is_no_session(self, tmp_path: Path) -> None:
        for lines in (
            [],
            [{"type": "summary", "summary": "s"}, user("x", isMeta=True)],
        ):
            assert list(CLAUDE_CODE.read(write(tmp_path, lines))) == []

    def test_without_any_time_it_cannot_be_placed(self, tmp_path: Path) -> None:
        file = write(tmp_path, [user("hi", timestamp="0001-01-01T00:00:00+23:59")])
        assert list(CLAUDE_CODE.read(file)) == [Unread("no time")]


class TestOtherFiles:
    def test_one_without_a_line_of_its_own_is_reported(self, tmp_path: Path) -> None:
        for foreign in ({"type": "session_meta"}, {"type": "user"}):
            file = write(tmp_path, [foreign])
            assert list(CLAUDE_CODE.read(file)) == [
                Unread("no transcript of Claude Code")
            ]

    def test_one_under_the_id_of_another_is_of_that(self, tmp_path: Path) -> None:
        transcript = read(tmp_path, user("hi", sessionId=OTHER))
        assert (transcript.client_session_id, transcript.parent) == (OTHER, "")

    def test_records_of_unknown_types_are_counted(self, tmp_path: Path) -> None:
        new = {"type": "telepathy", "sessionId": ID}
        *unread, _ = CLAUDE_CODE.read(write(tmp_path, [user("hi"), new, {}, new]))
        assert unread == [
            Unread("unknown type of record telepathy", count=2),
            Unread("unknown type of record"),
        ]

    def test_damaged_lines_are_reported_others_read(self, tmp_path: Path) -> None:
        file = write(tmp_path, [user("one")])
        with file.open("a") as opened:
            opened.write(f'{{"cut": \n{json.dumps(user("two"))}\n{{"being writ')
        unread, transcript = CLAUDE_CODE.read(file)
        assert unread == Unread("no JSON", 2)
        assert isinstance(transcript, Transcript)
        assert said(transcript) == ["one", "two"]


class TestPlaces:
    def places(self, home: Path, *roots: str, **variables: str) -> list[str]:
        found = CLAUDE_CODE.places(home, variables, map(Path, roots))
        return [str(place.relative_to(home)) for place in found]

    def test_folders_named_like_a_root(self, tmp_path: Path) -> None:
        projects = tmp_path / ".claude" / "projects"
        names = ("-home-me-my-app", "-home-me-my-app-web", "-home-me-other", "-home-me")
        for name in names:
            (projects / name).mkdir(parents=True)
        assert self.places(tmp_path, "/home/me/my.app") == [
            ".claude/projects/-home-me-my-app",
            ".claude/projects/-home-me-my-app-web",
        ]

    def test_a_long_name_goes_on_as_a_checksum(self, tmp_path: Path) -> None:
        root = "/" + "deep/" * 60 + "end"
        name = root.replace("/", "-")[:200] + "-1x2y3z"
        (tmp_path / ".claude" / "projects" / name).mkdir(parents=True)
        assert self.places(tmp_path, root) == [f".claude/projects/{name}"]

    def test_astral_characters_count_twice(self, tmp_path: Path) -> None:
        (tmp_path / ".claude" / "projects" / "-a-----b").mkdir(parents=True)
        assert self.places(tmp_path, "/a/é\N{PARTY POPPER}/b") != []

    def test_the_folder_of_settings_may_be_elsewhere(self, tmp_path: Path) -> None:
        for folder in (".config/claude", "moved"):
            (tmp_path / folder / "projects" / "-a").mkdir(parents=True)
        assert self.places(tmp_path, "/a") == [".config/claude/projects/-a"]
        moved = str(tmp_path / "moved")
        found = self.places(tmp_path, "/a", CLAUDE_CONFIG_DIR=moved)
        assert found == ["moved/projects/-a"]

    def test_without_any_folder_there_is_none(self, tmp_path: Path) -> None:
        assert self.places(tmp_path, "/a") == []
        assert self.places(tmp_path) == []
