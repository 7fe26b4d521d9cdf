"""What events come to: a session that nobody wrote is still worth finding."""

from support.events import event
from support.harness import NOON
from support.rounds import every_row

from gitmem.documents.event import (
    Compaction,
    End,
    Prompt,
    Start,
    Todo,
    Todos,
    Trigger,
    WorkTreeState,
)
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.observed import has_content, observed
from gitmem.documents.session.session import GoalSource, Status


def todos(*items: tuple[str, str, bool | None], is_whole: bool = True) -> Todos:
    return event(Todos, items=tuple(Todo(*item) for item in items), is_whole=is_whole)


def test_the_first_prompt_is_the_goal_marked_as_derived() -> None:
    made = observed([event(Start), event(Prompt, text="Make it\n  fast")], (), ())
    assert (made.goal, made.goal_source) == ("Make it fast", GoalSource.DERIVED)
    assert has_content(made)


def test_the_goal_is_the_first_prompt_that_says_something() -> None:
    said = ("hi", "go on", "Mend the parser", "And the lexer")
    asked = [event(Prompt, n, text=text) for n, text in enumerate(said)]
    assert observed(asked, (), ()).goal == "Mend the parser"
    assert observed(asked[:2], (), ()).goal == "hi"
    later = observed(asked[3:], asked[2:3], [])
    assert (later.goal, later.prompts) == ("Mend the parser", said[2:])


def test_start_counts_until_a_checkpoint() -> None:
    found = event(WorkTreeState, branch="main", head="a" * 40, dirty=())
    prompt = event(Prompt, 1, text="x")
    assert observed([prompt], [found], ()).branch == "main"
    written = [Checkpoint(at=NOON, branch="other", head="b" * 40)]
    assert observed([prompt], [found], written).branch is None


WRITE_AND_TEST = todos(("1", "write", True), ("2", "test", False))
DROPPED = event(Todos, items=(Todo("2", "", None, is_dropped=True),), is_whole=False)


@every_row(
    ("earlier", "now", "completed", "pending"),
    [
        ([], [WRITE_AND_TEST], ("write",), ("test",)),
        ([todos(("b", "b", False))], [todos(("a", "a", False))], (), ("a",)),
        (  # single ones change the list
            [todos(("1", "write", False), is_whole=False)],
            [
                todos(("2", "test", False), is_whole=False),
                todos(("1", "", True), ("9", "", True), is_whole=False),
            ],
            ("write",),
            ("test",),
        ),
        (  # one that is renamed keeps its state
            [WRITE_AND_TEST],
            [todos(("1", "write it", None), ("2", "test it", None), is_whole=False)],
            ("write it",),
            ("test it",),
        ),
        ([WRITE_AND_TEST], [DROPPED], ("write",), ()),
    ],
)
def test_to_dos_stand_as_they_were_told_last(
    earlier: list[Todos],
    now: list[Todos],
    completed: tuple[str, ...],
    pending: tuple[str, ...],
) -> None:
    made = observed(now, earlier, ())
    assert (made.work_completed, made.work_pending) == (completed, pending)


def test_to_dos_stay_once_the_assistant_writes_lists() -> None:
    written = [Checkpoint(at=NOON, work_pending=())]
    made = observed([todos(("1", "write", True))], (), written)
    assert (made.work_completed, made.work_pending) == ((), None)


def test_the_end_closes_a_session_unless_it_was_frozen() -> None:
    frozen = Checkpoint(at=NOON, status=Status.FROZEN)
    assert observed([event(End)], (), ()).status is Status.CLOSED
    assert observed([event(End)], (), [frozen]).status is Status.FROZEN
    assert observed([event(End), event(Start)], (), [frozen]).status is Status.OPEN


def test_the_trigger_is_what_happened_last() -> None:
    start, compaction, end = event(Start), event(Compaction), event(End)
    assert observed([start], (), ()).trigger is Trigger.OBSERVED
    assert observed([compaction, start], (), ()).trigger is Trigger.CONTEXT_LIMIT
    assert observed([compaction, end], (), ()).trigger is Trigger.SESSION_END
