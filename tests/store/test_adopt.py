"""Imported sessions: written at once, never twice, and beside whatever is there."""

import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from harness import CLIENT, NOON, git, record
from seeing import event, note

from gitmem.errors import InvalidInput
from gitmem.model.event import Edit, End, Prompt, Start
from gitmem.model.record import Record
from gitmem.model.session import (
    Change,
    FileChange,
    GoalSource,
    Session,
    Status,
    Trigger,
)
from gitmem.store.libgit2 import open_repository
from gitmem.store.memory import REF
from gitmem.store.sessions import SessionStore

LATER = NOON + timedelta(minutes=30)


@pytest.fixture
def store(repository: Path) -> SessionStore:
    return SessionStore(open_repository(repository))


def transcript(client: str = CLIENT, **values: Any) -> Record:
    told = {"at": LATER, "goal": "Make it fast", "prompts": ("Make it fast", "now")}
    source = {"trigger": Trigger.IMPORT, "goal_source": GoalSource.DERIVED}
    return record(client, **{**told, **source, **values})


def adopted(store: SessionStore, made: Record, began_at: datetime = NOON) -> Session:
    session = store.adopt(made, began_at)
    assert session is not None
    assert store.memory().session(session.id) == session
    return session


def log(repository: Path) -> list[str]:
    return git(repository, "log", "--format=%s", "--reverse", REF).splitlines()


def test_a_transcript_becomes_a_session_with_one_commit(
    store: SessionStore, repository: Path
) -> None:
    session = adopted(store, transcript(status=Status.CLOSED))
    assert session.id == "2026-02-23_12-00_cursor_0a1b2c3d"
    assert (session.started_at, session.ended_at) == (NOON, LATER)
    assert (session.trigger, session.goal_source) == (
        Trigger.IMPORT,
        GoalSource.DERIVED,
    )
    assert session.prompts == ("Make it fast", "now")
    assert log(repository) == ["0a1b2c3d: Make it fast (imported)"]
    when = git(repository, "log", "-1", "--format=%aI", REF)
    assert datetime.fromisoformat(when) == LATER
    assert store.journal.names() == []
    assert git(repository, "fsck", "--strict") == ""


def test_the_same_transcript_makes_no_second_commit(
    store: SessionStore, repository: Path
) -> None:
    secret = "ghp_" + "Ab1Cd2Ef3Gh4" * 3
    made = transcript(goal=f"Use {secret}", work_pending=(f"hide {secret}",))
    session = adopted(store, made)
    before = git(repository, "rev-parse", REF)
    assert store.adopt(made, NOON) == session
    assert git(repository, "rev-parse", REF) == before
    assert secret not in git(repository, "log", "-p", REF)
    assert "[REDACTED:github]" in session.goal


def test_what_is_worth_no_session_makes_none(store: SessionStore) -> None:
    assert store.adopt(record(trigger=Trigger.IMPORT), NOON) is None
    assert store.memory().commit is None


def test_what_no_journal_would_take_is_refused(store: SessionStore) -> None:
    with pytest.raises(InvalidInput):
        store.adopt(replace(transcript(), tool="../x"), NOON)
    with pytest.raises(InvalidInput):
        store.adopt(transcript(at=NOON.replace(tzinfo=None)), NOON)
    assert store.memory().commit is None


def test_a_session_that_hooks_saw_is_completed_and_not_doubled(
    store: SessionStore, repository: Path
) -> None:
    root = str(repository)
    note(
        repository,
        event(Start, root=root),
        event(Prompt, 1, text="Make it fast", root=root),
        event(Edit, 2, path="file.txt", root=root),
        event(End, 40, root=root),
    )
    store.drain()
    [seen] = store.memory().newest()
    files = (FileChange("file.txt", Change.CREATED),)
    session = adopted(store, transcript(work_pending=("test",), files=files))
    assert session == replace(
        seen, prompts=("Make it fast", "now"), work_pending=("test",)
    )
    assert log(repository)[1:] == ["0a1b2c3d: now (1 to do, imported)"]


def test_a_session_that_was_written_keeps_what_was_written(
    store: SessionStore, repository: Path
) -> None:
    store.append(record(goal="written", slug="fast-path", work_pending=("mine",)))
    store.drain()
    [written] = store.memory().newest()
    for began_at in (NOON, NOON - timedelta(days=3)):  # hooks came in the middle
        session = adopted(store, transcript(work_pending=("its",)), began_at)
        assert (session.id, session.goal) == (written.id, "written")
        assert session.work_pending == ("mine",)
        assert session.prompts == ("Make it fast", "now")
    assert len(log(repository)) == 2


