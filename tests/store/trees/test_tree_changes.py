"""What an index is told: sessions with what was said in them, from state to state."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.conversations import keep
from support.harness import CLIENT, git, lose, saved

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.index_entry import IndexEntry
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.session_store import SessionStore
from gitmem.store.trees import conversation_tree, session_tree
from gitmem.store.trees.tree_changes import Searched

SAID = ("make it fast",)
TURNS = (Turn(Speaker.PERSON, *SAID),)


def on(day: int) -> datetime:
    return datetime(2026, 2, day, 12, tzinfo=UTC)


class Kept:
    """A repository with its sessions and conversations."""

    def __init__(self, repository: Path) -> None:
        self.folder = repository
        self._git = open_repository(repository)
        self.store = SessionStore(self._git)

    def save(self, client: str = CLIENT, **values: Any) -> Session:
        return saved(self.store, client, **values)

    def state(self) -> str:
        return self.now().state

    def since(self, known: str | None) -> Changes:
        return self.now().changes(known)

    def now(self) -> Searched:
        return Searched.now(self._git, self.store.memory())


@pytest.fixture
def kept(repository: Path) -> Kept:
    return Kept(repository)


def told_by(
    documents: Iterable[Changed],
) -> dict[str, IndexEntry | None]:
    return {each.id: each.entry() for each in documents}


def test_sessions_are_told_from_any_state_to_the_present_one(kept: Kept) -> None:
    one = kept.save("one", goal="g", slug="one")
    since = kept.state()
    two = kept.save("two", goal="h", slug="two")
    kept.save("three", goal="i")
    three = kept.save("three", slug="three")
    later = kept.since(since)
    assert (later.since, later.tip, later.total) == (since, kept.state(), 2)
    assert told_by(later.documents) == {
        two.id: entry(two),
        three.id: entry(three),
    }
    everything = kept.since(None)
    assert (everything.since, everything.total) == (None, 3)
    assert one.id in told_by(everything.documents)


def test_a_state_that_is_gone_is_no_common_ground(kept: Kept) -> None:
    kept.save(goal="g")
    for gone in ("0" * 39 + "1", f"{kept.state()} {'0' * 39}1", "damaged", " "):
        assert (kept.since(gone).since, kept.since(gone).total) == (None, 1)


def test_partial_index_learns_news_first(kept: Kept) -> None:
    one, two, three = (kept.save(f"{n}", goal="g", at=on(n)) for n in (1, 2, 3))
    on_its_way = kept.since(None).so_far(two.id)
    assert on_its_way
    assert [*told_by(kept.since(on_its_way).documents).items()] == [
        (one.id, entry(one))
    ]
    two, four = (kept.save(f"{n}", goal="h", at=on(4)) for n in (2, 4))
    rest = kept.since(on_its_way)
    assert (rest.since, rest.total) == (on_its_way, 3)
    assert [*told_by(rest.documents).items()] == [
        (each.id, entry(each)) for each in (four, two, one)
    ]
    assert [rest.so_far(each.id) is None for each in (four, two, one)] == [
        *(True, True, False)
    ]
    assert three.id not in told_by(kept.since(rest.so_far(one.id)).documents)


def test_a_session_that_was_removed_is_told_as_none(kept: Kept) -> None:
    before = kept.save(goal="g")
    since = kept.state()
    after = kept.save(slug="tei-migration")
    assert told_by(kept.since(since).documents) == {
        before.id: None,
        after.id: entry(after),
    }


def test_a_session_is_told_again_when_its_conversation_is_kept(kept: Kept) -> None:
    session = kept.save(goal="g")
    kept.save("other", goal="h")
    since = kept.state()
    keep(kept.folder, session, TURNS)
    assert kept.state() != since
    assert told_by(kept.since(since).documents) == {session.id: entry(session, SAID)}
    assert kept.since(kept.state()).total == 0


def test_a_renamed_session_takes_its_conversation_along(kept: Kept) -> None:
    keep(kept.folder, kept.save(goal="g"), TURNS)
    since = kept.state()
    renamed = kept.save(slug="fast-path")
    assert told_by(kept.since(since).documents)[renamed.id] == entry(renamed, SAID)


def test_unreadable_session_is_none(kept: Kept, repository: Path) -> None:
    lost, found = kept.save("one", goal="lost"), kept.save("two", goal="kept")
    path = kept.store.memory().path(lost.id)
    blob = git(repository, "rev-parse", f"{session_tree.REF}:{path}")
    lose(repository, blob)
    kept._git.close_packs()
    assert told_by(kept.since(None).documents) == {
        lost.id: None,
        found.id: entry(found),
    }


def test_unreadable_ones_hide_no_session(kept: Kept, repository: Path) -> None:
    session = kept.save(goal="g")
    kept.save("other", goal="h")
    keep(kept.folder, session, TURNS)
    since = kept.state()
    whole = git(repository, "rev-parse", conversation_tree.REF)
    (repository / ".git" / conversation_tree.REF).write_text("garbage\n")
    damaged = kept.since(since)
    assert (damaged.since, damaged.total) == (None, 2)
    assert told_by(damaged.documents)[session.id] == entry(session)
    (repository / ".git" / conversation_tree.REF).write_text(f"{whole}\n")
    assert told_by(kept.since(damaged.tip).documents) == {
        session.id: entry(session, SAID)
    }


def test_news_meanwhile_come_the_next_time(kept: Kept) -> None:
    session = kept.save(goal="g")
    since = kept.state()
    now = kept.now()
    keep(kept.folder, session, TURNS)
    first = now.changes(since)
    assert first.tip == since != kept.state()
    assert told_by(kept.since(first.tip).documents) == {
        session.id: entry(session, SAID)
    }
