"""Transcripts on the disk become sessions of the repository, each once."""

import json
import os
import shutil
from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, git, make_repository
from support.transcripts import aider_file, claude_code_file, kept_by_claude_code
from support.workspaces import saved_session, workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport, ImportStatus, as_json
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.assistants.readers import READERS, reader_named
from gitmem.assistants.transcripts import Unread
from gitmem.documents.event import Edit, End, Prompt, Start, Trigger
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput
from gitmem.git.values import Change, FileChange
from gitmem.store.trees.document_tree import tree_at_tip

OTHER = "ffffffff-4e5f-4000-8000-000000000001"
SECRET = "ghp_" + "a1B2" * 9


def written(repository: Path, *asked: str, client: str = CLIENT, **how: Any) -> Path:
    """A transcript, where Claude Code keeps those of the repository."""
    kept = kept_by_claude_code(Path.home(), repository)
    return claude_code_file(kept, client, *asked, **{"cwd": repository, **how})


def imported(
    repository: Path, tool: str = "claude-code", **wanted: Any
) -> ImportReport:
    workspace, report = workspace_at(repository), ImportReport()
    asked = ImportRequest(reader=reader_named(tool), **wanted)
    files = wanted_files(workspace, asked)
    bring_in(workspace, asked, files, report, lambda _done, _total: None)
    return report


def outcomes(report: ImportReport) -> list[str]:
    return [each.outcome for each in report.sessions]


def sessions(repository: Path) -> Sequence[Session]:
    return list(workspace_at(repository).store.memory().newest())


def refs(repository: Path) -> str:
    return git(repository, "for-each-ref", "refs/ocm")


class TestAConversation:
    def test_becomes_a_session_kept_apart(self, repository: Path) -> None:
        edits = [repository / "src" / "parser.py"]
        prompts = "Mend the parser.", f"The token is {SECRET}"
        written(repository, *prompts, edits=edits)
        report = imported(repository)
        (session,) = sessions(repository)
        assert outcomes(report) == [ImportStatus.NEW]
        assert report.sessions[0].session_id == session.session_id
        assert session.session_id == "2026-02-23_12-00_claude-code_mend-parser"
        assert (session.goal, session.branch) == ("Mend the parser.", "main")
        assert session.trigger is Trigger.IMPORT
        assert session.files == (FileChange("src/parser.py", Change.CREATED),)
        said = tree_at_tip(CONVERSATION, workspace_at(repository).repository).text_like(
            session.id
        )
        assert said
        assert "I shall look at that." in said
        assert SECRET not in said + repr(report) + repr(session)

    def test_is_not_imported_twice(self, repository: Path) -> None:
        written(repository, "Mend the parser.")
        imported(repository)
        before = refs(repository)
        assert outcomes(imported(repository)) == [ImportStatus.ALREADY]
        assert refs(repository) == before

    def test_is_read_again_only_if_it_changed(self, repository: Path) -> None:
        """By size, time and last block; Codex rewrites files under their old time."""
        file = written(repository, "Mend the parser.", *("Go on with it.",) * 30)
        imported(repository)
        times, content = file.stat(), file.read_text()
        for index, is_read in (
            (content.index("Go on"), False),
            (content.rindex("Go on"), True),
        ):
            changed = content[:index] + content[index:].replace("Go on", "Go up", 1)
            file.write_text(changed)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            [outcome] = outcomes(imported(repository))
            assert (outcome == ImportStatus.COMPLETED) == is_read

    def test_is_read_again_where_its_session_is_gone(self, repository: Path) -> None:
        written(repository, "Mend the parser.")
        imported(repository)
        git(repository, "update-ref", "-d", "refs/ocm/sessions")
        shutil.rmtree(repository / ".git/ocm/journal", ignore_errors=True)
        assert outcomes(imported(repository)) == [ImportStatus.NEW]

    def test_is_completed_if_continued(self, repository: Path) -> None:
        """As often as it is; and it tells its present outcome."""
        written(repository, "Mend the parser.", answer="It is broken.")
        imported(repository)
        for hours, answer in ((1, "It is mended now."), (2, "And tested.")):
            later = NOON + timedelta(hours=hours)
            written(repository, answer, began_at=later, answer=answer)
            assert outcomes(imported(repository)) == [ImportStatus.COMPLETED]
            assert outcomes(imported(repository)) == [ImportStatus.ALREADY]
            (session,) = sessions(repository)
            assert session.last_answer == answer
        (session,) = sessions(repository)
        assert session.prompts[1:] == ("It is mended now.", "And tested.")

    def test_written_up_needs_no_answers(self, repository: Path) -> None:
        workspace = workspace_at(repository)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace, caller, goal="Mend it", work_summary=["Mended it"])
        written(repository, "Mend it.", "Test it.")
        imported(repository)
        (session,) = sessions(repository)
        assert (session.work_summary, session.answers) == (("Mended it",), ())
        assert session.last_answer == "I shall look at that."

    def test_half_imported_is_completed_next(self, repository: Path) -> None:
        written(repository, "Mend the parser.")
        imported(repository)
        before = refs(repository)
        git(repository, "update-ref", "-d", "refs/ocm/conversations")
        assert outcomes(imported(repository)) == [ImportStatus.COMPLETED]
        assert refs(repository) == before

    def test_empty_one_is_only_counted(self, repository: Path) -> None:
        written(repository, edits=["/etc/hosts"])
        assert imported(repository).passed_over == 1
        assert refs(repository) == ""

    def test_of_an_invalid_time_is_none(self, repository: Path) -> None:
        never = NOON.replace(year=8000)
        written(repository, "Hello.", began_at=never)
        (trouble,) = imported(repository).unread.values()
        assert trouble.first[0].reason == "it is of a time that cannot be"
        assert sessions(repository) == []


