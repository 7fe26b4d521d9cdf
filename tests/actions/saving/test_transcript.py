"""What a transcript tells of a conversation that goes on, and what becomes of it."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.events import event, note, now
from support.harness import CLIENT, git
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import saved_session, workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.live import save_conversation
from gitmem.actions.importing.report import ImportReport, ImportStatus
from gitmem.actions.reading.documents import list_sessions
from gitmem.actions.saving.checkpoint import capture, save_after_edits
from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.hook_events import note_interrupted, read_on
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.codex.conversations import CODEX
from gitmem.assistants.transcripts import TranscriptReader
from gitmem.documents.event import (
    FORKED,
    Client,
    Edit,
    End,
    Fork,
    Prompt,
    Start,
    TranscriptRead,
    Trigger,
)
from gitmem.documents.session.gist import SessionState
from gitmem.documents.session.session import Session, Status
from gitmem.git.values import Change
from gitmem.processes import process_info
from gitmem.workspace import Workspace

DATA = Path(__file__).parents[2] / "assistants/transcripts/data/claude_code"
OTHER = "ffffffff-4e5f-4000-8000-000000000001"
SECRET = "ghp_" + "a1B2" * 9


def begin(
    workspace: Workspace,
    file: Path | str,
    source: str = "startup",
    asked: str = "Mend it.",
    **values: Any,
) -> None:
    values = {"root": str(workspace.root), "at": now(), **values}
    known: dict[str, Any] = {"pid": 0, "started": "", "transcript": str(file)}
    note(
        workspace.root,
        event(Start, source=source, **values),
        event(Client, **known, **values),
        event(Prompt, text=asked, **values),
    )


def kept_at(workspace: Workspace) -> Path:
    return kept_by_claude_code(Path.home(), workspace.root)


def written(
    workspace: Workspace, *asked: str, client: str = CLIENT, **how: Any
) -> Path:
    """The transcript, where Claude Code keeps it."""
    kept = kept_at(workspace)
    return claude_code_file(kept, client, *asked, cwd=workspace.root, **how)


def begun(workspace: Workspace, *asked: str, **how: Any) -> Path:
    """The transcript of a conversation that began with "Mend it."."""
    file = written(workspace, "Mend it.", *asked, **how)
    begin(workspace, file)
    return file


def heard(workspace: Workspace) -> list[TranscriptRead]:
    events = workspace.store.journal.events(CLIENT)
    return [each for each in events if isinstance(each, TranscriptRead)]


def paths_in(read: TranscriptRead) -> list[str]:
    return [file.path for file in read.files]


def captured(workspace: Workspace) -> Session:
    session = capture(workspace, CLIENT, Trigger.GIT_COMMIT)
    assert session is not None
    return session


def session_of(workspace: Workspace) -> Session:
    [session] = workspace.current_sessions().newest()
    return session


def run(file: Path, workspace: Workspace, command: str, client: str = CLIENT) -> None:
    """A shell ran this from a moment ago until now."""
    began = now() - timedelta(seconds=2)
    add(file, workspace, "assistant", began, _use("Bash", command=command), client)
    result = {"type": "tool_result", "tool_use_id": "t", "content": ""}
    add(file, workspace, "user", now(), result, client)


def _use(tool: str, **arguments: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": tool, "input": arguments}


def add(
    file: Path,
    workspace: Workspace,
    kind: str,
    at: datetime,
    block: dict[str, Any],
    client: str = CLIENT,
) -> None:
    message = {"role": kind, "content": [block]}
    told = {"sessionId": client, "cwd": str(workspace.root), "type": kind}
    append(file, {**told, "timestamp": at.isoformat(), "message": message})


def append(file: Path, line: dict[str, Any]) -> None:
    with file.open("a") as opened:
        opened.write(json.dumps(line) + "\n")


class TestReadingOn:
    def test_prompts_need_no_checkpoint(self, workspace: Workspace) -> None:
        begun(workspace, "And test it.")
        read_on(workspace, CLIENT)
        session = session_of(workspace)
        assert session.goal == "Mend it."
        assert session.prompts == ("Mend it.", "And test it.")
        assert session.last_answer == "I shall look at that."

    def test_goes_on_where_it_was_left_and_tells_nothing_twice(
        self, workspace: Workspace
    ) -> None:
        file = begun(workspace)
        read_on(workspace, CLIENT)
        read_on(workspace, CLIENT)
        [first] = heard(workspace)
        assert (first.prompts, first.offset) == ((), file.stat().st_size)
        at = now()
        written(workspace, "Test it.", began_at=at)
        read_on(workspace, CLIENT)
        assert heard(workspace)[-1].prompts == ("Test it.",)

    def test_a_line_that_is_being_written_is_left_for_the_next_time(
        self, workspace: Workspace
    ) -> None:
        file = begun(workspace, "Test it.")
        whole = file.read_bytes()
        file.write_bytes(whole[:-40])
        read_on(workspace, CLIENT)
        assert heard(workspace)[-1].offset < len(whole[:-40])
        file.write_bytes(whole)
        read_on(workspace, CLIENT)
        assert heard(workspace)[-1].offset == len(whole)

    def test_truncated_file_is_read_anew(self, workspace: Workspace) -> None:
        file = begun(workspace, *(f"Prompt number {n} of many." for n in range(9)))
        read_on(workspace, CLIENT)
        file.unlink()
        written(workspace, "Anew.")
        read_on(workspace, CLIENT)
        assert heard(workspace)[-1].prompts == ("Anew.",)

    def test_a_late_transcript_gives_way_to_what_the_client_says(
        self, workspace: Workspace
    ) -> None:
        begun(workspace)
        read_on(
            workspace, CLIENT, last_answer=f"It is mended with {SECRET}, test it next."
        )
        said = session_of(workspace).last_answer
        assert said == "It is mended with [REDACTED:github], test it next."

    def test_no_secret_reaches_the_journal(self, workspace: Workspace) -> None:
        begun(workspace, f"Use {SECRET} for that.", answer=f"I use {SECRET}.")
        read_on(workspace, CLIENT)
        lines = workspace.store.journal.lines(CLIENT)
        assert "REDACTED" in "".join(lines)
        assert "ghp_" not in "".join(lines)

    def test_beside_what_its_assistant_wrote_the_last_answer_stays(
        self, workspace: Workspace
    ) -> None:
        begun(workspace)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace, caller, goal="A parser", work_summary=["Looked"])
        read_on(workspace, CLIENT, last_answer="The lexer is next.")
        session = session_of(workspace)
        assert (session.work_summary, session.answers) == (("Looked",), ())
        assert (session.goal, session.last_answer) == ("A parser", "The lexer is next.")

    def test_what_the_client_made_of_it_at_a_compaction_is_known(
        self, workspace: Workspace
    ) -> None:
        file = begun(workspace)
        text = (
            "This session is being continued from a previous conversation that ran out"
            " of context. The summary below covers it.\n\n1. Mend the lexer next."
            "\n\nIf you need specific details from before compaction, read the file."
        )
        line = json.loads(file.read_text().splitlines()[0])
        line |= {"isCompactSummary": True, "uuid": "s"}
        line["message"] = {"role": "user", "content": text}
        append(file, line)
        read_on(workspace, CLIENT)
        session = session_of(workspace)
        assert session.client_summary == "1. Mend the lexer next."
        assert session.prompts == ()


def commit_count(workspace: Workspace) -> int:
    if not git(workspace.root, "for-each-ref", "refs/ocm/sessions"):
        return 0
    return int(git(workspace.root, "rev-list", "--count", "refs/ocm/sessions"))


class TestEdits:
    def test_are_those_of_the_transcript(self, workspace: Workspace) -> None:
        begun(workspace, edits=["a.py", "b.py", "a.py", "/elsewhere/c.py"])
        read_on(workspace, CLIENT)
        [read] = heard(workspace)
        assert (paths_in(read), read.edits) == (["a.py", "b.py"], 3)
        assert [file.path for file in session_of(workspace).files] == ["a.py", "b.py"]

    def test_are_saved_once_there_are_so_many(self, workspace: Workspace) -> None:
        git(workspace.root, "config", "ocm.checkpoint.edits", "3")
        begun(workspace, edits=["a.py", "a.py"])
        read_on(workspace, CLIENT)
        save_after_edits(workspace, CLIENT)
        assert commit_count(workspace) == 0
        at = now() + timedelta(hours=1)
        written(workspace, edits=["b.py"], began_at=at)
        for _ in range(2):
            read_on(workspace, CLIENT)
            save_after_edits(workspace, CLIENT)
            assert commit_count(workspace) == 1

    def test_count_from_the_checkpoint(self, workspace: Workspace) -> None:
        git(workspace.root, "config", "ocm.checkpoint.edits", "3")
        begun(workspace, edits=["a.py", "b.py"])
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace, caller, goal="A parser")
        note(workspace.root, event(Edit, root=str(workspace.root), path="c.py"))
        save_after_edits(workspace, CLIENT)
        assert commit_count(workspace) == 1

    def test_are_saved_as_the_user_says(self, workspace: Workspace) -> None:
        begun(workspace, edits=["a.py"])
        read_on(workspace, CLIENT)
        for never in ("0", "-1", "many", "2"):
            git(workspace.root, "config", "ocm.checkpoint.edits", never)
            save_after_edits(workspace, CLIENT)
            assert commit_count(workspace) == 0


def test_the_to_do_list_is_that_of_the_transcript(workspace: Workspace) -> None:
    file = begun(workspace)
    listed = [{"content": "Parse", "status": "completed"}]
    listed.append({"content": "Test", "status": "pending"})
    call = {**_use("TodoWrite"), "input": {"todos": listed}}
    add(file, workspace, "assistant", now(), call)
    result = {"type": "tool_result", "tool_use_id": "t", "content": ""}
    add(file, workspace, "user", now(), result)
    read_on(workspace, CLIENT)
    session = session_of(workspace)
    assert (session.work_completed, session.work_pending) == (("Parse",), ("Test",))


class TestAShell:
    def test_written_files_are_listed(self, workspace: Workspace) -> None:
        file = begun(workspace)
        (workspace.root / "by-shell.txt").write_text("made\n")
        run(file, workspace, "echo made > by-shell.txt; cat README.md")
        read_on(workspace, CLIENT)
        assert paths_in(heard(workspace)[-1]) == ["by-shell.txt"]
        [found] = session_of(workspace).files
        assert (found.path, found.change.value) == ("by-shell.txt", "created")

    def test_unfinished_call_is_read_again(self, workspace: Workspace) -> None:
        file = begun(workspace)
        size = file.stat().st_size
        began = now() - timedelta(seconds=2)
        add(file, workspace, "assistant", began, _use("Bash", command="touch new.txt"))
        read_on(workspace, CLIENT)
        assert heard(workspace)[-1].offset == size
        (workspace.root / "new.txt").touch()
        result = {"type": "tool_result", "tool_use_id": "t", "content": ""}
        add(file, workspace, "user", now(), result)
        read_on(workspace, CLIENT)
        assert paths_in(heard(workspace)[-1]) == ["new.txt"]


class TestAPathThatIsNotToBeBelieved:
    def test_is_not_read(self, workspace: Workspace) -> None:
        for path in ("", "/dev/zero", "x" * 5000, "/etc/passwd"):
            begin(workspace, path)
            read_on(workspace, CLIENT)
            assert heard(workspace) == []

    def test_neither_a_link_nor_a_pipe_is(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        elsewhere = claude_code_file(tmp_path, CLIENT, "Mend it.", cwd=workspace.root)
        kept = kept_at(workspace)
        kept.mkdir(parents=True)
        link, pipe = kept / f"{CLIENT}.jsonl", kept / f"{CLIENT[:-1]}9.jsonl"
        link.symlink_to(elsewhere)
        os.mkfifo(pipe)
        for path in (link, pipe):
            begin(workspace, path)
            read_on(workspace, CLIENT)
        assert heard(workspace) == []

    def test_the_last_answer_is_noted_once_where_there_is_none(
        self, workspace: Workspace
    ) -> None:
        begin(workspace, kept_at(workspace) / f"{CLIENT}.jsonl")
        for said in ("Mended.", "Mended.", "Tested."):
            read_on(workspace, CLIENT, last_answer=said)
        assert [each.last_answer for each in heard(workspace)] == ["Mended.", "Tested."]

    def test_nothing_is_read_unasked(self, workspace: Workspace) -> None:
        git(workspace.root, "config", "ocm.conversations", "false")
        begun(workspace)
        read_on(workspace, CLIENT, last_answer="Done, and tested.")
        assert heard(workspace) == []


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


class TestAClientThatIsGone:
    """A process that was started for it stands for the client."""

    @pytest.fixture
    def client(self) -> Iterator[subprocess.Popen[bytes]]:
        process = subprocess.Popen(["sleep", "60"])
        yield process
        end(process)

    def begin(self, workspace: Workspace, process: int, file: Path | str = "") -> None:
        found = process_info(process)
        assert found
        begin(workspace, file)
        known: dict[str, Any] = {"root": str(workspace.root), "transcript": str(file)}
        known |= {"pid": process, "started": found.started}
        note(workspace.root, event(Client, at=now(), **known))

    def state(self, workspace: Workspace) -> SessionState:
        [listed] = list_sessions(workspace).sessions
        return listed.state

    def test_left_an_interrupted_session_with_all_said(
        self, workspace: Workspace, client: subprocess.Popen[bytes]
    ) -> None:
        file = begun(workspace, "And test it.", edits=["a.py"])
        self.begin(workspace, client.pid, file)
        assert note_interrupted(workspace) == []
        assert session_of(workspace).status is Status.OPEN
        end(client)
        [gone] = note_interrupted(workspace)
        assert (gone.client_session_id, gone.transcript) == (CLIENT, str(file))
        session = session_of(workspace)
        assert session.status is Status.INTERRUPTED
        assert session.prompts == ("Mend it.", "And test it.")
        assert session.last_answer == "I shall look at that."
        assert [each.path for each in session.files] == ["a.py"]
        assert note_interrupted(workspace) == []

    def test_does_not_run_any_more(
        self, workspace: Workspace, client: subprocess.Popen[bytes]
    ) -> None:
        self.begin(workspace, client.pid)
        saved_session(workspace, Caller("claude-code"), goal="A parser")
        assert self.state(workspace) is SessionState.RUNNING
        end(client)
        assert self.state(workspace) is SessionState.INTERRUPTED
        self.begin(workspace, os.getpid())
        assert self.state(workspace) is SessionState.RUNNING

    def test_goes_on_where_it_is_resumed(
        self, workspace: Workspace, client: subprocess.Popen[bytes]
    ) -> None:
        self.begin(workspace, client.pid)
        end(client)
        note_interrupted(workspace)
        assert session_of(workspace).status is Status.INTERRUPTED
        self.begin(workspace, os.getpid())
        assert note_interrupted(workspace) == []
        assert session_of(workspace).status is Status.OPEN

    @pytest.mark.parametrize("status", [Status.FROZEN, Status.CLOSED])
    def test_leaves_what_its_assistant_said_of_the_end(
        self, workspace: Workspace, client: subprocess.Popen[bytes], status: Status
    ) -> None:
        self.begin(workspace, client.pid)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace, caller, goal="A parser", status=status)
        end(client)
        note_interrupted(workspace)
        assert session_of(workspace).status is status

    def test_an_ended_conversation_stays_closed(
        self, workspace: Workspace, client: subprocess.Popen[bytes]
    ) -> None:
        self.begin(workspace, client.pid)
        note(workspace.root, event(End, root=str(workspace.root), at=now()))
        end(client)
        assert note_interrupted(workspace) == []
        assert session_of(workspace).status is Status.CLOSED


def test_the_client_is_the_first_that_is_no_shell() -> None:
    script = "from gitmem.processes import client_process as c; print(c()[0])"
    command = f"{shlex.join([sys.executable, '-c', script])}; true"
    told = subprocess.check_output(["sh", "-c", f"sh -c {shlex.quote(command)}; true"])
    assert int(told) == os.getpid()


class TestWhatChangedMeanwhile:
    def test_is_no_work_of_the_session(self, workspace: Workspace) -> None:
        """Where its shell is seen, a person's edit is not taken for its own."""
        file = begun(workspace)
        for name in ("named.txt", "unnamed.txt", "by-person.txt"):
            (workspace.root / name).write_text("made\n")
        hour = datetime.now().timestamp() - 3600
        os.utime(workspace.root / "by-person.txt", (hour, hour))
        run(file, workspace, "make all > named.txt")
        session = captured(workspace)
        paths = [each.path for each in session.files]
        assert paths == ["named.txt", "unnamed.txt"]
        assert session.changed_meanwhile == ("by-person.txt",)
        (workspace.root / "by-person.txt").unlink()
        session = captured(workspace)
        assert session.changed_meanwhile == ()

    def test_while_two_shells_ran_is_the_one_whose_command_named_it(
        self, workspace: Workspace
    ) -> None:
        file = begun(workspace)
        other = written(workspace, "Other.", client=OTHER)
        begin(workspace, other, client=OTHER)
        for name in ("a.txt", "b.txt", "unnamed.txt"):
            (workspace.root / name).write_text("made\n")
        run(file, workspace, "make a.txt")
        run(other, workspace, "make b.txt", client=OTHER)
        session = captured(workspace)
        assert [each.path for each in session.files] == ["a.txt"]
        assert session.changed_meanwhile == ("unnamed.txt",)

    def test_is_not_what_its_shell_removed(self, workspace: Workspace) -> None:
        (workspace.root / "old.txt").write_text("x")
        git(workspace.root, "add", "old.txt")
        git(workspace.root, "commit", "--quiet", "--message=old")
        file = begun(workspace)
        (workspace.root / "old.txt").unlink()
        run(file, workspace, "rm old.txt never-was.txt")
        session = captured(workspace)
        assert [(f.path, f.change) for f in session.files] == [
            ("old.txt", Change.DELETED)
        ]


