"""Clones that heard of each other's sessions, in whatever order, hold the same."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from support.harness import NOON
from support.rounds import every_row, rounds
from support.strategies import (
    SESSION_ID,
    checkpoints,
    session,
    sessions,
    texts,
    versions,
)

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import (
    Checkpoint,
    Rewrite,
    apply,
    moment_after,
)
from gitmem.documents.session.identity import new_id, provisional_slug
from gitmem.documents.session.merging import merged
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import (
    MOST_FORMER_IDS,
    GoalSource,
    Session,
    Status,
)
from gitmem.documents.session.statements import statements
from gitmem.git.values import Change, Commit, FileChange

PROVISIONAL = f"{SESSION_ID[:23]}_{provisional_slug('c-1')}"


def after(before: Session, minutes: int, **values: Any) -> Session:
    return apply(before, Checkpoint(at=NOON + timedelta(minutes=minutes), **values))


def kept(written: Session) -> Session:
    """The session as its document gives it back."""
    return parse(written.id, render(written))


def assert_same(one: Session, other: Session) -> None:
    assert one == other
    assert render(one) == render(other)


def assert_laws(one: Session, two: Session, three: Session) -> None:
    both = merged(one, two)
    assert_same(merged(one, one), one)
    assert_same(merged(two, one), both)
    assert_same(merged(both, one), both)
    assert_same(merged(both, three), merged(one, merged(two, three)))
    assert_same(kept(both), both)


def of_one_conversation(session: Session) -> Session:
    return replace(session, client_session_id="c-1")


READ = st.builds(
    lambda head, body: parse(SESSION_ID, f"---\n{head}\n---\n{body}"), texts(), texts()
)
ANY = sessions().map(of_one_conversation) | READ.map(of_one_conversation)
KEPT = versions().map(kept)


@settings(max_examples=rounds(5))
@given(KEPT, KEPT, KEPT)
def test_similar_versions_merge_any_way(
    one: Session, two: Session, three: Session
) -> None:
    assert_laws(one, two, three)


@settings(max_examples=rounds(4))
@given(ANY, ANY, ANY)
def test_documents_merge_any_way(one: Session, two: Session, three: Session) -> None:
    assert_laws(one, two, three)


@given(versions().map(kept), st.lists(checkpoints(), max_size=3), st.booleans())
def test_a_change_wins_over_every_earlier_state(
    first: Session, changes: list[Checkpoint], is_one_second: bool
) -> None:
    states = [first]
    for each in changes:
        now = NOON if is_one_second else each.at
        at = moment_after(states[-1], now)
        change = replace(each, at=at, trigger=Trigger.MANUAL, rewritten=(), files=())
        states.append(kept(apply(states[-1], change)))
        assert apply(states[-1], change) == states[-1]
    for earlier in states:
        assert_same(merged(states[-1], earlier), states[-1])


def test_an_amended_commit_does_not_return() -> None:
    before = after(session(), 1, commits=(Commit("a1", "one"), Commit("b2", "two")))
    rewritten = (Rewrite("b2", Commit("c3", "two, better")),)
    amended = after(before, 2, rewritten=rewritten)
    assert amended.commits == (Commit("a1", "one"), Commit("c3", "two, better"))
    assert_laws(amended, before, after(before, 3, commits=(Commit("d4", "three"),)))
    assert_same(kept(merged(before, amended)), amended)


def test_work_of_both_is_in_order() -> None:
    base = after(session(), 1, work_completed=("one", "two"), decisions=("first",))
    here = after(base, 2, work_completed=("here",), decisions=("mine",))
    there = after(base, 3, work_completed=("there", "and then"))
    both = merged(here, there)
    assert both.work_completed == ("one", "two", "here", "there", "and then")
    assert both.decisions == ("first", "mine")
    assert both.ranks == (("work_completed", (0, 1, 2, 2)),)


def test_a_version_that_only_goes_on_is_the_merged_one() -> None:
    base = after(session(), 1, goal="g", decisions=("b", "a"), work_pending=("x",))
    later = after(base, 2, decisions=("c", "0"), work_pending=())
    assert merged(base, later) == later


def test_additions_after_a_merge_come_last() -> None:
    both = merged(session(decisions=("b", "a")), session(decisions=("c",)))
    assert both.decisions == ("b", "c", "a")
    later = kept(after(both, 1, decisions=("0",)))
    assert merged(later, both).decisions == ("b", "c", "a", "0")
    assert merged(later, session(decisions=("c",))) == later


def test_each_value_is_the_one_that_was_said_last() -> None:
    base = after(session(), 1, goal="base", work_pending=("a", "b"))
    here = after(after(base, 2, work_pending=("b",)), 9, work_completed=("x",))
    there = after(base, 3, goal="there", work_pending=("a",), branch="other")
    both = merged(here, there)
    assert (both.goal, both.work_pending) == ("there", ("a",))
    assert (both.updated_at, both.branch) == (here.updated_at, None)


def test_nothing_left_said_later_wins_over_a_list_said_before() -> None:
    base = after(session(), 1, work_pending=("a",))
    done = after(base, 2, work_pending=())
    assert kept(done).pending_at == NOON + timedelta(minutes=2)
    other = after(base, 3, work_completed=("x",))
    assert merged(done, other).work_pending == ()
    assert merged(session(), base).work_pending == ("a",)


def test_a_written_goal_wins_over_one_that_was_derived_later() -> None:
    written = after(session(), 1, goal="written")
    derived = after(session(), 2, goal="derived", goal_source=GoalSource.DERIVED)
    assert merged(written, derived).goal == "written"


def test_of_a_file_the_change_that_says_more_is_told() -> None:
    here = session(files=(FileChange("a", Change.CREATED),))
    there = session(files=(FileChange("a", Change.MODIFIED),))
    assert merged(here, there).files == merged(there, here).files == here.files


def test_a_clone_whose_clock_is_behind_loses_no_work() -> None:
    ahead = after(session(), 60, work_completed=("ahead",), status=Status.CLOSED)
    behind = after(session(), 1, work_completed=("behind",), goal="said")
    both = merged(ahead, behind)
    assert set(both.work_completed) == {"ahead", "behind"}
    assert (both.goal, both.status) == ("said", Status.CLOSED)
    assert both.updated_at == ahead.updated_at


def test_a_session_that_one_clone_named_has_its_slug() -> None:
    unnamed = session(session_id=PROVISIONAL, decisions=("d",))
    both = merged(unnamed, session())
    assert (both.session_id, both.former_ids) == (SESSION_ID, (PROVISIONAL,))
    assert both.decisions == ("d",)


def test_two_names_of_a_session_become_one() -> None:
    here, there = f"{SESSION_ID}-b", f"{SESSION_ID}-a"
    names = {"former_ids": (PROVISIONAL,)}
    both = merged(session(session_id=here, **names), session(session_id=there, **names))
    assert (both.session_id, both.former_ids) == (there, (PROVISIONAL, here))


def test_of_two_ids_of_a_conversation_the_least_stays() -> None:
    live, imported = (
        new_id(NOON + timedelta(minutes=n), "cursor", "s") for n in (1, 0)
    )
    assert merged(session(id=live), session(id=imported)).id == imported


def test_nothing_that_people_added_to_either_version_is_lost() -> None:
    here = session(
        extra_header="# of June\nreviewer: Ana\ntags:\n- a\n",
        extra_body="## Mine\n\nhere\n\n## Open\n\n```\n## Goal",
    )
    there = session(extra_header="due: May\n# last\n", extra_body="## Mine\n\nthere")
    both = merged(here, there)
    assert both.extra_header == (
        "due: May\n# of June\nreviewer: Ana\ntags:\n- a\n# last\n"
    )
    assert both.extra_body == (
        "## Mine\n\nhere\n\n## Mine\n\nthere\n\n## Open\n\n```\n## Goal\n```"
    )
    assert yaml.safe_load(both.extra_header)["tags"] == ["a"]
    assert merged(here, session()) == here


def test_of_two_times_of_a_statement_the_first_stays() -> None:
    later = session(started_at=NOON + timedelta(hours=2), decisions=("a",))
    earlier = after(session(), 60, decisions=("a", "b"))
    both = merged(later, earlier)
    times = {statement.text: statement.at for statement in statements(both)}
    assert times["a"] == times["b"] == NOON + timedelta(hours=1)
    none = merged(later, session())
    assert [statement.at for statement in statements(none)] == [later.started_at]


def test_an_item_that_a_person_took_out_takes_the_ranks_with_it() -> None:
    both = merged(session(decisions=("a", "b")), session(decisions=("c", "d")))
    assert "ranks: decisions=0,0,1,1\n" in render(both).replace('"', "")
    edited = parse(both.id, render(both).replace("- a\n", ""))
    assert (edited.decisions, edited.ranks) == (("c", "b", "d"), ())


@every_row(
    "told",
    [
        *("decisions=0,9", "decisions=1", "decisions=0,0,0", "decisions=1,0"),
        *("decisions=-1", "files=0,0", "id=0", "decisions", "decisions=0,0,1,1,1"),
        f"decisions={'9' * 5000}",
        f"decisions=0{',0' * 100_000}",
    ],
)
def test_ranks_that_cannot_be_count_for_nothing(told: str) -> None:
    written = session(decisions=("b", "a"))
    forged = render(written).replace("---\n\n", f'ranks: "{told}"\n---\n\n')
    assert parse(written.id, forged) == written


def test_former_ids_are_bounded_in_any_order() -> None:
    ids = [f"{SESSION_ID}-{number:03}" for number in range(250)]
    some = [session(former_ids=tuple(ids[n : n + 120])) for n in (0, 65, 130)]
    one, two, three = (parse(each.id, render(each)) for each in some)
    both = merged(merged(one, two), three)
    assert both == merged(three, merged(two, one)) == merged(both, two)
    assert both.former_ids == tuple(ids[:MOST_FORMER_IDS])