class TestASessionThatIsThere:
    def test_is_completed_when_renamed(self, repository: Path) -> None:
        workspace = workspace_at(repository)
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(
            workspace, caller, slug="parser-mended", goal="A parser that works"
        )
        written(repository, "Mend it.", "And test it.", edits=["a.py"])
        assert outcomes(imported(repository)) == [ImportStatus.COMPLETED]
        (session,) = sessions(repository)
        assert session.session_id.endswith("_parser-mended")
        assert session.goal == "A parser that works"
        assert session.prompts == ("Mend it.", "And test it.")
        assert [file.path for file in session.files] == ["a.py"]

    def test_is_named_by_the_assistant_that_goes_on(self, repository: Path) -> None:
        written(repository, "Please mend the parser of dates.")
        imported(repository)
        (session,) = sessions(repository)
        assert session.session_id.endswith("_mend-parser-dates")
        caller = Caller("claude-code", own_conversation=CLIENT)
        saved_session(workspace_at(repository), caller, slug="dates", goal="Read dates")
        (session,) = sessions(repository)
        assert session.session_id.endswith("_dates")
        imported(repository)
        assert [each.id for each in sessions(repository)] == [session.id]

    def test_resumed_on_another_day_is_not_doubled(self, repository: Path) -> None:
        """Also where neither the journal nor the index knows of it."""
        written(repository, "Mend the parser.")
        imported(repository)
        minute, root = 3 * 24 * 60, str(repository)
        note(
            repository,
            event(Start, minute, root=root, source="resume"),
            event(Prompt, minute + 1, text="Go on with the dates.", root=root),
            event(End, minute + 9, root=root),
        )
        workspace = workspace_at(repository)
        capture(workspace, CLIENT, Trigger.SESSION_END)
        (session,) = workspace.current_sessions().newest()
        assert session.session_id.endswith("_mend-parser")

    def test_captured_by_hooks_is_not_doubled(self, repository: Path) -> None:
        root = str(repository)
        note(
            repository,
            event(Start, root=root),
            event(Prompt, text="Mend it.", root=root),
            event(Edit, path="a.py", change=Change.CREATED, root=root),
            event(End, 9, root=root),
        )
        edits = ["a.py", "b.py"]
        written(repository, "Mend it.", edits=edits)
        assert outcomes(imported(repository)) == [ImportStatus.COMPLETED]
        (session,) = sessions(repository)
        assert session.goal == "Mend it."
        assert [file.path for file in session.files] == ["a.py", "b.py"]
        assert outcomes(imported(repository)) == [ImportStatus.ALREADY]

    def test_is_not_the_running_session(self, repository: Path) -> None:
        workspace = workspace_at(repository)
        begun = workspace.now() - timedelta(minutes=5)
        note(repository, event(Start, at=begun, root=str(repository)))
        recent = begun + timedelta(minutes=2)
        written(repository, "Other", client=OTHER, began_at=recent)
        assert outcomes(imported(repository)) == [ImportStatus.NEW]
        found = conversation_of(workspace, Caller("claude-code"))
        assert found.client_session_id == CLIENT