def fork_of_codex(workspace: Workspace, moment: str) -> dict[str, Any]:
    """The first line of its rollout."""
    meta = {"id": CLIENT, "timestamp": moment, "cwd": str(workspace.root)}
    return {"type": "session_meta", "payload": {**meta, "forked_from_id": OTHER}}


def test_a_fork_of_codex_names_the_parent_that_its_rollout_names(
    workspace: Workspace, sealed_environment: Path
) -> None:
    moment = now().isoformat()
    file = sealed_environment / ".codex" / "sessions" / f"rollout-x-{CLIENT}.jsonl"
    file.parent.mkdir(parents=True)
    append(file, fork_of_codex(workspace, moment))
    said = {"type": "user_message", "message": "Go on another way"}
    append(file, {"type": "event_msg", "timestamp": moment, "payload": said})
    begin(workspace, file, FORKED, "Go on another way", tool="codex")
    for _ in range(2):
        read_on(workspace, CLIENT)
    events = workspace.store.journal.events(CLIENT)
    assert [each.parent for each in events if isinstance(each, Fork)] == [OTHER]
    save_conversation(workspace, "codex", CLIENT, str(file), Trigger.SESSION_END)
    assert session_of(workspace).parent == OTHER


def imported_from(
    workspace: Workspace, reader: TranscriptReader, file: Path
) -> ImportReport:
    report, asked = ImportReport(), ImportRequest(reader=reader, paths=[file])
    files = wanted_files(workspace, asked)
    bring_in(workspace, asked, files, report, lambda *_: None)
    return report


