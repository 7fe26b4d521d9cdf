"""What "continue" and "where did we leave off" are answered with."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from support.harness import git, record

from gitmem.actions.reading.find import search
from gitmem.documents.event import Trigger
from gitmem.documents.session.session import GoalSource
from gitmem.workspace import Workspace

HOUR = timedelta(hours=1)
SMALL_TALK = {"goal_source": GoalSource.DERIVED, "trigger": Trigger.OBSERVED}


def saved(
    workspace: Workspace, goal: str, hours: int, tool: str = "cursor", **values: Any
) -> None:
    """A checkpoint of a conversation of its own, some hours ago on `main`."""
    known = {"branch": "main", "at": workspace.now() - hours * HOUR, **values}
    workspace.store.append(replace(record(goal, goal=goal, **known), tool=tool))


def found(workspace: Workspace, text: str, **options: Any) -> list[str]:
    return [each.hit.title for each in search(workspace, text, **options).results]


def test_the_newest_work_of_the_branch_comes_first(workspace: Workspace) -> None:
    saved(workspace, "oldest", 9)
    saved(workspace, "older, elsewhere", 8, branch="feat/menu")
    saved(workspace, "newer", 7)
    saved(workspace, "newest, elsewhere", 1, branch="feat/menu")
    for text in ("continue", "what's next?", "where did we leave off"):
        assert found(workspace, text) == [
            *("newer", "oldest"),
            *("newest, elsewhere", "older, elsewhere"),
        ]
    git(workspace.root, "checkout", "--quiet", "-b", "feat/menu")
    assert found(workspace, "continue", limit=1) == ["newest, elsewhere"]
    git(workspace.root, "checkout", "--quiet", "--detach")
    assert found(workspace, "continue", limit=2) == ["newest, elsewhere", "newer"]


def test_an_assistant_and_a_date_narrow_it(workspace: Workspace) -> None:
    saved(workspace, "now in cursor", 0)
    saved(workspace, "long ago in cursor", 24 * 40)
    saved(workspace, "long ago in codex", 24 * 40, tool="codex")
    assert found(workspace, "what did we do last week") == ["now in cursor"]
    assert found(workspace, "continue the codex session") == ["long ago in codex"]
    assert found(workspace, "continue", tool="codex") == ["long ago in codex"]
    before = "what did we do in cursor before last month"
    assert found(workspace, before) == ["long ago in cursor"]


def test_what_is_pending_is_told(workspace: Workspace) -> None:
    pending = tuple(f"write part {number}" for number in range(1, 6))
    saved(workspace, "with to-dos", 1, work_pending=pending)
    saved(workspace, "without", 2)
    left, done = search(workspace, "what's left to do").results
    assert left.reasons.matched == ("pending",)
    assert left.reasons.snippet is not None
    assert left.reasons.snippet.text == (
        "5 to do: write part 1; write part 2; write part 3"
    )
    assert (done.reasons.matched, done.reasons.snippet) == ((), None)


def test_to_dos_are_told_on_one_bounded_line(workspace: Workspace) -> None:
    hostile = "x\n\x1b[2J\u202e" + "y" * 5_000
    saved(workspace, "with to-dos", 1, work_pending=(hostile,) * 9)
    (hit,) = search(workspace, "continue").results
    assert hit.reasons.snippet is not None
    text = hit.reasons.snippet.text
    assert text.isprintable()
    assert len(text) < 700


def test_the_conversation_that_asks_is_no_answer(workspace: Workspace) -> None:
    saved(workspace, "the work", 1)
    for goal in ("continue", "what did we do in cursor yesterday?"):
        saved(workspace, goal, 0, **SMALL_TALK)
    assert found(workspace, "continue") == ["the work"]


def test_who_goes_on_is_told_of_unfinished_work_first(workspace: Workspace) -> None:
    saved(workspace, "unfinished", 9, work_pending=("a test",))
    saved(workspace, "finished", 1)
    assert found(workspace, "continue") == ["unfinished", "finished"]
    assert found(workspace, "what did we do last time?") == ["finished", "unfinished"]


def test_a_session_without_work_comes_last(workspace: Workspace) -> None:
    saved(workspace, "the work", 9, branch="feat/menu")
    saved(workspace, "which tests are slow?", 1, **SMALL_TALK)
    assert found(workspace, "continue") == ["the work", "which tests are slow?"]
