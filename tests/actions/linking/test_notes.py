"""Notes on the user's commits: off until asked for, and never in anybody's way."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from support.commits import committed, remembered
from support.harness import CLIENT, NOON, git
from support.strategies import texts

from gitmem.actions.linking.links import Notes, note_commits, notes, turn_off, turn_on
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.message import is_ours, note_of
from gitmem.documents.session.session import Session
from gitmem.lookup import find
from gitmem.workspace import Workspace


def session(workspace: Workspace, session_id: str) -> Session:
    return find(workspace, SESSION, session_id)


def note(root: Path, commit: str) -> list[str]:
    return git(root, "log", "-1", "--notes=ocm", "--format=%N", commit).splitlines()


def test_off_they_write_nothing(workspace: Workspace, repository: Path) -> None:
    one = committed(repository, "a.py", "1\n")
    made = remembered(workspace, "c-1", one)
    before = (repository / ".git" / "config").read_bytes()
    note_commits(workspace, session(workspace, made))
    assert notes(workspace) == Notes(is_on=False, count=0)
    assert git(repository, "for-each-ref", "refs/notes") == ""
    assert (repository / ".git" / "config").read_bytes() == before


def test_each_commit_names_its_session(workspace: Workspace, repository: Path) -> None:
    one = committed(repository, "a.py", "1\n")
    two = committed(repository, "a.py", "2\n")
    nobodys = committed(repository, "a.py", "3\n")
    made = remembered(workspace, "c-1", one, two, "0" * 12, goal="Stop\nthe charge")
    assert turn_on(workspace) == Notes(is_on=True, count=2, written_count=2)
    for name in (one, two):
        assert note(repository, name) == [
            f"Ocm-Session: {made}",
            "Ocm-Tool: cursor",
            "Ocm-Goal: Stop the charge",
        ]
    assert note(repository, nobodys) == []
    assert turn_on(workspace) == Notes(is_on=True, count=2, written_count=0)
    assert git(repository, "config", "--local", "ocm.notes") == "true"
    assert git(repository, "log", "-1", "--format=%an", "refs/notes/ocm") == "Ada"


def test_new_commits_get_notes_at_once(workspace: Workspace, repository: Path) -> None:
    turn_on(workspace)
    one = committed(repository, "a.py", "1\n")
    made = remembered(workspace, CLIENT, one)
    note_commits(workspace, session(workspace, made))
    two = committed(repository, "a.py", "2\n")
    remembered(workspace, CLIENT, two, goal="Another goal", slug="slug")
    named = find(workspace, SESSION, "2026-02-23_12-00_cursor_slug")
    note_commits(workspace, named)
    for name in (one, two):
        assert note(repository, name)[::2] == [
            "Ocm-Session: 2026-02-23_12-00_cursor_slug",
            "Ocm-Goal: Another goal",
        ]
    assert git(repository, "rev-list", "--count", "refs/notes/ocm") == "2"
    note_commits(workspace, named)
    assert git(repository, "rev-list", "--count", "refs/notes/ocm") == "2"


def test_a_commit_of_two_sessions_names_both_whoever_saved_last(
    workspace: Workspace, repository: Path
) -> None:
    turn_on(workspace)
    one = committed(repository, "a.py", "1\n")
    newer = remembered(workspace, "c-1", one, at=NOON + timedelta(hours=1))
    older = remembered(workspace, "c-2", one)
    expected = [f"Ocm-Session: {newer}", f"Ocm-Session: {older}"]
    for made in (older, newer):
        note_commits(workspace, session(workspace, made))
        assert note(repository, one)[::3] == expected
    assert turn_on(workspace).written_count == 0


def test_off_again_they_only_stay(workspace: Workspace, repository: Path) -> None:
    remembered(workspace, "c-1", committed(repository, "a.py", "1\n"))
    turn_on(workspace)
    assert turn_off(workspace) == Notes(is_on=False, count=1)
    made = remembered(workspace, "c-2", committed(repository, "a.py", "2\n"))
    note_commits(workspace, session(workspace, made))
    assert notes(workspace).count == 1
    with pytest.raises(Exception, match="exit status 1"):
        git(repository, "config", "ocm.notes")


def test_unwritable_notes_fail_nothing_else(
    workspace: Workspace, repository: Path
) -> None:
    turn_on(workspace)
    one = committed(repository, "a.py", "1\n")
    made = remembered(workspace, "c-1", one)
    folder = repository / ".git" / "refs" / "notes"
    folder.mkdir()
    (folder / "ocm").write_text("no object name\n")
    note_commits(workspace, session(workspace, made))
    (folder / "ocm").unlink()
    assert turn_on(workspace).written_count == 1
    assert note(repository, one)


@given(goal=texts(), tool=texts())
def test_note_is_short_and_harmless(goal: str, tool: str) -> None:
    made = Session(
        id="2026-02-23_14-32_cursor_tei-migration",
        tool=tool,
        project="inference",
        client_session_id=CLIENT,
        started_at=NOON,
        updated_at=NOON,
        goal=goal,
    )
    text = note_of([made])
    assert is_ours(text)
    assert len(text.encode()) <= 500
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.startswith(f"Ocm-Session: {made.id}\n")
