"""What hooks saw is completed by the transcript that they were told of, and kept."""

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, git, make_repository
from support.rounds import few
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import saved_session, workspace_at

from gitmem.actions.importing.batch import Outcome, Report
from gitmem.actions.importing.import_transcripts import (
    Wanted,
    bring_in,
    reader_named,
    save,
    wanted_files,
)
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.transcripts.transcript_files import UNASKED_LIMIT
from gitmem.documents.event import Edit, End, Prompt, Start, Todo, Todos, Trigger
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.errors import FormatTooNew

OTHER = "ffffffff-4e5f-4000-8000-000000000001"
SECRET = "ghp_" + "a1B2" * 9
SESSIONS, CONVERSATIONS = "refs/ocm/sessions", "refs/ocm/conversations"
LATER = timedelta(hours=1)


@pytest.fixture
def kept(sealed_environment: Path, repository: Path) -> Path:
    return kept_by_claude_code(sealed_environment, repository)


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
    save(workspace_at(repository), tool, CLIENT, str(transcript), trigger)


def imported(repository: Path, **wanted: Any) -> list[str]:
    workspace, report = workspace_at(repository), Report()
    asked = Wanted(reader=reader_named("claude-code"), **wanted)
    files = wanted_files(workspace, asked)
    bring_in(workspace, asked, files, report, lambda *_: None)
    return [each.outcome for each in report.sessions]


def the_session(repository: Path) -> Session:
    (session,) = workspace_at(repository).store.memory().newest()
    return session


def said(repository: Path) -> str:
    return workspace_at(repository).conversations.text(the_session(repository)) or ""


def refs(repository: Path) -> str:
    return git(repository, "for-each-ref", "refs/ocm")


def commits(repository: Path, ref: str = SESSIONS) -> int:
    return int(git(repository, "rev-list", "--count", ref))


def has_conversations(repository: Path) -> bool:
    return CONVERSATIONS in refs(repository)


def shell_line(repository: Path, command: str, output: str) -> list[dict[str, Any]]:
    """A call of the shell and its result, as Claude Code writes them."""
    use = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": output}
    common = {
        "sessionId": CLIENT,
        "cwd": str(repository),
        "timestamp": "2026-02-23T12:30:00.000Z",
    }
    return [
        common | {"type": "assistant", "message": {"content": [use]}},
        common | {"type": "user", "message": {"content": [result]}},
    ]


class TestAConversationThatEnds:
    def test_is_complete_in_one_commit(self, repository: Path, kept: Path) -> None:
        see(repository)
        prompts = "Mend it.", "And test it."
        end(repository, claude_code_file(kept, CLIENT, *prompts, cwd=repository))
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", prompts)
        assert session.last_answer == "I shall look at that."
        assert (session.status, session.trigger) == (Status.CLOSED, Trigger.SESSION_END)
        assert "I shall look at that." in said(repository)
        assert (commits(repository), commits(repository, CONVERSATIONS)) == (1, 1)

    @pytest.mark.endurance
    def test_is_nothing_new_to_an_import(self, repository: Path, kept: Path) -> None:
        see(repository)
        file = claude_code_file(kept, CLIENT, "Mend it.", "Test it.", cwd=repository)
        end(repository, file)
        before = refs(repository)
        assert imported(repository) == [Outcome.ALREADY]
        end(repository, file)
        assert refs(repository) == before

    def test_has_what_hooks_missed(self, repository: Path, kept: Path) -> None:
        (repository / "by-shell.txt").write_text("hello\n")
        git(repository, "add", "by-shell.txt")
        git(repository, "commit", "--quiet", "--message=Greet")
        sha = git(repository, "rev-parse", "HEAD")
        see(repository)
        file = claude_code_file(
            kept, CLIENT, "Mend it.", cwd=repository, edits=["b.py"]
        )
        printed = f"[main {sha[:7]}] Greet\n 1 file changed"
        with file.open("a") as opened:
            for line in shell_line(repository, "git commit -m Greet", printed):
                opened.write(json.dumps(line) + "\n")
        end(repository, file)
        session = the_session(repository)
        assert {each.path for each in session.files} == {"a.py", "b.py"}
        assert [(c.sha, c.subject) for c in session.commits] == [(sha[:12], "Greet")]
        assert imported(repository) == [Outcome.ALREADY]

    @pytest.mark.endurance
    def test_goes_on_after_a_compaction(self, repository: Path, kept: Path) -> None:
        see(repository, ends=False)
        file = claude_code_file(kept, CLIENT, "Mend it.", cwd=repository)
        end(repository, file, Trigger.CONTEXT_LIMIT)
        assert the_session(repository).status is Status.OPEN
        assert has_conversations(repository)
        at = NOON + LATER
        claude_code_file(kept, CLIENT, "Test it.", cwd=repository, began_at=at)
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

    def test_without_result_has_no_document(self, repository: Path, kept: Path) -> None:
        """Also where one that began before we were there was opened and closed."""
        root = str(repository)
        note(repository, event(Start, root=root), event(End, 1, root=root))
        end(repository, claude_code_file(kept, CLIENT, cwd=repository))
        end(repository, claude_code_file(kept, CLIENT, "Long ago.", cwd=repository))
        assert refs(repository) == ""


