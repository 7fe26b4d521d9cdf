"""What nobody could read there is not sent at all."""

from pathlib import Path

import pytest
from cli.running import commit_by_hand
from support.clones import Clone, Way, documents, make_clones, remote_in, travel
from support.harness import git

from gitmem.actions.sharing.sync_status import last_sync
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.identity import document_path
from gitmem.errors import InvalidInput

MOST = 2_000
REF = "refs/ocm/sessions"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(SESSION), "most_bytes", MOST)
    monkeypatch.setattr(type(CONVERSATION), "most_bytes", MOST)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    [one] = make_clones(tmp_path, 1, said=True)
    one.import_conversations("client", "Stop the double charge")
    return one


def lengthened(clone: Clone, size: int) -> str:
    """The only session, by hand; gives its id."""
    [(session_id, text)] = documents(clone.memory()).items()
    path = document_path(session_id)
    commit_by_hand(clone.folder, path, f"{text}\n{'x' * size}\n")
    return session_id


def refs_there(clone: Clone) -> str:
    return git(remote_in(clone.folder.parent), "for-each-ref", "refs/ocm")


def test_unreadable_document_there_stops_all(clone: Clone) -> None:
    session_id = lengthened(clone, MOST)
    for way in (Way.PLAN, Way.PUSH):
        with pytest.raises(InvalidInput, match="2,000 bytes") as refused:
            travel(clone.workspace(), way)
        assert session_id in refused.value.message
        assert REF in str(refused.value.hint)
        assert refs_there(clone) == ""
    last = last_sync(clone.workspace())
    assert last
    assert session_id in last.words


def test_shortened_it_goes_with_its_earlier_state(clone: Clone) -> None:
    before = documents(clone.memory())
    [(session_id, text)] = before.items()
    lengthened(clone, MOST)
    commit_by_hand(clone.folder, document_path(session_id), str(text))
    assert travel(clone.workspace()).sent == (session_id,)


def test_what_was_said_is_looked_at_before_the_sessions_go(clone: Clone) -> None:
    [session_id] = documents(clone.memory())
    path = document_path(session_id, "conversations")
    commit = commit_by_hand(clone.folder, path, "x" * (MOST + 1))
    git(clone.folder, "update-ref", CONVERSATION.ref, commit)
    git(clone.folder, "update-ref", REF, f"{commit}^")
    with pytest.raises(InvalidInput, match=f"conversation .*{session_id}"):
        travel(clone.workspace(), Way.PUSH)
    assert refs_there(clone) == ""


@pytest.mark.endurance
def test_remote_with_it_stops_nobody(clone: Clone) -> None:
    lengthened(clone, MOST)
    travel(clone.workspace(), Way.PULL)
    git(clone.folder, "push", "--quiet", "origin", REF)  # by hand, and unheard of here
    clone.save("other", "Something else")
    assert len(travel(clone.workspace(), Way.PUSH).sent) == 1
