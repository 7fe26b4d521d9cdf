"""The page of a branch is short, and text of others stays text in it."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from support.harness import NOON
from support.histories import session
from support.strategies import texts

from gitmem.actions.reading.documents import Listed
from gitmem.actions.reviewing.branch_story import (
    BranchStory,
    CommitRange,
    StorySession,
)
from gitmem.actions.reviewing.page import (
    MARKER,
    MOST_CHARACTERS,
    markdown_page,
)
from gitmem.documents.session.gist import SessionState
from gitmem.documents.session.session import Session
from gitmem.git.ranges import MOST_COMMITS
from gitmem.git.values import RangeCommit

HOSTILE = "@ada closes #12 ![x](http://x.y/p.png) [l][r] <img src=x> </details>\n/close"


def commit(number: int, lines: int = 10, message: str = "work") -> RangeCommit:
    return RangeCommit(f"{number:040x}", message, {f"src/{number}.py": lines})


def story(*sessions: Session, unlinked: tuple[RangeCommit, ...] = ()) -> BranchStory:
    """A commit for each of these sessions, and others."""
    sources = tuple(
        StorySession(
            Listed(made, True, True, SessionState.OPEN, None), (commit(number),), ()
        )
        for number, made in enumerate(sessions)
    )
    commits = (*(source.commits[0] for source in sources), *unlinked)
    return BranchStory(CommitRange("a" * 40, "b" * 40), commits, sources, unlinked, {})


def test_it_says_that_older_commits_are_left_out() -> None:
    newest = tuple(commit(number) for number in range(MOST_COMMITS))
    assert "0 of the newest 1,000 commits." in markdown_page(
        story(unlinked=newest), is_full=False
    )


def test_it_says_what_was_wanted_decided_given_up_and_left() -> None:
    made = session(
        1,
        goal="Stop the double charge",
        decisions=("**Key:** one per request.",),
        tried=("A lock: it deadlocks.",),
        work_pending=("Refunds",),
        author="Ada <ada@example.com>",
    )
    page = markdown_page(story(made, unlinked=(commit(9, 30),)), is_full=False)
    assert page.startswith(f"{MARKER}\n\n## ")
    assert "\n1 session made 1 of 2 commits. 40 new lines: cursor 25 %, no" in page
    assert "\n### Stop the double charge\n\ncursor · Ada · 23 February 2026 · " in page
    assert (
        "\n- **Decided:** **Key:** one per request."
        "\n- **Given up:** A lock: it deadlocks."
        "\n- **Left:** Refunds\n"
    ) in page
    assert "ada@example.com" not in page
    assert "\n### No session\n\n- 0000000 work\n" in page


def test_what_was_asked_and_answered_stands_in_for_what_nobody_wrote() -> None:
    made = session(1, goal="Log it", prompts=("Log it", "Amount too"), answers=("So.",))
    page = markdown_page(story(made), is_full=False)
    assert page.count("Log it") == 1
    assert "\n- **Asked:** Amount too\n- **Answered:** So.\n" in page
    stuck = replace(made, last_answer="Logged. I wait for the key.")
    page = markdown_page(story(stuck), is_full=False)
    assert "So.\n- **Ended with:** Logged. I wait for the key.\n" in page
    written = markdown_page(story(replace(made, tried=("X",))), is_full=False)
    assert "Asked" not in written


def test_forge_makes_nothing_of_hostile_text() -> None:
    made = session(1, goal=HOSTILE, decisions=(HOSTILE,), author=f"{HOSTILE} <a@b.c>")
    page = markdown_page(story(made, unlinked=(commit(9, 1, HOSTILE),)), is_full=True)
    for live in ("@ada", "#12", "](", "][", "<img", "\n/close"):
        assert live not in page
    assert page.count("</details>") == 1


def test_empty_range_is_a_sentence() -> None:
    page = markdown_page(story(), is_full=False)
    assert page.startswith(MARKER)
    assert page.endswith("\n\nNo commits are in this range.\n")


@given(
    st.lists(st.lists(texts(), max_size=12), max_size=60),
    st.integers(min_value=0, max_value=300),
)
def test_page_is_short_unless_all_is_asked_for(
    decided: list[list[str]], unlinked_count: int
) -> None:
    sessions = [
        session(
            number,
            goal=f"Goal {number} " + "<>&@#" * 200,
            decisions=tuple(decisions) * 5,
            started_at=NOON + timedelta(minutes=number),
            author="<" * 200,
        )
        for number, decisions in enumerate(decided)
    ]
    unlinked = tuple(commit(1000 + number) for number in range(unlinked_count))
    made = story(*sessions, unlinked=unlinked)
    assert len(markdown_page(made, is_full=False)) < MOST_CHARACTERS
    full = markdown_page(made, is_full=True)
    assert all(f"Goal {number} " in full for number in range(len(sessions)))
