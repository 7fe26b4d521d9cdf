"""Imported sessions: written at once, never twice, and beside whatever is there."""

import os
import threading
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, git, make_repository, record
from support.histories import Clones
from support.importing import import_all, started
from support.rounds import chance, rounds

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Edit, End, Prompt, Start, Trigger
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.errors import FormatTooNew, InvalidInput
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import redact
from gitmem.store.session_store import SessionStore, prepared
from gitmem.store.trees import conversation_tree
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import REF

LOOSE_BEFORE = 3
"""Those of the user's first commit."""
TURNS = (Turn(Speaker.PERSON, "make it fast"),)
LATER = NOON + timedelta(minutes=30)


def transcript(client: str = CLIENT, **values: Any) -> Record:
    told = {"at": LATER, "goal": "Make it fast", "prompts": ("Make it fast", "now")}
    source = {"trigger": Trigger.IMPORT, "goal_source": GoalSource.DERIVED}
    return record(client, **{**told, **source, **values})


def import_conversations(
    store: SessionStore, made: Record, began_at: datetime = NOON
) -> Session | None:
    [imported] = store.import_conversations([prepared(made, began_at, ())])
    return imported.after


def imported(store: SessionStore, made: Record, began_at: datetime = NOON) -> Session:
    session = import_conversations(store, made, began_at)
    assert session is not None
    assert store.memory().document(session.id) == session
    return session


def counted_objects(repository: Path) -> tuple[int, int]:
    """Loose ones, and packs."""
    told = git(repository, "count-objects", "-v").splitlines()
    found = dict(line.split(": ") for line in told)
    return int(found["count"]), int(found["packs"])


def log(repository: Path) -> list[str]:
    return git(repository, "log", "--format=%s", "--reverse", REF).splitlines()


def test_transcript_becomes_a_session(store: SessionStore, repository: Path) -> None:
    session = imported(store, transcript(status=Status.CLOSED))
    assert session.session_id == "2026-02-23_12-00_cursor_0a1b2c3d"
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


def test_same_transcript_commits_once(store: SessionStore, repository: Path) -> None:
    secret = "ghp_" + "Ab1Cd2Ef3Gh4" * 3
    made = transcript(goal=f"Use {secret}", work_pending=(f"hide {secret}",))
    session = imported(store, made)
    before = git(repository, "rev-parse", REF)
    assert import_conversations(store, made) == session
    assert git(repository, "rev-parse", REF) == before
    assert secret not in git(repository, "log", "-p", REF)
    assert "[REDACTED:github]" in session.goal


def test_what_no_journal_would_take_is_refused(store: SessionStore) -> None:
    with pytest.raises(InvalidInput):
        import_conversations(store, replace(transcript(), tool="../x"))
    with pytest.raises(InvalidInput):
        import_conversations(store, transcript(at=NOON.replace(tzinfo=None)))
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
    store.replay()
    [seen] = store.memory().newest()
    files = (FileChange("file.txt", Change.CREATED),)
    session = imported(store, transcript(work_pending=("test",), files=files))
    assert session == replace(
        seen,
        prompts=("Make it fast", "now"),
        work_pending=("test",),
        pending_at=NOON + timedelta(minutes=30),
    )
    assert log(repository)[1:] == ["0a1b2c3d: now (1 to do, imported)"]


def test_written_session_keeps_its_text(store: SessionStore, repository: Path) -> None:
    store.append(record(goal="written", slug="fast-path", work_pending=("mine",)))
    store.replay()
    [written] = store.memory().newest()
    for began_at in (NOON, NOON - timedelta(days=3)):  # hooks came in the middle
        session = imported(store, transcript(work_pending=("its",)), began_at)
        assert (session.id, session.goal) == (written.id, "written")
        assert session.work_pending == ("mine",)
        assert session.prompts == ("Make it fast", "now")
    assert len(log(repository)) == 2


def test_grown_transcript_adds_news(store: SessionStore, repository: Path) -> None:
    imported(store, transcript(work_pending=("a", "b")))
    grown = transcript(
        at=LATER + timedelta(hours=1), work_completed=("a",), work_pending=("b",)
    )
    session = imported(store, grown)
    assert (session.work_completed, session.work_pending) == (("a",), ("b",))
    assert session.updated_at == LATER + timedelta(hours=1)
    assert len(list(store.memory().ids())) == 1
    assert len(log(repository)) == 2


def test_hooks_continue_an_old_session(store: SessionStore, repository: Path) -> None:
    long_ago = NOON - timedelta(days=40)
    session = imported(store, transcript(), long_ago)
    imported(store, transcript("another"), long_ago)
    note(repository, event(Start, 60, tool="cursor", source="resume"))
    note(repository, event(Prompt, 61, tool="cursor", text="and more"))
    note(repository, event(Prompt, 62, "new", text="a conversation of its own"))
    store.replay()
    after = {each.client_session_id: each.id for each in store.memory().newest()}
    assert after[CLIENT] == session.id
    assert len(list(store.memory().ids())) == 3