class TestASessionThatIsThere:
    def test_keeps_what_its_assistant_wrote(self, repository: Path, kept: Path) -> None:
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
        end(repository, claude_code_file(kept, CLIENT, "A", "B", cwd=repository))
        session = the_session(repository)
        assert (session.goal, session.goal_source) == (
            "A parser that works",
            GoalSource.WRITTEN,
        )
        assert (session.work_completed, session.work_pending) == ((), ("Ship it",))
        assert session.prompts[-2:] == ("A", "B")
        assert imported(repository) == [Outcome.ALREADY]

    def test_renamed_has_its_conversation(self, repository: Path, kept: Path) -> None:
        see(repository, ends=False)
        file = claude_code_file(kept, CLIENT, "Mend it.", cwd=repository)
        end(repository, file, Trigger.CONTEXT_LIMIT)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace_at(repository), caller, slug="parser-mended", goal="G")
        end(repository, file)
        session = the_session(repository)
        assert session.id.endswith("_parser-mended")
        listed = git(repository, "ls-tree", "-r", "--name-only", CONVERSATIONS)
        assert listed.splitlines()[0].endswith(f"/{session.id}.md")
        assert imported(repository) == [Outcome.ALREADY]

    @few(1, "is_resumed", [True, False])
    def test_pulled_from_elsewhere_is_completed_once(
        self, tmp_path: Path, sealed_environment: Path, *, is_resumed: bool
    ) -> None:
        there, here = make_repository(tmp_path / "there"), tmp_path / "here"
        see(there)
        end(there, "")
        git(tmp_path, "clone", "--quiet", str(there), str(here))
        git(here, "fetch", "--quiet", str(there), f"{SESSIONS}:{SESSIONS}")
        kept = kept_by_claude_code(sealed_environment, here)
        file = claude_code_file(kept, CLIENT, "Mend it.", "Test it.", cwd=here)
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
            assert imported(here) == [Outcome.COMPLETED]
        assert the_session(here).id == the_session(there).id
        assert set(the_session(here).prompts) == {"Mend it.", "Test it."}
        assert "I shall look at that." in said(here)
        assert imported(here) == [Outcome.ALREADY]


class TestWhatMayNotBeKept:
    def test_secrets_are_stored_nowhere(self, repository: Path, kept: Path) -> None:
        see(repository)
        file = claude_code_file(
            kept, CLIENT, "Mend it.", f"The key is {SECRET}", cwd=repository
        )
        prose = "I shall look at that."
        file.write_text(file.read_text().replace(prose, f"Is {SECRET} the key?"))
        end(repository, file)
        assert "Is [REDACTED:github] the key?" in said(repository)
        assert the_session(repository).prompts[1] == "The key is [REDACTED:github]"
        committed = git(repository, "log", "--all", "--patch")
        ours = (repository / ".git").glob("ocm*/**/*")
        files = b"".join(each.read_bytes() for each in ours if each.is_file())
        assert SECRET not in committed + files.decode("utf-8", "replace")

    @pytest.mark.parametrize("value", ["false", "never"])
    def test_nothing_is_kept_where_its_user_wants_none(
        self, repository: Path, kept: Path, value: str
    ) -> None:
        git(repository, "config", "ocm.conversations", value)
        see(repository)
        end(repository, claude_code_file(kept, CLIENT, "A", "B", cwd=repository))
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", ())
        assert imported(repository) == [Outcome.COMPLETED]
        assert imported(repository) == [Outcome.ALREADY]
        assert not has_conversations(repository)

    @few(1, "value", ["true", "Yes"])
    def test_it_is_kept_where_its_user_says_so(
        self, repository: Path, kept: Path, value: str
    ) -> None:
        git(repository, "config", "ocm.conversations", value)
        see(repository)
        end(repository, claude_code_file(kept, CLIENT, "Mend it.", cwd=repository))
        assert has_conversations(repository)


