"""What others take away stays, until a tombstone of theirs is accepted."""

from pathlib import Path

import pytest
from remote.clones import Clone, forget, make_clones
from support.clones import documents, travel
from support.harness import copied, git
from support.rounds import few
from support.user_rule import HIDDEN, MARK, put_rule

from gitmem.actions.scanning.rewrite import redact_stored
from gitmem.errors import NotFound
from gitmem.redaction.redact import following
from gitmem.store.remote.held_back import MOST_AT_ONCE
from gitmem.store.trees.session_tree import REF

CLIENT, OTHER, THIRD = (
    f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in range(3)
)


@pytest.fixture(
    params=[pytest.param(False, marks=pytest.mark.endurance), True],
    ids=["sessions", "said"],
)
def clones(tmp_path: Path, request: pytest.FixtureRequest) -> list[Clone]:
    """The first has begun a session, which both have, and the other as well."""
    copied(tmp_path, _both_have_two_sessions, request.param)
    return [Clone(tmp_path / str(number)) for number in range(2)]


def _both_have_two_sessions(place: Path, said: bool) -> None:
    here, there = make_clones(place, 2, said=said)
    here.checkpoint(CLIENT, goal="Of Ada", decisions=("**A:** it is so",))
    there.checkpoint(OTHER, goal="Of Bob")
    here.import_conversations(CLIENT, "Please look at it")
    travel(here.workspace())
    travel(there.workspace())
    travel(here.workspace())


def withheld(clone: Clone) -> list[str]:
    return [each.session_id for each in clone.withheld()]


def decide(clone: Clone, how: str, *names: str) -> list[str]:
    done: list[str] = getattr(clone, how)(*names)
    travel(clone.workspace())
    return done


@few(1, "with_history", [False, True])
def test_own_tombstone_needs_acceptance(
    clones: list[Clone], with_history: bool
) -> None:
    here, there = clones
    [session] = there.sessions_of(CLIENT)
    forget(there.workspace(), [session], from_history=with_history)
    travel(there.workspace())
    there.checkpoint(OTHER, decisions=("news",))
    travel(there.workspace())
    for _ in range(2):
        report = travel(here.workspace())
        assert (report.held_back, report.sent) == ((session.id,), ())
    assert here.memory().document(session.id) == session
    [other] = here.sessions_of(OTHER)
    assert other.decisions == ("news",)
    here.checkpoint(OTHER, references=())
    here.checkpoint(CLIENT, decisions=("and so on",))
    travel(here.workspace())
    travel(there.workspace())
    assert there.memory().document(session.id) is None
    assert withheld(here) == [session.session_id]
    assert decide(here, "accept", "all") == [session.id]
    travel(there.workspace())
    assert documents(here.memory()) == documents(there.memory())
    assert here.memory().document(session.id) is None
    assert withheld(here) == []
    if with_history:
        names = git(here.folder, "log", REF, "--name-only", "--format=")
        assert session.id not in names


@few(1, "with_history", [False, True])
def test_what_was_added_here_and_never_sent_waits_as_well(
    clones: list[Clone], with_history: bool
) -> None:
    here, there = clones
    [session] = there.sessions_of(OTHER)
    here.minutes = 5
    here.checkpoint(OTHER, decisions=("Of Ada, too",))
    forget(there.workspace(), [session], from_history=with_history)
    travel(there.workspace())
    assert travel(here.workspace()).held_back == (session.id,)
    [kept] = here.sessions_of(OTHER)
    assert kept.decisions == ("Of Ada, too",)
    assert decide(here, "accept", kept.session_id) == [session.id]
    assert here.sessions_of(OTHER) == []


def test_what_was_added_here_and_sent_goes_when_its_beginner_forgets_it(
    clones: list[Clone],
) -> None:
    here, there = clones
    here.minutes = 5
    here.checkpoint(OTHER, decisions=("Of Ada, too",))
    travel(here.workspace())
    travel(there.workspace())
    [session] = there.sessions_of(OTHER)
    forget(there.workspace(), [session], from_history=False)
    travel(there.workspace())
    assert travel(here.workspace()).held_back == ()
    assert here.sessions_of(OTHER) == []


def test_a_history_that_is_forgotten_stays_so_where_something_is_held_back(
    clones: list[Clone],
) -> None:
    here, there = clones
    [ours], [theirs] = there.sessions_of(CLIENT), there.sessions_of(OTHER)
    forget(there.workspace(), [ours], from_history=False)
    travel(there.workspace())
    assert travel(here.workspace()).held_back == (ours.id,)
    forget(there.workspace(), [theirs], from_history=True)
    travel(there.workspace())
    travel(here.workspace())
    here.checkpoint(CLIENT, decisions=("and so on",))
    here.checkpoint(THIRD, goal="Of Ada as well")
    travel(here.workspace())
    travel(there.workspace())
    [held] = here.withheld()
    assert held.session_id == ours.session_id
    assert "Person 1" in held.by
    for clone in clones:
        names = git(clone.folder, "log", REF, "--name-only", "--format=")
        assert theirs.id not in names


