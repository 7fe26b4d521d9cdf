"""Sessions out of what hooks saw, as the store makes them of the journal."""

from dataclasses import replace
from pathlib import Path

from support.events import event, note
from support.harness import CLIENT, git, record

from gitmem.documents.event import (
    Committed,
    Edit,
    End,
    Event,
    Prompt,
    Start,
    Todo,
    Todos,
    WorkTreeState,
)
from gitmem.documents.session.observed import observed
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.git.values import Change, FileChange
from gitmem.store.journal.journal import journal_name
from gitmem.store.session_store import SessionStore, pending_in
from gitmem.store.trees.session_tree import REF


def only_session(store: SessionStore) -> Session:
    store.replay()
    [session] = store.memory().newest()
    return session


def log(repository: Path) -> list[str]:
    return git(repository, "log", "--format=%s", REF).splitlines()


def test_hook_events_become_a_session(store: SessionStore, repository: Path) -> None:
    note(
        repository,
        event(Start, root=str(repository)),
        event(Prompt, 1, text="Make it fast", root=str(repository)),
        event(Edit, 2, path="file.txt", root=str(repository)),
    )
    session = only_session(store)
    assert (session.goal, session.goal_source) == ("Make it fast", GoalSource.DERIVED)
    assert session.files == (FileChange("file.txt", Change.MODIFIED),)
    assert (session.status, session.tool) == (Status.OPEN, "claude-code")
    assert session.started_at.minute == 0
    assert session.updated_at.minute == 2


def test_opened_and_closed_is_nothing(store: SessionStore, repository: Path) -> None:
    note(repository, event(Start), event(End, 1))
    store.replay()
    assert store.memory().commit is None
    assert list(store.journal.pending()) == []


def test_a_session_closes_and_opens_again(
    store: SessionStore, repository: Path
) -> None:
    note(repository, event(Start), event(Prompt, text="x"), event(End, 1))
    session = only_session(store)
    assert (session.status, session.ended_at) == (Status.CLOSED, session.updated_at)
    note(repository, event(Start, 2, source="resume"))
    session = only_session(store)
    assert (session.status, session.ended_at) == (Status.OPEN, None)
    note(repository, event(End, 3))
    assert only_session(store).status is Status.CLOSED


def test_idle_resume_makes_no_commit(store: SessionStore, repository: Path) -> None:
    note(repository, event(Start), event(Prompt, text="x"), event(End, 1))
    store.replay()
    before = log(repository)
    note(repository, event(Start, 2), event(End, 3))
    store.replay()
    assert log(repository) == before


def test_one_commit_has_all_pending(store: SessionStore, repository: Path) -> None:
    note(repository, event(Start), event(Prompt, text="asked"))
    store.append(record(goal="written", slug="one-thing"))
    store.replay(with_observed=False)
    assert len(log(repository)) == 1
    [session] = store.memory().newest()
    assert (session.goal, session.goal_source) == ("written", GoalSource.WRITTEN)


def test_later_events_wait(store: SessionStore, repository: Path) -> None:
    store.append(record(goal="written"))
    note(repository, event(Edit, 1, path="file.txt", root=str(repository)))
    store.replay(with_observed=False)
    [session] = store.memory().newest()
    assert session.files == ()
    assert only_session(store).files != ()


def test_files_that_are_nobodys_business_are_left_out(
    store: SessionStore, repository: Path, tmp_path: Path
) -> None:
    (repository / ".gitignore").write_text("*.log\n")
    (tmp_path / "outside").mkdir()
    (repository / "out").symlink_to(tmp_path / "outside")
    private = ("ignored.log", "../elsewhere", "/etc/passwd", "", ".", "out/x", "a\0b")
    for path in (*private, "kept"):
        note(repository, event(Edit, path=path, root=str(repository)))
    assert [file.path for file in only_session(store).files] == ["kept"]


def test_replay_is_same_from_any_offset(repository: Path, store: SessionStore) -> None:
    todo = Todo("1", "Make it fast", done=False)
    seen: list[Event] = [
        event(Start),
        event(WorkTreeState, branch="main", head="a" * 40, dirty=()),
        event(Prompt, 1, text="Make it fast"),
        event(Todos, 2, items=(todo,), is_whole=True),
        event(Edit, 3, path="a.py"),
        event(Todos, 4, items=(replace(todo, done=True),), is_whole=False),
        event(End, 4),
        event(Edit, 5, path="b.py"),  # it goes on, and nobody heard it begin
        event(Committed, 6, sha="b" * 10, subject="Faster"),
    ]
    note(repository, *seen)
    name, journal = journal_name(CLIENT), store.journal
    [*entries] = journal.entries(name)
    for number, entry in enumerate(entries[:-1], 1):
        journal.mark(entry, None)
        [(_, change)] = pending_in(journal, name, "project", lambda _, file: file)
        expected = observed(seen[number:], seen[:number], [])
        assert change is not None
        assert change.checkpoints == (expected,)