def test_an_imported_fork_that_went_on_is_completed(
    workspace: Workspace, sealed_environment: Path
) -> None:
    file = sealed_environment / "rollout-x.jsonl"
    append(file, fork_of_codex(workspace, (now() - timedelta(minutes=9)).isoformat()))
    asked = {"type": "user_message", "message": "Go on another way"}
    append(file, {"type": "event_msg", "payload": asked})
    for ago, words in ((2, "One file is there."), (1, "The other one is.")):
        said = {"type": "agent_message", "message": words}
        at = (now() - timedelta(minutes=ago)).isoformat()
        append(file, {"type": "event_msg", "timestamp": at, "payload": said})
        imported_from(workspace, CODEX, file)
        session = session_of(workspace_at(workspace.root))
        assert (session.parent, session.last_answer) == (OTHER, words)


class TestAFork:
    """Of real transcripts: the parent's, and the one that begins with a copy of it."""

    PARENT = "d0296c8b-6262-47e0-859d-af04a014d4a6"
    FORK = "e8af9d49-fbe3-4f74-a4ad-0f00fc3cb64d"
    BEGAN = datetime(2026, 11, 23, 2, 34, 41, tzinfo=UTC)

    def seen(
        self, workspace: Workspace, client: str, source: str, at: datetime
    ) -> Path:
        text = (DATA / f"{client}.jsonl").read_text()
        file = kept_at(workspace) / f"{client}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("/home/dev/project", str(workspace.root)))
        begin(workspace, file, source, "Try it another way", client=client, at=at)
        return file

    def test_is_a_session_naming_its_parent(self, workspace: Workspace) -> None:
        early = self.BEGAN - timedelta(minutes=1)
        self.seen(workspace, self.PARENT, "startup", early)
        file = self.seen(workspace, self.FORK, FORKED, self.BEGAN)
        read_on(workspace, self.FORK)
        sessions = workspace.current_sessions().newest()
        [fork] = [each for each in sessions if each.client_session_id == self.FORK]
        assert (fork.parent, fork.program) == (self.PARENT, "sdk-cli")
        assert (fork.goal, fork.prompts) == ("Try it another way", ())
        assert [each.path for each in fork.files] == ["fork.txt"]
        assert fork.last_answer == "Forked answer."
        save_conversation(
            workspace, "claude-code", self.FORK, str(file), Trigger.SESSION_END
        )
        again = workspace.current_sessions().document(fork.id)
        assert again
        assert (again.prompts, again.files) == (fork.prompts, fork.files)
        before = git(workspace.root, "for-each-ref", "refs/ocm")
        [imported] = imported_from(workspace, CLAUDE_CODE, file).sessions
        assert (imported.outcome, imported.prompts) == (ImportStatus.ALREADY, 1)
        assert git(workspace.root, "for-each-ref", "refs/ocm") == before

    def test_names_its_origin_that_is_not_here(self, workspace: Workspace) -> None:
        self.seen(workspace, self.FORK, FORKED, self.BEGAN)
        read_on(workspace, self.FORK)
        assert session_of(workspace).parent == self.PARENT
