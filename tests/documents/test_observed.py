"""What events come to: a session that nobody wrote is still worth finding."""

from support.events import event
from support.harness import NOON

from gitmem.documents.event import (
    Compaction,
    End,
    Found,
    Prompt,
    Start,
    Todo,
    Todos,
    Trigger,
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


def test_empty_first_prompt_gives_way_to_a_later() -> None:
    asked = [event(Prompt, n, text=text) for n, text in enumerate(("hi", "go on"))]
    asked.append(event(Prompt, 2, text="Mend the parser"))
    assert observed(asked, (), ()).goal == "Mend the parser"
    assert observed(asked[:2], (), ()).goal == "hi"


def test_start_counts_until_a_checkpoint() -> None:
    found = event(Found, branch="main", head="a" * 40, dirty=())
    prompt = event(Prompt, 1, text="x")
    assert observed([prompt], [found], ()).branch == "main"
    written = [Checkpoint(at=NOON, branch="other", head="b" * 40)]
    assert observed([prompt], [found], written).branch is None


def test_finished_to_dos_are_completed_and_the_rest_is_pending() -> None:
    listed = todos(("1", "write", True), ("2", "test", False))
    made = observed([listed], (), ())
    assert (made.work_completed, made.work_pending) == (("write",), ("test",))


def test_a_new_list_replaces_the_one_before() -> None:
    made = observed([todos(("a", "a", False))], [todos(("b", "b", False))], ())
    assert made.work_pending == ("a",)


def test_single_to_dos_change_the_list() -> None:
    earlier = [todos(("1", "write", False), is_whole=False)]
    now = [
        todos(("2", "test", False), is_whole=False),
        todos(("1", "", True), ("9", "", True), is_whole=False),
    ]
    made = observed(now, earlier, ())
    assert (made.work_completed, made.work_pending) == (("write",), ("test",))


def test_renamed_to_do_keeps_its_state() -> None:
    earlier = [todos(("1", "write", True), ("2", "test", False))]
    now = [todos(("1", "write it", None), ("2", "test it", None), is_whole=False)]
    made = observed(now, earlier, ())
    assert (made.work_completed, made.work_pending) == (("write it",), ("test it",))


def test_dropped_to_do_is_not_listed() -> None:
    earlier = [todos(("1", "write", False), ("2", "test", False))]
    dropped = Todo("2", "", done=None, is_dropped=True)
    made = observed([event(Todos, items=(dropped,), is_whole=False)], earlier, ())
    assert (made.work_completed, made.work_pending) == ((), ("write",))


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


def test_the_goal_stays_the_first_prompt_that_says_something() -> None:
    first, later = (
        event(Prompt, text="Make it fast"),
        event(Prompt, 1, text="And small"),
    )
    assert observed([later], [first], []).goal == "Make it fast"
    assert observed([later], [first], []).prompts == ("Make it fast", "And small")
