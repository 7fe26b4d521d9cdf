"""What a transcript comes to as a session."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.harness import CLIENT, NOON, git
from support.workspaces import workspace_at

from gitmem.actions.importing.derive_session import (
    BRANCH_LENGTH,
    DerivedSession,
    derived_session,
)
from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import PrintedCommit, Transcript
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Todo, Trigger
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.session import GoalSource, Status
from gitmem.git.values import Change, Commit, FileChange
from gitmem.work_trees import repository_folders

SECRET = "ghp_" + "a1B2" * 9


def transcript(repository: Path, **values: Any) -> Transcript:
    values.setdefault("turns", asked("Mend the parser."))
    values.setdefault("folder", str(repository))
    values.setdefault("began_at", NOON)
    values.setdefault("ended_at", NOON + timedelta(hours=1))
    values.setdefault("client_session_id", CLIENT)
    return Transcript(tool="claude-code", **values)


def made_of(repository: Path, **values: Any) -> DerivedSession | None:
    workspace = workspace_at(repository)
    return derived_session(
        transcript(repository, **values), workspace, repository_folders(workspace)
    )


def checkpoint_of(repository: Path, **values: Any) -> Checkpoint:
    made = made_of(repository, **values)
    assert made
    return made.record.checkpoint


def asked(*prompts: str) -> tuple[Turn, ...]:
    return tuple(Turn(Speaker.PERSON, prompt) for prompt in prompts)


def edited(path: str, change: Change = Change.MODIFIED, folder: str = "") -> HookEvent:
    return HookEvent(
        kind=EventKind.EDIT,
        client_session_id=CLIENT,
        folder=folder,
        path=path,
        change=change,
    )


def listed(*todos: tuple[str, bool]) -> HookEvent:
    items = tuple(Todo(text, text, done) for text, done in todos)
    return HookEvent(
        kind=EventKind.TODOS, client_session_id=CLIENT, todos=items, is_whole_list=True
    )


class TestTheGoalAndThePrompts:
    def test_several_are_listed_beside_the_goal(self, repository: Path) -> None:
        made = checkpoint_of(repository, turns=asked("Mend\n the  parser."))
        assert (made.goal, made.goal_source) == ("Mend the parser.", GoalSource.DERIVED)
        assert (made.prompts, made.trigger) == ((), Trigger.IMPORT)
        two = "Mend the parser.", "And test it"
        made = checkpoint_of(repository, turns=asked(*two))
        assert (made.goal, made.prompts) == ("Mend the parser.", two)

    def test_no_secret_is_cut_in_two(self, repository: Path) -> None:
        long = "word " * 56 + SECRET + " and more" * 200
        made = checkpoint_of(repository, turns=asked(long, "b" * 195 + " " + SECRET))
        assert "ghp_" not in repr(made)
        assert "[REDACTED" in (made.goal or "")

    def test_what_is_private_altogether_is_no_prompt(self, repository: Path) -> None:
        private = "<private>all of it</private>"
        assert made_of(repository, turns=asked(private)) is None
        made = checkpoint_of(repository, turns=asked(private, "Mend it."))
        assert made.goal == "Mend it."

    def test_answers_alone_are_not_worth_a_session(self, repository: Path) -> None:
        said = (Turn(Speaker.ASSISTANT, "Hello."),)
        assert made_of(repository, turns=said) is None
        files = (edited("a.py"),)
        assert checkpoint_of(repository, turns=said, events=files).goal is None


class TestTheAnswers:
    def test_say_what_came_of_it(self, repository: Path) -> None:
        said = Turn(Speaker.ASSISTANT, f"Mended, with {SECRET}; all tests pass.")
        made = checkpoint_of(repository, turns=(*asked("Mend it."), said))
        assert made.answers == ()
        assert made.last_answer == "Mended, with [REDACTED:github]; all tests pass."


class TestFiles:
    def test_the_net_effect_relative_to_the_work_tree(self, repository: Path) -> None:
        (repository / ".gitignore").write_text("*.log\n")
        made = checkpoint_of(
            repository,
            events=(
                edited("b.py"),
                edited(str(repository / "src" / "a.py"), Change.CREATED),
                edited("a.py", folder=str(repository / "src")),
                edited("out.log", Change.CREATED),
                edited("/etc/hosts"),
                edited(".git/hooks/x"),
            ),
        )
        assert made.files == (
            FileChange("src/a.py", Change.CREATED),
            FileChange("b.py", Change.MODIFIED),
        )


class TestTodos:
    def test_as_they_stood_at_the_end(self, repository: Path) -> None:
        lists = (
            listed(("old", False)),
            listed(("read", True), ("write " + SECRET, False)),
        )
        made = checkpoint_of(repository, events=lists)
        assert made.work_completed == ("read",)
        assert made.work_pending
        assert made.work_pending[0].startswith("write [REDACTED")


def made(sha: str, subject: str = "Mend it", **values: Any) -> PrintedCommit:
    return PrintedCommit(sha, subject, **values)


class TestCommits:
    def test_those_that_git_has_are_listed_once(self, repository: Path) -> None:
        sha = git(repository, "rev-parse", "HEAD")
        printed = (sha[:7], "fedcba9", sha, sha[:9])
        listed = checkpoint_of(repository, commits=tuple(map(made, printed))).commits
        assert listed == (Commit(sha[:12], "commit 0"),)

    def test_of_a_push_those_with_a_subject_of_its_own(self, repository: Path) -> None:
        before = git(repository, "rev-parse", "HEAD")
        for subject in ("Of nobody", "Send a key", "Take two locks"):
            git(repository, "commit", "-q", "--allow-empty", "-m", subject)
        own = frozenset({"Send a key", "Take two locks", "commit 0"})
        tip = git(repository, "rev-parse", "HEAD")
        pushed = made(tip[:7], "", since=before[:7], subjects=own)
        listed = checkpoint_of(repository, commits=(pushed,)).commits
        assert [commit.subject for commit in listed] == ["Send a key", "Take two locks"]

    def test_one_that_was_amended_is_not_listed(self, repository: Path) -> None:
        first, last = (
            git(repository, *arguments.split(), "--allow-empty", "-m", "x")
            and git(repository, "rev-parse", "HEAD")
            for arguments in ("commit", "commit --amend --date=2026-02-23T12:00:00Z")
        )
        before = git(repository, "rev-parse", "HEAD~1")
        printed = (
            *(made(before, branch="other"), made(first, branch="main")),
            *(made(last, branch="main", is_amended=True),),
        )
        listed = checkpoint_of(repository, commits=printed).commits
        assert [each.sha for each in listed] == [before[:12], last[:12]]


def test_a_branch_has_a_name_of_a_length_that_git_allows(repository: Path) -> None:
    for name in ("", "b" * (BRANCH_LENGTH + 1)):
        assert checkpoint_of(repository, branch=name).branch is None
    assert checkpoint_of(repository, branch="feature/x").branch == "feature/x"


class TestTimes:
    @pytest.fixture
    def in_berlin(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()

    @pytest.mark.usefixtures("in_berlin")
    def test_are_told_by_the_clock_of_this_machine(self, repository: Path) -> None:
        naive = datetime(2025, 7, 1, 9, 0)
        aware = datetime(2025, 7, 1, 7, 0, tzinfo=UTC)
        for moment in (naive, aware):
            made = made_of(repository, began_at=moment, ended_at=moment)
            assert made
            assert made.began_at.isoformat() == "2025-07-01T09:00:00+02:00"
            assert made.record.checkpoint.at == made.began_at

    def test_what_ended_long_ago_is_closed(self, repository: Path) -> None:
        now = workspace_at(repository).now()
        for hours, status in ((11, Status.OPEN), (13, Status.CLOSED)):
            ended = now - timedelta(hours=hours)
            made = checkpoint_of(repository, began_at=ended, ended_at=ended)
            assert made.status is status

    def test_nothing_begins_after_its_end(self, repository: Path) -> None:
        made = made_of(repository, began_at=NOON, ended_at=NOON - timedelta(hours=1))
        assert made
        assert made.began_at == made.record.checkpoint.at


def test_a_client_id_that_could_not_be_stored_is_replaced(repository: Path) -> None:
    made = made_of(repository, client_session_id=SECRET)
    assert made
    assert "ghp_" not in made.record.client_session_id