def test_any_client_id_is_found_again(store: SessionStore) -> None:
    clients = ('a"b\\', "x" * 100, "日本\u2028b")
    sessions = [imported(store, transcript(client)) for client in clients]
    for client, session in zip(clients, sessions, strict=True):
        assert import_conversations(store, transcript(client)) == session
    assert len(list(store.memory().ids())) == 3


def test_conversation_naming_another_is_its_own(store: SessionStore) -> None:
    first = imported(store, transcript("other", goal=f"Go on with {CLIENT}"))
    assert imported(store, transcript()).id != first.id


def test_many_are_commits_in_one_pack(store: SessionStore, repository: Path) -> None:
    made = [transcript(str(UUID(int=number << 96))) for number in range(20)]
    imported = store.import_conversations(
        [prepared(each, NOON, TURNS) for each in made]
    )
    assert [one.before for one in imported] == [None] * 20
    assert all(one.is_said_anew for one in imported)
    ids = [one.id for one in imported]
    assert sorted(filter(None, ids)) == sorted(store.memory().ids())
    assert log(repository) == [f"{n:08x}: Make it fast (imported)" for n in range(20)]
    said = git(repository, "log", "--format=%s", conversation_tree.REF)
    assert said == "conversation: 20 sessions"
    assert git(repository, "fsck", "--strict") == ""
    assert counted_objects(repository) == (LOOSE_BEFORE, 1)
    again = store.import_conversations([prepared(each, NOON, TURNS) for each in made])
    assert [one.before for one in again] == [one.after for one in imported]
    assert not any(one.is_said_anew for one in again)
    assert len(log(repository)) == 20


def test_duplicate_has_one_session(store: SessionStore, repository: Path) -> None:
    grown = transcript(at=LATER + timedelta(hours=1), work_completed=("more",))
    parts = [transcript(), transcript("another"), grown]
    imported = store.import_conversations([prepared(each, NOON, ()) for each in parts])
    assert imported[0].after == imported[2].before
    assert len(list(store.memory().ids())) == 2
    assert len(log(repository)) == 3


def test_all_or_nothing_is_written(store: SessionStore, repository: Path) -> None:
    newer = Clones(repository).commit({"format": redact("3")})
    git(repository, "update-ref", conversation_tree.REF, newer)
    with pytest.raises(FormatTooNew):
        store.import_conversations([prepared(transcript(), NOON, TURNS)])
    assert store.memory().commit is None


def test_lost_race_rebuilds_the_batch(store: SessionStore, repository: Path) -> None:
    imported(store, transcript(goal="first"))
    other = git(repository, "commit-tree", "-p", REF, "-m", "other", f"{REF}^{{tree}}")
    ref = repository / ".git" / REF
    lock = ref.with_name(f"{ref.name}.lock")
    lock.touch()  # as a program that does not know of ours
    mine = [prepared(transcript("mine", goal="mine"), NOON, TURNS)]
    importing = threading.Thread(target=store.import_conversations, args=(mine,))
    importing.start()
    while not tree_at_tip(CONVERSATION, open_repository(repository)).commit:
        assert importing.is_alive()
        time.sleep(0.005)
    ref.write_text(f"{other}\n")
    lock.unlink()
    importing.join()
    assert [line.partition(" ")[2] for line in log(repository)] == [
        "first (imported)",
        "",
        "mine (imported)",
    ]
    assert len(list(store.memory().ids())) == 2


@pytest.mark.endurance
def test_parallel_imports_make_one_each(store: SessionStore, repository: Path) -> None:
    running = [started(repository, 10, 1) for _ in range(2)]
    for process in running:
        process.communicate()
    assert [process.returncode for process in running] == [0, 0]
    goals = sorted(session.goal for session in store.memory().newest())
    assert goals == [f"{number:02}" for number in range(10)]
    assert len(log(repository)) == 10


@pytest.mark.endurance
def test_an_import_that_is_killed_is_whole_and_is_gone_on_from(
    repository: Path, tmp_path: Path
) -> None:
    moments, kills = chance(), rounds(4)
    with started(repository, 8, 15) as importer:
        assert importer.stdin
        assert importer.stdout
        for number in range(kills):
            if number % 2:  # so that there is always much to do
                for lock in (repository / ".git" / "refs" / "ocm").glob("*.lock"):
                    lock.unlink()  # it stops git as well
                for ref in git(repository, "for-each-ref", "refs/ocm").split()[2::3]:
                    git(repository, "update-ref", "-d", ref)
            importer.stdin.write(f"{moments.uniform(0, 0.15)}\n")
            importer.stdin.flush()
            assert importer.stdout.readline() == "killed\n"
            assert git(repository, "fsck", "--strict", "--no-dangling") == ""
            git(repository, "rev-list", "--objects", "--glob=refs/ocm/*")
            for lock in (repository / ".git" / "refs" / "ocm").glob("*.lock"):
                os.utime(lock, (0, 0))  # nobody waits here until it is stale
    never_killed = make_repository(tmp_path / "never-killed")
    for folder in (repository, never_killed):
        import_all(folder, 8, 15)
    for ref in (REF, conversation_tree.REF):
        tree = f"{ref}^{{tree}}"
        assert git(repository, "rev-parse", tree) == git(
            never_killed, "rev-parse", tree
        )
    assert len(log(repository)) == 120
