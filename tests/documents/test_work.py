from dataclasses import replace
from datetime import timedelta

from support.events import event
from support.harness import NOON
from support.rounds import every_row
from support.strategies import session

from gitmem.documents.event import (
    Committed,
    Connected,
    End,
    Event,
    Prompt,
    Start,
    Trigger,
)
from gitmem.documents.session.gist import (
    QUIET,
    SessionState,
    by_recency,
    by_urgency,
    has_work,
    state_of,
)
from gitmem.documents.session.session import GoalSource, PlanFile, Status
from gitmem.git.values import Change, Commit, FileChange

SMALL_TALK = session(
    branch="main",
    trigger=Trigger.OBSERVED,
    status=Status.CLOSED,
    goal="How does the parser work?",
    goal_source=GoalSource.DERIVED,
)
OPEN = replace(SMALL_TALK, status=Status.OPEN)
MINUTE = timedelta(minutes=1)


@every_row("prompts", [(), ("hi", "What is a parser?", "ok, go on")])
@every_row("trigger", [Trigger.SESSION_END, Trigger.IMPORT])
def test_small_talk_is_no_work(prompts: tuple[str, ...], trigger: Trigger) -> None:
    assert not has_work(replace(SMALL_TALK, prompts=prompts, trigger=trigger))


@every_row(
    "values",
    [
        {"prompts": ("What is a parser?", "Explain the lexer as well.")},
        {"files": (FileChange("a.py", Change.MODIFIED),)},
        {"commits": (Commit("0123456789ab", "Mend it"),)},
        {"work_pending": ("Mend it",)},
        {"work_completed": ("Mend it",)},
        {"decisions": ("**One:** is enough.",)},
        {"questions": ("Which one?",)},
        {"work_summary": ("Read the parser",)},
        {"plan_files": (PlanFile("plan.md", "Plan"),)},
        {"extra_body": "## Notes\n\nMine."},
        {"goal_source": GoalSource.WRITTEN},
        {"trigger": Trigger.MANUAL},
        {"status": Status.FROZEN},
        {"status": Status.INTERRUPTED},
    ],
)
def test_each_of_these_alone_is_work(values: dict[str, object]) -> None:
    assert has_work(replace(SMALL_TALK, **values))  # type: ignore[arg-type] # as a session's fields are


@every_row(
    ("events", "state"),
    [
        ([], SessionState.OPEN),
        ([event(Start, 1)], SessionState.RUNNING),
        ([event(Prompt, 1, text="Go"), event(Start, 1)], SessionState.RUNNING),
        ([event(End, 1), event(Start, 1)], SessionState.OPEN),
        (
            [event(Committed, 1, sha="01", subject="s"), event(End, 1)],
            SessionState.OPEN,
        ),
    ],
)
def test_open_runs_where_hooks_saw_no_end(
    events: list[Event], state: SessionState
) -> None:
    assert state_of(OPEN, events, NOON + 2 * MINUTE) is state


def test_what_runs_and_gives_no_sign_was_interrupted() -> None:
    events = [event(Start, 1)]
    assert state_of(OPEN, events, NOON + MINUTE + QUIET) is SessionState.RUNNING
    assert state_of(OPEN, events, NOON + 2 * MINUTE + QUIET) is SessionState.INTERRUPTED
    saved = replace(OPEN, updated_at=NOON + QUIET)
    assert state_of(saved, events, NOON + MINUTE + QUIET) is SessionState.RUNNING


def test_a_connection_gives_no_sign_and_stays_open() -> None:
    events = [event(Connected, 1, branch="main", head=None, dirty=())]
    assert state_of(OPEN, events, NOON + MINUTE + QUIET) is SessionState.RUNNING
    assert state_of(OPEN, events, NOON + 2 * MINUTE + QUIET) is SessionState.OPEN


def test_to_dos_come_before_what_was_cut_off_and_that_before_what_is_done() -> None:
    work = replace(SMALL_TALK, trigger=Trigger.MANUAL)
    cut_off = replace(SMALL_TALK, status=Status.INTERRUPTED)
    earlier, a_file = NOON - timedelta(days=5), (FileChange("a", Change.CREATED),)
    ordered = [
        replace(work, blockers=("No key",), branch="topic", updated_at=earlier),
        cut_off,
        replace(cut_off, updated_at=earlier, files=a_file),
        replace(cut_off, branch="topic"),
        replace(work, updated_at=earlier, files=a_file),
        work,
        replace(work, updated_at=earlier),
        replace(work, branch="topic", files=a_file),
        SMALL_TALK,
    ]
    backwards = ordered[::-1]
    assert by_urgency(backwards, "main") == ordered
    left, *others = filter(has_work, ordered)
    backwards = [*reversed(others), left]
    last = by_recency(backwards, "main")
    assert last == [*others[:3], left, *others[3:]], "it was cut off later"


def test_what_is_left_of_stale_work_no_longer_leads() -> None:
    work = replace(SMALL_TALK, trigger=Trigger.MANUAL)
    weeks_ago = NOON - timedelta(days=21)
    left = replace(work, work_pending=("Tune it",), updated_at=weeks_ago)
    elsewhere = replace(left, branch="topic")
    sessions = [left, elsewhere, work]
    assert by_urgency(sessions, "main") == [work, left, elsewhere]
    assert by_recency(sessions, "main") == [work, left, elsewhere]
    assert by_urgency([elsewhere, left], "main") == [left, elsewhere], "all are old"
    assert by_urgency(sessions, "topic")[0] == elsewhere, "its branch has no newer work"