@pytest.mark.endurance
@few(1, "with_history", [False, True])
def test_refused_comes_back_for_all(clones: list[Clone], with_history: bool) -> None:
    here, there = clones
    [session] = there.sessions_of(CLIENT)
    forget(there.workspace(), [session], from_history=with_history)
    travel(there.workspace())
    travel(here.workspace())
    with pytest.raises(NotFound):
        decide(here, "refuse", "2026-01-01_00-00_cursor_no-such")
    assert decide(here, "refuse", session.id) == [session.id]
    travel(there.workspace())
    travel(here.workspace())
    assert there.memory().document(session.id) == session
    assert documents(here.memory()) == documents(there.memory())
    assert withheld(here) == withheld(there) == []
    there.checkpoint(CLIENT, decisions=("it lives",))
    travel(there.workspace())
    [again] = there.sessions_of(CLIENT)
    forget(there.workspace(), [again], from_history=False)
    travel(there.workspace())
    travel(here.workspace())
    assert withheld(here) == [session.session_id]


@pytest.mark.endurance
def test_few_sessions_of_others_are_forgotten_and_many_are_not(tmp_path: Path) -> None:
    here, there = make_clones(tmp_path, 2, said=False)
    for number in range(MOST_AT_ONCE + 2):
        there.checkpoint(f"{number:08x}-4e5f-4000-8000-000000000000", goal=f"{number}")
    travel(there.workspace())
    travel(here.workspace())
    sessions = [*there.memory().newest()]
    forget(there.workspace(), sessions[:1], from_history=False)
    travel(there.workspace())
    assert travel(here.workspace()).held_back == ()
    assert len([*here.memory().ids()]) == MOST_AT_ONCE + 1
    forget(there.workspace(), sessions[1:], from_history=False)
    travel(there.workspace())
    assert len(travel(here.workspace()).held_back) == MOST_AT_ONCE + 1
    assert len([*here.memory().ids()]) == MOST_AT_ONCE + 1
    decide(here, "accept", sessions[1].id)
    assert len([*here.memory().ids()]) == MOST_AT_ONCE
    assert len(withheld(here)) == MOST_AT_ONCE


@pytest.mark.endurance
def test_a_forgotten_item_stays_out_of_every_clone(tmp_path: Path) -> None:
    here, there = make_clones(tmp_path, 2, said=False)
    here.checkpoint(CLIENT, decisions=("one", "two"), work_pending=("x", "y"))
    travel(here.workspace())
    travel(there.workspace())
    there.minutes = 5
    there.checkpoint(CLIENT, decisions=("three",))
    [session] = here.sessions_of(CLIENT)
    workspace = here.workspace()
    workspace.store.remove_items(session.id, ["one", "y"], workspace.now())
    for clone in (here, there, here, there):
        travel(clone.workspace())
        assert withheld(clone) == []
    for clone in (here, there):
        [session] = clone.sessions_of(CLIENT)
        assert session.decisions == ("two", "three")
        assert session.work_pending == ("x",)
    [session] = there.sessions_of(CLIENT)
    workspace = there.workspace()
    workspace.store.remove_items(session.id, ["two"], workspace.now())
    travel(there.workspace())
    travel(here.workspace())
    # Theirs begins with "three" now, ours with "two": both have the first place.
    assert here.sessions_of(CLIENT)[0].decisions == ("three", "two")
    assert withheld(here) == [session.session_id]
    decide(here, "accept", session.id)
    assert here.sessions_of(CLIENT)[0].decisions == ("three",)


@pytest.mark.endurance
def test_what_only_rules_of_one_user_find_is_not_sent_back(tmp_path: Path) -> None:
    here, there = make_clones(tmp_path, 2, said=False)
    here.checkpoint(CLIENT, decisions=(f"Close {HIDDEN}", "two"))
    travel(here.workspace())
    travel(there.workspace())
    put_rule(here.folder)
    [session] = here.sessions_of(CLIENT)
    with following(here.workspace().user_rules()):
        redact_stored(here.workspace(), {session.id})
    for clone in (here, there, here):
        travel(clone.workspace())
        assert clone.sessions_of(CLIENT)[0].decisions == (f"Close {MARK}", "two")