def test_a_session_of_another_day_is_found_by_its_id(
    store: SessionStore, repository: Path
) -> None:
    session = adopted(store, transcript())
    known = replace(transcript(work_completed=("more",)), session_id=session.id)
    after = adopted(store, known, NOON - timedelta(days=3))
    assert (after.id, after.work_completed) == (session.id, ("more",))
    assert log(repository)[-1] == "0a1b2c3d: more (+1 done, imported)"


def test_a_transcript_that_grew_adds_what_is_new(
    store: SessionStore, repository: Path
) -> None:
    adopted(store, transcript(work_pending=("a", "b")))
    grown = transcript(
        at=LATER + timedelta(hours=1), work_completed=("a",), work_pending=("b",)
    )
    session = adopted(store, grown)
    assert (session.work_completed, session.work_pending) == (("a",), ("b",))
    assert session.updated_at == LATER + timedelta(hours=1)
    assert len(list(store.memory().ids())) == 1
    assert len(log(repository)) == 2


def test_hooks_go_on_with_a_session_that_was_imported(
    store: SessionStore, repository: Path
) -> None:
    session = adopted(store, transcript(status=Status.CLOSED))
    note(repository, event(Start, 60), event(Prompt, 61, text="and more"))
    store.drain()
    [after] = store.memory().newest()
    assert (after.id, after.status) == (session.id, Status.OPEN)


def test_hooks_go_on_with_a_session_that_began_long_ago(
    store: SessionStore, repository: Path
) -> None:
    long_ago = NOON - timedelta(days=40)
    session = adopted(store, transcript(), long_ago)
    adopted(store, transcript("another"), long_ago)
    note(repository, event(Start, 60, source="resume"))
    note(repository, event(Prompt, 61, text="and more"))
    note(repository, event(Prompt, 62, "new", text="a conversation of its own"))
    store.drain()
    after = {each.client_session_id: each.id for each in store.memory().newest()}
    assert after[CLIENT] == session.id
    assert len(list(store.memory().ids())) == 3


@pytest.mark.parametrize(
    "client", ['a"b', "a\\b", "x" * 100, "日本", "a\u2028b", "it's"]
)
def test_any_client_id_is_found_again(store: SessionStore, client: str) -> None:
    session = adopted(store, transcript(client))
    adopted(store, transcript("another"))
    assert store.adopt(transcript(client), NOON) == session
    assert len(list(store.memory().ids())) == 2


def test_a_conversation_that_names_another_is_not_taken_for_it(
    store: SessionStore,
) -> None:
    first = adopted(store, transcript("other", goal=f"Go on with {CLIENT}"))
    assert adopted(store, transcript()).id != first.id


IMPORTER = """
import sys
from datetime import timedelta
from pathlib import Path
from harness import NOON, record
from gitmem.model.session import Trigger
from gitmem.store.libgit2 import open_repository
from gitmem.store.sessions import SessionStore

store = SessionStore(open_repository(Path(sys.argv[1])))
for number in range(10):
    made = record(f"client-{number}", goal=str(number), trigger=Trigger.IMPORT)
    store.adopt(made, NOON - timedelta(minutes=number))
"""


def test_two_imports_at_once_make_one_session_each(
    store: SessionStore, repository: Path
) -> None:
    path = ":".join([str(Path(__file__).parent.parent), *sys.path])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", IMPORTER, str(repository)],
            env={"PYTHONPATH": path, "HOME": str(repository)},
        )
        for _ in range(2)
    ]
    assert [process.wait() for process in running] == [0, 0]
    goals = sorted(session.goal for session in store.memory().newest())
    assert goals == sorted(map(str, range(10)))
    assert len(log(repository)) == 10


@pytest.mark.slow
def test_many_transcripts_of_one_day_are_adopted_in_time(store: SessionStore) -> None:
    begin = time.process_time()  # how long a disk takes to sync is its own affair
    for number in range(200):
        store.adopt(transcript(str(UUID(int=number))), NOON)
    assert time.process_time() - begin < 6
    assert len(list(store.memory().ids())) == 200
