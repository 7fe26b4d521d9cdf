"""An import completes a session, and never lowers what others wrote."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from support.harness import NOON
from support.rounds import every_row
from support.strategies import checkpoints, session, sessions

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.completion import complete
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.git.values import Change, Commit, FileChange


def imported(minutes: int = 1, **values: Any) -> Checkpoint:
    at = NOON + timedelta(minutes=minutes)
    values.setdefault("goal_source", GoalSource.DERIVED)
    return Checkpoint(at=at, trigger=Trigger.IMPORT, **values)


@given(sessions(), checkpoints())
def test_second_import_changes_nothing(before: Session, made: Checkpoint) -> None:
    made = replace(made, trigger=Trigger.IMPORT, rewritten=())
    once = complete(before, made)
    assert complete(once, made) == once


def test_two_transcripts_of_one_conversation_do_not_take_turns() -> None:
    one = imported(goal="Mend one.", work_pending=("a",), branch="main")
    other = imported(goal="Mend another.", work_pending=("b",), branch="x")
    both = complete(complete(session(), one), other)
    assert (both.goal, both.work_pending, both.branch) == (one.goal, ("a",), "main")
    assert complete(both, one) == complete(both, other) == both


@given(sessions(), checkpoints())
def test_what_others_wrote_is_still_there(before: Session, made: Checkpoint) -> None:
    made = replace(made, trigger=Trigger.IMPORT, goal_source=GoalSource.DERIVED)
    after = complete(before, made)
    if before.trigger is not Trigger.IMPORT and before.work_completed:
        assert after.work_completed == before.work_completed
        assert after.work_pending == before.work_pending
        assert after.trigger is before.trigger
    if before.goal and before.goal_source is GoalSource.WRITTEN:
        assert after.goal == before.goal
    assert before.status is Status.OPEN or after.status is before.status
    assert after.updated_at >= before.updated_at


def test_a_session_of_hooks_gets_what_they_did_not_see() -> None:
    before = session(goal="make", goal_source=GoalSource.DERIVED)
    after = complete(
        before,
        imported(
            prompts=("make", "now that"),
            work_pending=("test",),
            commits=(Commit("0123456", "Do it"),),
        ),
    )
    assert after.prompts == ("make", "now that")
    assert (after.work_pending, after.trigger) == (("test",), Trigger.IMPORT)
    assert after.commits == (Commit("0123456", "Do it"),)


@every_row("minutes", [-1, 0, 1])
def test_a_goal_that_says_nothing_gives_way_to_one_that_does(minutes: int) -> None:
    before = session(goal="hi", goal_source=GoalSource.DERIVED)
    assert complete(before, imported(minutes, goal="Mend it.")).goal == "Mend it."
    told = replace(before, goal="Mend it.")
    assert complete(told, imported(minutes, goal="go on")).goal == "Mend it."
    written = replace(before, goal_source=GoalSource.WRITTEN)
    assert complete(written, imported(minutes, goal="Mend it.")) == written


def test_a_list_that_was_imported_gives_way_to_a_newer_one() -> None:
    first = imported(1, work_completed=("a",), work_pending=("b", "c"))
    grown = imported(2, work_completed=("a", "b"), work_pending=("c",))
    after = complete(apply(session(), first), grown)
    assert (after.work_completed, after.work_pending) == (("a", "b"), ("c",))


def test_the_lists_of_whoever_wrote_since_the_import_stay() -> None:
    first = apply(session(), imported(1, work_pending=("a",)))
    written = apply(first, Checkpoint(at=NOON + timedelta(minutes=2), goal="written"))
    grown = imported(3, work_pending=("b",), prompts=("x", "y"))
    after = complete(written, grown)
    assert (after.work_pending, after.prompts) == (("a",), ("x", "y"))
    assert complete(after, replace(grown, work_pending=("c",))) == after


def test_an_older_transcript_says_only_what_was_never_said() -> None:
    closed = session(status=Status.CLOSED, ended_at=NOON, trigger=Trigger.SESSION_END)
    made = imported(-1, goal="g", branch="main", work_pending=("a",), prompts=("x",))
    after = complete(closed, made)
    assert (after.goal, after.goal_source) == ("g", GoalSource.DERIVED)
    assert (after.branch, after.work_pending) == ("main", ("a",))
    assert (after.updated_at, after.trigger) == (NOON, Trigger.SESSION_END)
    other = imported(-1, goal="h", branch="other", work_pending=("b",))
    assert complete(after, other) == after


@every_row("status", [None, Status.OPEN, Status.CLOSED])
def test_what_is_not_open_stays_so(status: Status | None) -> None:
    for there in (Status.CLOSED, Status.FROZEN):
        after = complete(session(status=there), imported(goal="new", status=status))
        assert (after.goal, after.status) == ("new", there)


def test_what_git_told_of_a_file_stays_unless_it_is_gone_since() -> None:
    there = FileChange("a", Change.CREATED), FileChange("gone", Change.DELETED)
    seen = FileChange("a", Change.MODIFIED), FileChange("gone", Change.CREATED)
    before = session(files=there)
    assert complete(before, imported(files=seen)) == before
    deleted = FileChange("a", Change.DELETED), FileChange("b", Change.MODIFIED)
    after = complete(before, imported(files=deleted)).files
    assert set(after) == {*deleted, FileChange("gone", Change.DELETED)}
    after = complete(before, imported(-1, files=deleted)).files
    assert set(after) == {*there, FileChange("b", Change.MODIFIED)}


def test_commit_is_listed_once_at_any_length() -> None:
    before = session(commits=(Commit("0123456789ab", "Do it"),))
    short, other = Commit("0123456", "Do it"), Commit("ffffff", "Another")
    after = complete(before, imported(commits=(short, other)))
    assert after.commits == (*before.commits, other)