def _gone(file: Path) -> Path:
    file.unlink()
    return file


def _elsewhere(file: Path) -> Path:
    return file.rename(file.parents[3] / file.name)


def _leads_out(file: Path) -> Path:
    file.symlink_to(_elsewhere(file))
    return file


def _leads_round(file: Path) -> Path:
    file.unlink()
    file.symlink_to(file)
    return file


def _fifo(file: Path) -> Path:
    file.unlink()
    os.mkfifo(file)
    return file


def _folder(file: Path) -> Path:
    return file.parent


def _folder_of_its_name(file: Path) -> Path:
    file.rename(file.with_name(f"{OTHER}.jsonl"))
    file.mkdir()
    return file


def _up_and_out(file: Path) -> Path:
    return file.parent / ".." / ".." / ".." / _elsewhere(file).name


def _otherwise_named(file: Path) -> Path:
    return file.rename(file.with_suffix(".txt"))


def _of_another_conversation(file: Path) -> Path:
    file.write_text(file.read_text().replace(CLIENT, OTHER))
    return file.rename(file.with_name(f"{OTHER}.jsonl"))


def _of_another_in_its_name(file: Path) -> Path:
    file.write_text(file.read_text().replace(CLIENT, OTHER))
    return file


def _of_another_repository(file: Path) -> Path:
    lines = map(json.loads, file.read_text().splitlines())
    file.write_text("".join(json.dumps(each | {"cwd": "/"}) + "\n" for each in lines))
    return file


def _too_large(file: Path) -> Path:
    os.truncate(file, UNASKED_LIMIT + 1)
    return file


def _garbage(file: Path) -> Path:
    file.write_bytes(b"\x00\xff\n{}\n[[[[\n" * 9)
    return file


class TestAFileThatIsNot:
    """The transcript of this conversation, where an import would look for it."""

    @few(
        5,
        "changed",
        [
            *(_gone, _elsewhere, _leads_out, _leads_round, _fifo, _folder),
            *(_folder_of_its_name, _up_and_out, _otherwise_named, _too_large),
            *(_of_another_conversation, _of_another_in_its_name),
            *(_of_another_repository, _garbage),
        ],
    )
    def test_is_passed_over(
        self, repository: Path, kept: Path, changed: Callable[[Path], Path]
    ) -> None:
        see(repository)
        file = claude_code_file(kept, CLIENT, "Mend it.", "And B.", cwd=repository)
        end(repository, changed(file))
        session = the_session(repository)
        assert (session.goal, session.prompts) == ("Mend it.", ())
        assert not has_conversations(repository)

    @pytest.mark.endurance
    def test_is_passed_over_by_any_name(self, repository: Path, kept: Path) -> None:
        claude_code_file(kept, CLIENT, "Mend it.", cwd=repository)
        see(repository)
        for named in ("/dev/zero", "nowhere", "a\0b", "~", "/", "\n", "x" * 9000):
            end(repository, named)
        assert the_session(repository).goal == "Mend it."
        assert not has_conversations(repository)


def test_unwritable_conversations_cost_no_checkpoint(
    repository: Path, kept: Path
) -> None:
    (repository / "format").write_text("2\n")
    git(repository, "add", "format")
    tree = git(repository, "write-tree")
    git(repository, "reset", "--quiet", "format")
    commit = git(repository, "commit-tree", "-m", "newer", tree)
    git(repository, "update-ref", CONVERSATIONS, commit)
    see(repository)
    file = claude_code_file(kept, CLIENT, "Mend it.", cwd=repository)
    with pytest.raises(FormatTooNew):
        end(repository, file)
    assert the_session(repository).status is Status.CLOSED
