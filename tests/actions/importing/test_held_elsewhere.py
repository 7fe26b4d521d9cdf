"""A conversation is a session in each repository that it touched, with those turns."""

from datetime import UTC, timedelta
from pathlib import Path

import pytest
from actions.importing.test_bring_in import imported, outcomes
from support.harness import CLIENT, NOON, git, make_repository
from support.rounds import every_row
from support.transcripts import records, written_records
from support.workspaces import saved_session, workspace_at

from gitmem.actions.forgetting import forget
from gitmem.actions.importing.live import save_held_elsewhere, takes_part
from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.live_transcript import repositories_touched
from gitmem.documents.event import Event, Trigger
from gitmem.documents.session.session import Session, Status


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Another repository that the conversation touches."""
    return make_repository(tmp_path / "library")


def talk(home: Path, *turns: tuple[Path, str]) -> Path:
    """A transcript of Claude Code in `home`: turns that write a file named so."""
    lines = [
        {**line, "timestamp": f"2026-03-01T{10 + number}:{minute:02}:00.000Z"}
        for number, (repository, name) in enumerate(turns)
        for minute, line in enumerate(records(repository, CLIENT, name))
    ]
    named = [
        {**line, "uuid": f"u-{number}", "cwd": str(home)}
        for number, line in enumerate(lines)
    ]
    return written_records(home, CLIENT, named)


def save(
    repository: Path, home: Path, transcript: Path, trigger: Trigger | None = None
) -> None:
    workspace = workspace_at(repository)
    about = {"tool": "claude-code", "client_session_id": CLIENT, "root": str(home)}
    event = Event(at=workspace.now(), **about)
    save_held_elsewhere(workspace, event, str(transcript), trigger)


def sessions(repository: Path) -> list[Session]:
    return [*workspace_at(repository).current_sessions().newest()]


def paths(session: Session) -> list[str]:
    return [file.path for file in session.files]


def everything_known(repository: Path) -> str:
    """All that refs of ours hold: documents, and what was said."""
    grep = ("grep", "-h", "", "refs/ocm/sessions", "refs/ocm/conversations")
    return git(repository, *grep)


class TestSavedAsItGoesOn:
    def test_it_has_the_turns_that_touched_this_repository(
        self, repository: Path, library: Path
    ) -> None:
        turns = (repository, "private"), (library, "shared"), (repository, "hidden")
        save(library, repository, talk(repository, *turns), Trigger.SESSION_END)
        (session,) = sessions(library)
        assert (session.goal, paths(session)) == ("shared", ["shared.py"])
        assert session.last_answer == "It is done: shared."
        assert session.status is Status.CLOSED
        known = everything_known(library)
        assert [word for word in ("private", "hidden") if word in known] == []

    def test_others_are_counted_and_not_named(
        self, repository: Path, library: Path, tmp_path: Path
    ) -> None:
        third = make_repository(tmp_path / "third")
        turns = (repository, "one"), (library, "two"), (third, "three")
        save(library, repository, talk(repository, *turns), Trigger.SESSION_END)
        (session,) = sessions(library)
        assert session.other_repositories == 2
        known = everything_known(library)
        assert [place for place in (repository, third) if place.name in known] == []

    def test_what_touched_nothing_here_leaves_no_trace(
        self, repository: Path, library: Path
    ) -> None:
        transcript = talk(repository, (repository, "one"))
        save(library, repository, transcript, Trigger.SESSION_END)
        assert not (library / ".git" / "ocm").exists()
        assert git(library, "for-each-ref", "refs/ocm") == ""

    def test_what_was_forgotten_does_not_come_again(
        self, repository: Path, library: Path
    ) -> None:
        transcript = talk(repository, (library, "shared"))
        save(library, repository, transcript, Trigger.SESSION_END)
        (session,) = sessions(library)
        forget(workspace_at(library), [session])
        save(library, repository, transcript, Trigger.SESSION_END)
        assert sessions(library) == []
        journal = library / ".git" / "ocm" / "journal"
        lines = [file.read_text() for file in journal.glob("*.jsonl")]
        assert [line for line in lines if "shared" in line] == []

    def test_a_turn_that_edited_an_ignored_file_is_none_of_its(
        self, repository: Path, library: Path
    ) -> None:
        (library / ".gitignore").write_text("hidden.py\n")
        save(library, repository, talk(repository, (library, "hidden")))
        assert sessions(library) == []

    def test_it_is_completed_turn_by_turn(
        self, repository: Path, library: Path
    ) -> None:
        turns = (library, "one"), (repository, "two"), (library, "three")
        for count in range(1, len(turns) + 1):
            save(library, repository, talk(repository, *turns[:count]))
        (session,) = sessions(library)
        assert session.prompts == ("one", "three")
        assert paths(session) == ["one.py", "three.py"]
        assert session.status is Status.OPEN

    def test_a_transcript_that_an_import_would_not_find_is_not_read(
        self, repository: Path, library: Path, tmp_path: Path
    ) -> None:
        transcript = talk(repository, (library, "one"))
        save(library, repository, transcript.rename(tmp_path / transcript.name))
        assert sessions(library) == []

    def test_no_call_of_a_tool_here_is_taken_for_its(
        self, repository: Path, library: Path
    ) -> None:
        save(library, repository, talk(repository, (library, "one")))
        saved = saved_session(workspace_at(library), Caller("claude-code"), goal="Mine")
        assert [session.goal for session in sessions(library)] == ["Mine", "one"]
        assert saved.session_id == sessions(library)[0].session_id

    def test_a_commit_that_it_made_meanwhile_is_its(
        self, repository: Path, library: Path
    ) -> None:
        workspace = workspace_at(library)
        at = workspace.now() - timedelta(seconds=60)
        lines = [
            {**line, "timestamp": at.astimezone(UTC).isoformat()}
            for line in records(library, CLIENT, "one")
        ]
        (library / "one.py").write_text("x\n")
        git(library, "add", "one.py")
        git(library, "commit", "--quiet", "--message=Write one")
        save(library, repository, written_records(repository, CLIENT, lines))
        (session,) = sessions(library)
        assert [commit.subject for commit in session.commits] == ["Write one"]

    def test_a_folder_above_says_which_repositories_it_touched(
        self, repository: Path, library: Path, tmp_path: Path
    ) -> None:
        transcript = talk(tmp_path, (library, "one"), (repository, "two"))
        workspace = workspace_at(library)
        about = {"tool": "claude-code", "client_session_id": CLIENT}
        event = Event(at=NOON, root=str(tmp_path), **about)
        touched = repositories_touched(workspace.environment, event, str(transcript))
        assert {*touched} == {str(library), str(repository)}


@every_row(
    ("setting", "is_installed", "takes"),
    [
        (None, False, False),
        (None, True, True),
        ("true", False, True),
        ("false", True, False),
    ],
)
def test_a_repository_takes_part_where_its_user_agreed(
    library: Path, setting: str | None, *, is_installed: bool, takes: bool
) -> None:
    run = library / ".git" / "ocm" / "run"
    run.parent.mkdir(exist_ok=True)
    run.unlink(missing_ok=True)
    if is_installed:
        run.touch()
    git(library, "config", "ocm.everywhere", setting or "")
    if setting is None:
        git(library, "config", "--unset", "ocm.everywhere")
    assert takes_part(workspace_at(library)) is takes


class TestImported:
    @pytest.mark.parametrize("home", ["repository", "."])
    def test_from_another_repository_or_the_folder_above(
        self, repository: Path, library: Path, tmp_path: Path, home: str
    ) -> None:
        turns = (repository, "private"), (library, "shared")
        talk((tmp_path / home).resolve(), *turns)
        assert outcomes(imported(library)) == ["new"]
        (session,) = sessions(library)
        assert (session.goal, paths(session)) == ("shared", ["shared.py"])
        assert session.other_repositories == 1
        assert "private" not in everything_known(library)
        assert outcomes(imported(library)) == ["already"]

    def test_what_only_names_it_is_counted(
        self, repository: Path, library: Path
    ) -> None:
        talk(repository, (repository, str(library)))
        report = imported(library)
        assert (report.sessions, report.elsewhere) == ([], {str(repository): 1})

    def test_what_was_saved_as_it_went_on_is_there_already(
        self, repository: Path, library: Path
    ) -> None:
        turns = (repository, "private"), (library, "shared")
        save(library, repository, talk(repository, *turns), Trigger.SESSION_END)
        before = sessions(library)
        assert outcomes(imported(library)) == ["already"]
        assert sessions(library) == before