class TestWhichConversations:
    def test_others_are_counted_by_folder(self, repository: Path) -> None:
        inner = make_repository(repository / "inner", commits=0)
        for number, folder in enumerate([inner, inner, Path("/gone"), repository]):
            client_id = f"{CLIENT[:-1]}{number}"
            written(repository, f"Ask {number}.", client=client_id, cwd=folder)
        report = imported(repository)
        assert report.elsewhere == {str(inner): 2, "/gone": 1}
        assert [each.goal for each in report.sessions] == ["Ask 3."]
        assert report.conversations == 4

    def test_those_of_linked_work_trees_count(self, repository: Path) -> None:
        linked = repository.parent / "linked"
        git(repository, "worktree", "add", "--quiet", str(linked))
        written(linked, "Mend.", edits=[linked / "a.py"])
        assert outcomes(imported(repository)) == [ImportStatus.NEW]
        assert sessions(repository)[0].files[0].path == "a.py"

    def test_those_held_where_the_repository_was(self, repository: Path) -> None:
        former = Path("/home/ada/former")
        edits = [former / "src" / "a.py"]
        written(former, "Mend.", cwd=former / "src", edits=edits)
        assert imported(repository).sessions == []
        assert outcomes(imported(repository, moved_from=[former])) == [ImportStatus.NEW]
        assert sessions(repository)[0].files[0].path == "src/a.py"

    def test_files_that_were_last_written_before_are_not_even_read(
        self, repository: Path
    ) -> None:
        file = written(repository, "Old.")
        os.utime(file, (NOON.timestamp(), NOON.timestamp()))
        assert imported(repository, since=NOON + timedelta(days=1)).files == 0

    def test_all_of_a_file_with_many(self, repository: Path) -> None:
        aider_file(repository, "Mend the parser.", "Test it.", "Ship it.")
        report = imported(repository, "aider")
        assert outcomes(report) == [ImportStatus.NEW] * 3
        assert [session.goal for session in sessions(repository)] == [
            *("Ship it.", "Test it.", "Mend the parser.")
        ]
        assert outcomes(imported(repository, "aider")) == [ImportStatus.ALREADY] * 3


class TestWhatCannotBeRead:
    def test_costs_only_itself(self, repository: Path) -> None:
        file = written(repository, "Mend it.")
        with file.open("ab") as opened:
            opened.write(b'{"broken\n' * 12 + b"\xff\xfe\n" + b"[]\n")
        written(repository, "Test it.", client=OTHER)
        report = imported(repository)
        assert outcomes(report) == [ImportStatus.NEW] * 2
        trouble = report.unread[file]
        assert (trouble.count, len(trouble.first)) == (14, 2)
        assert trouble.first[0].line == 3

    def test_any_value_is_survived(self, repository: Path) -> None:
        names = "cwd", "timestamp", "message", "sessionId"
        values: list[object] = [None, "\0\ud800", [], {"a": []}]
        for number, (name, value) in enumerate(product(names, values)):
            client_id = f"{CLIENT[:-2]}{number:02}"
            file = written(repository, "Mend it.", client=client_id)
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            lines[0][name] = value
            file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert imported(repository).files == 16
        assert imported(repository).count(ImportStatus.NEW) == 0


def test_records_passed_over_of_one_kind_are_counted_as_so_many() -> None:
    report, file = ImportReport(), Path("rollout.jsonl")
    report.note_unread(file, Unread("records of the unknown type 'song'", 4, 12))
    report.note_unread(file, Unread("no JSON", 9))
    (unread,) = as_json(report)["unread"]
    assert unread["parts"] == 13
    assert [part["count"] for part in unread["first"]] == [12, 1]


def test_every_reader_is_found_by_its_name() -> None:
    names = [reader.tool for reader in READERS]
    assert {"claude-code", "codex", "aider", "specstory"} <= {*names}
    assert tuple(map(reader_named, names)) == READERS


def test_the_refusal_of_an_unknown_name_says_which_are_known() -> None:
    with pytest.raises(InvalidInput) as refused:
        reader_named("emacs")
    known = ", ".join(reader.tool for reader in READERS)
    assert refused.value.hint == f"These can: {known}."


def test_no_name_of_a_file_or_folder_tells_a_secret() -> None:
    report = ImportReport()
    report.note_unread(Path("/p/.specstory/history", f"use {SECRET}.md"), Unread("odd"))
    report.elsewhere[f"/p/{SECRET}"] += 1
    said = as_json(report)
    assert said["unread"][0]["file"] == "/p/.specstory/history/use [REDACTED:github]"
    assert SECRET not in repr(said)


def test_old_rollouts_of_codex_are_imported_once(
    sealed_environment: Path, repository: Path
) -> None:
    kept = sealed_environment / ".codex" / "sessions"
    kept.mkdir(parents=True)
    context = f"<environment_context><cwd>{repository}</cwd></environment_context>"
    items = [
        {"type": "message", "role": "user", "content": [{"text": each}]}
        for each in (context, "Draw the menu.")
    ]
    meta = {"id": CLIENT, "timestamp": "2025-08-18T01:16:13.522Z"}
    lines = [json.dumps(each) for each in (meta, *items)]
    (kept / "rollout-a.jsonl").write_text("\n".join([*lines, ""]))
    oldest = {"session": {**meta, "id": OTHER}, "items": items}
    (kept / "rollout-b.json").write_text(json.dumps(oldest))
    assert outcomes(imported(repository, "codex")) == [ImportStatus.NEW] * 2
    assert outcomes(imported(repository, "codex")) == [ImportStatus.ALREADY] * 2
    assert [each.goal for each in sessions(repository)] == ["Draw the menu."] * 2
