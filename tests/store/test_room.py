"""A document is never larger than hosts and readers take, whoever adds to it."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, record
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.documents.conversation.conversation import Speaker, Turn, capped, render
from gitmem.documents.event import Edit, End, Prompt, Start, Trigger
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.session import Session, Status
from gitmem.errors import InvalidInput
from gitmem.git.libgit2.repository import open_repository
from gitmem.redaction.redact import seal
from gitmem.store.session_store import SessionStore, prepared
from gitmem.store.trees.committing import RefUpdate
from gitmem.store.trees.session_tree import REF

MUCH, MORE = 3_000, 9_000
LINE = ("word " * 20).strip()


@pytest.fixture(autouse=True)
def small_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if so much were a lot, which is quicker to write."""
    monkeypatch.setattr("gitmem.documents.session.change.ROOM", MUCH)
    monkeypatch.setattr("gitmem.actions.saving.checkpoint.ROOM", MUCH)
    monkeypatch.setattr("gitmem.documents.session.change.DOCUMENT_LIMIT", MORE)


def lines(number: int, first: int = 0) -> tuple[str, ...]:
    return tuple(f"{each} {LINE}" for each in range(first, first + number))


def only_session(store: SessionStore) -> Session:
    store.replay()
    [session] = store.memory().newest()
    assert list(store.journal.pending()) == []
    return session


def size(store: SessionStore, session: Session) -> int:
    return len((store.memory().text(session.id) or "").encode())


def test_oversized_checkpoint_is_refused(repository: Path) -> None:
    workspace = workspace_at(repository)
    save = partial(saved_session, workspace, client_session_id=CLIENT)
    save(goal="g", work_summary=list(lines(15)))
    with pytest.raises(InvalidInput, match="3,000 bytes"):
        save(work_summary=list(lines(15, 15)))
    save(decisions=["There is room for this."])
    [session] = workspace.current_sessions().newest()
    assert session.work_summary == lines(15)
    assert session.decisions == ("There is room for this.",)


def test_records_without_room_are_left(store: SessionStore, repository: Path) -> None:
    note(repository, event(Start, root=str(repository), tool="cursor"))
    note(repository, event(Prompt, 1, text="Mend it.", tool="cursor"))
    many = (event(Edit, 2, path=f"{n}/{'x' * 90}", tool="cursor") for n in range(50))
    note(repository, *(replace(each, root=str(repository)) for each in many))
    session = only_session(store)
    assert (session.goal, session.files) == ("Mend it.", ())

    note(repository, event(End, 3, tool="cursor"))
    assert only_session(store).status is Status.CLOSED
    assert size(store, session) < MUCH


def test_acknowledged_is_kept_without_room(store: SessionStore) -> None:
    """Each was told that there is room, and there was for each alone."""
    for first in (0, 20, 40):
        store.append(record(goal="g", work_summary=lines(20, first)))
    session = only_session(store)
    assert session.work_summary == lines(60)
    assert MUCH < size(store, session) < MORE


def test_unreadable_record_waits_alone(store: SessionStore) -> None:
    store.append(record(goal="g", work_summary=lines(200)))
    store.append(record("another", goal="h"))
    store.replay()
    [session] = store.memory().newest()
    assert session.goal == "h"
    assert len(list(store.journal.pending())) == 1


def test_filled_session_still_ends(store: SessionStore, repository: Path) -> None:
    store.append(record(goal="g"))
    session = only_session(store)
    git, memory = open_repository(repository), store.memory()
    text = (memory.text(session.id) or "") + "\n## More\n\n" + LINE * 50
    with git.batch() as batch:
        tree = batch.write_tree(memory.tree, {memory.path(session.id): seal(text, str)})
        by = store.author(NOON)
        commit = batch.create_commit(tree, [memory.commit or ""], seal("", str), by)
    assert RefUpdate(REF, memory.commit, commit, "by hand").is_made(git)

    with pytest.raises(InvalidInput):
        saved_session(
            workspace_at(repository), session_id=session.id, work_summary=["x"]
        )
    note(repository, event(End, 6, tool="cursor"))
    assert only_session(store).status is Status.CLOSED


def test_import_overfills_no_session(store: SessionStore) -> None:
    store.append(record(CLIENT, goal="g"))
    session = only_session(store)
    later = NOON + timedelta(minutes=1)
    made = record(
        CLIENT, at=later, decisions=lines(50), trigger=Trigger.IMPORT, branch="main"
    )
    [imported] = store.import_conversations([prepared(made, NOON, ())])
    assert imported.before == session
    after = only_session(store)
    assert (after.decisions, after.branch) == ((), "main")


@pytest.mark.endurance
@few(1, "text", ["\u2028" * 20_000, "x"])
def test_a_conversation_has_fewer_bytes_than_readers_take(text: str) -> None:
    """The costliest character, and turns that are nothing but headings."""
    turns = [Turn(Speaker.ASSISTANT, text, NOON)] * (600_000 // len(text))
    assert len(render(capped(turns)).encode()) < CONVERSATION.most_bytes
