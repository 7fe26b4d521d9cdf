"""What hooks saw is completed by the transcript that they were told of, and kept."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, git, make_repository
from support.rounds import few
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import saved_session, workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.live import save_conversation
from gitmem.actions.importing.report import ImportReport, ImportStatus
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.readers import reader_named
from gitmem.assistants.transcripts.transcript_files import UNASKED_LIMIT
from gitmem.documents.event import Edit, End, Prompt, Start, Todo, Todos, Trigger
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.errors import FormatTooNew

OTHER = "ffffffff-4e5f-4000-8000-000000000001"
SECRET = "ghp_" + "a1B2" * 9
SESSIONS, CONVERSATIONS = "refs/ocm/sessions", "refs/ocm/conversations"
LATER = timedelta(hours=1)


def see(repository: Path, prompt: str = "Mend it.", *, ends: bool = True) -> None:
    """What hooks note of a conversation, but for what git says."""
    root = str(repository)
    note(
        repository,
        event(Start, root=root, source="startup"),
        event(Prompt, text=prompt, root=root),
        event(Edit, path="a.py", root=root),
    )
    if ends:
        note(repository, event(End, 9, root=root))


def end(
    repository: Path,
    transcript: Path | str,
    trigger: Trigger = Trigger.SESSION_END,
    tool: str = "claude-code",
) -> None:
    """What the hook starts at the end of the conversation."""
    save_conversation(workspace_at(repository), tool, CLIENT, str(transcript), trigger)


def written(repository: Path, *asked: str, **how: Any) -> Path:
    """The transcript, where Claude Code keeps it."""
    kept = kept_by_claude_code(Path.home(), repository)
    return claude_code_file(kept, CLIENT, *asked, cwd=repository, **how)


def imported(repository: Path, **wanted: Any) -> list[str]:
    workspace, report = workspace_at(repository), ImportReport()
    asked = ImportRequest(reader=reader_named("claude-code"), **wanted)
    files = wanted_files(workspace, asked)
    bring_in(workspace, asked, files, report, lambda *_: None)
    return [each.outcome for each in report.sessions]


def the_session(repository: Path) -> Session:
    (session,) = workspace_at(repository).store.memory().newest()
    return session


def said(repository: Path) -> str:
    return (
        workspace_at(repository).conversations.text_like(the_session(repository).id)
        or ""
    )


def refs(repository: Path) -> str:
    return git(repository, "for-each-ref", "refs/ocm")


def commits(repository: Path, ref: str = SESSIONS) -> int:
    return int(git(repository, "rev-list", "--count", ref))


def has_conversations(repository: Path) -> bool:
    return CONVERSATIONS in refs(repository)


def shell_line(repository: Path, command: str, output: str) -> str:
    """A call of the shell and its result, as Claude Code writes them."""
    use = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": output}
    at = {"timestamp": "2026-02-23T12:30:00.000Z", "cwd": str(repository)}
    return "".join(
        json.dumps({"sessionId": CLIENT, **at, "type": kind, "message": message}) + "\n"
        for kind, message in (
            ("assistant", {"content": [use]}),
            ("user", {"content": [result]}),
        )
    )


class TestAConversationThatEnds:
    def test_is_complete_in_one_commit(self, repository: Path) -> None:
        see(repository)
        prompts = "Mend it.", "And test it."
        end(repository, written(repository, *prompts))
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", prompts)
        assert session.last_answer == "I shall look at that."
        assert (session.status, session.trigger) == (Status.CLOSED, Trigger.SESSION_END)
        assert "I shall look at that." in said(repository)
        assert (commits(repository), commits(repository, CONVERSATIONS)) == (1, 1)

    @pytest.mark.endurance
    def test_is_nothing_new_to_an_import(self, repository: Path) -> None:
        see(repository)
        file = written(repository, "Mend it.", "Test it.")
        end(repository, file)
        before = refs(repository)
        assert imported(repository) == [ImportStatus.ALREADY]
        end(repository, file)
        assert refs(repository) == before

    def test_has_what_hooks_missed(self, repository: Path) -> None:
        (repository / "by-shell.txt").write_text("hello\n")
        git(repository, "add", "by-shell.txt")
        git(repository, "commit", "--quiet", "--message=Greet")
        sha = git(repository, "rev-parse", "HEAD")
        see(repository)
        file = written(repository, "Mend it.", edits=["b.py"])
        printed = f"[main {sha[:7]}] Greet\n 1 file changed"
        with file.open("a") as opened:
            opened.write(shell_line(repository, "git commit -m Greet", printed))
        end(repository, file)
        session = the_session(repository)
        assert {each.path for each in session.files} == {"a.py", "b.py"}
        assert [(c.sha, c.subject) for c in session.commits] == [(sha[:12], "Greet")]
        assert imported(repository) == [ImportStatus.ALREADY]

    @pytest.mark.endurance
    def test_goes_on_after_a_compaction(self, repository: Path) -> None:
        see(repository, ends=False)
        file = written(repository, "Mend it.")
        end(repository, file, Trigger.CONTEXT_LIMIT)
        assert the_session(repository).status is Status.OPEN
        assert has_conversations(repository)
        at = NOON + LATER
        written(repository, "Test it.", began_at=at)
        note(repository, event(End, 90, root=str(repository)))
        end(repository, file)
        assert the_session(repository).prompts == ("Mend it.", "Test it.")
        assert said(repository).count("I shall look at that.") == 2
        assert the_session(repository).last_answer == "I shall look at that."

    def test_without_a_transcript_is_saved_as_before(self, repository: Path) -> None:
        see(repository)
        end(repository, "")
        assert the_session(repository).goal == "Mend it."
        assert not has_conversations(repository)

    def test_without_result_has_no_document(self, repository: Path) -> None:
        """Also where one that began before we were there was opened and closed."""
        root = str(repository)
        note(repository, event(Start, root=root), event(End, 1, root=root))
        end(repository, written(repository))
        end(repository, written(repository, "Long ago."))
        assert refs(repository) == ""


class TestASessionThatIsThere:
    def test_keeps_what_its_assistant_wrote(self, repository: Path) -> None:
        see(repository)
        workspace = workspace_at(repository)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(
            workspace, caller, goal="A parser that works", work_pending=["Ship it"]
        )
        root = str(repository)
        items = (Todo("1", "Look at it", done=True),)
        note(
            repository,
            event(Todos, 7, items=items, is_whole=True, root=root),
            event(End, 9, root=root),
        )
        end(repository, written(repository, "A", "B"))
        session = the_session(repository)
        assert (session.goal, session.goal_source) == (
            "A parser that works",
            GoalSource.WRITTEN,
        )
        assert (session.work_completed, session.work_pending) == ((), ("Ship it",))
        assert session.prompts[-2:] == ("A", "B")
        assert imported(repository) == [ImportStatus.ALREADY]

    def test_renamed_has_its_conversation(self, repository: Path) -> None:
        see(repository, ends=False)
        file = written(repository, "Mend it.")
        end(repository, file, Trigger.CONTEXT_LIMIT)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace_at(repository), caller, slug="parser-mended", goal="G")
        end(repository, file)
        session = the_session(repository)
        assert session.session_id.endswith("_parser-mended")
        listed = git(repository, "ls-tree", "-r", "--name-only", CONVERSATIONS)
        assert listed.splitlines()[0].endswith(f"/{session.id}.md")
        assert imported(repository) == [ImportStatus.ALREADY]

    @few(1, "is_resumed", [True, False])
    def test_pulled_from_elsewhere_is_completed_once(
        self, tmp_path: Path, *, is_resumed: bool
    ) -> None:
        there, here = make_repository(tmp_path / "there"), tmp_path / "here"
        see(there)
        end(there, "")
        git(tmp_path, "clone", "--quiet", str(there), str(here))
        git(here, "fetch", "--quiet", str(there), f"{SESSIONS}:{SESSIONS}")
        file = written(here, "Mend it.", "Test it.")
        if is_resumed:
            root = str(here)
            note(
                here,
                event(Start, 60, root=root, source="resume"),
                event(Prompt, 61, root=root, text="Test it."),
                event(End, 62, root=root),
            )
            end(here, file)
        else:
            assert imported(here) == [ImportStatus.COMPLETED]
        assert the_session(here).id == the_session(there).id
        assert set(the_session(here).prompts) == {"Mend it.", "Test it."}
        assert "I shall look at that." in said(here)
        assert imported(here) == [ImportStatus.ALREADY]


class TestWhatMayNotBeKept:
    def test_secrets_are_stored_nowhere(self, repository: Path) -> None:
        see(repository)
        file = written(repository, "Mend it.", f"The key is {SECRET}")
        prose = "I shall look at that."
        file.write_text(file.read_text().replace(prose, f"Is {SECRET} the key?"))
        end(repository, file)
        assert "Is [REDACTED:github] the key?" in said(repository)
        assert the_session(repository).prompts[1] == "The key is [REDACTED:github]"
        committed = git(repository, "log", "--all", "--patch")
        ours = (repository / ".git").glob("ocm*/**/*")
        files = b"".join(each.read_bytes() for each in ours if each.is_file())
        assert SECRET not in committed + files.decode("utf-8", "replace")

    def test_nothing_is_kept_where_its_user_wants_none(self, repository: Path) -> None:
        git(repository, "config", "ocm.conversations", "never")
        see(repository)
        file = written(repository, "A", "B")
        end(repository, file)
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", ())
        assert imported(repository) == [ImportStatus.COMPLETED]
        assert imported(repository) == [ImportStatus.ALREADY]
        git(repository, "config", "ocm.conversations", "false")
        end(repository, file)
        assert not has_conversations(repository)
        git(repository, "config", "ocm.conversations", "Yes")
        end(repository, file)
        assert has_conversations(repository)


def test_what_is_not_its_transcript_is_passed_over(repository: Path) -> None:
    """What is, an import would find; the hook was told of another file."""
    see(repository)
    file = written(repository, "Mend it.", "And B.")
    kept, text = file.parent, file.read_text()

    def path(name: str) -> Path:
        return kept / f"{name}-{CLIENT}.jsonl"

    outside = Path.home() / f"{CLIENT}.jsonl"
    outside.write_text(text)
    path("out").symlink_to(outside)
    os.mkfifo(path("fifo"))
    path("folder").mkdir()
    there = text.replace(f'"cwd": "{repository}"', '"cwd": "/"')
    for name, content in (
        ("large", text),
        ("another", text.replace(CLIENT, OTHER)),
        ("elsewhere", there),
        ("garbage", "\0\n{}\n[[[[\n" * 9),
        ("good", text),
    ):
        path(name).write_text(content)
    os.truncate(path("large"), UNASKED_LIMIT + 1)
    own = ("out", "fifo", "folder", "large", "another", "elsewhere", "garbage")
    up = kept / ".." / ".." / ".." / outside.name
    odd: tuple[Path | str, ...] = ("/dev/zero", "a\0b")
    for named in (*map(path, own), up, *odd):
        end(repository, named)
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", ()), named
        assert not has_conversations(repository)
    end(repository, path("good"))
    assert has_conversations(repository)


def test_unwritable_conversations_cost_no_checkpoint(repository: Path) -> None:
    (repository / "format").write_text("3\n")
    git(repository, "add", "format")
    tree = git(repository, "write-tree")
    git(repository, "reset", "--quiet", "format")
    commit = git(repository, "commit-tree", "-m", "newer", tree)
    git(repository, "update-ref", CONVERSATIONS, commit)
    see(repository)
    file = written(repository, "Mend it.")
    with pytest.raises(FormatTooNew):
        end(repository, file)
    assert the_session(repository).status is Status.CLOSED
