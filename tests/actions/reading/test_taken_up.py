"""To-dos that a later session took up are no longer left."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from support.harness import NOON
from support.rounds import every_row
from support.strategies import session

from gitmem.actions.reading.taken_up import without_taken_up
from gitmem.documents.session.session import Session
from gitmem.git.values import Change, Commit, FileChange

FILE = (FileChange("share.py", Change.CREATED),)


def listed(*to_dos: str) -> Session:
    return session(work_pending=to_dos)


def later(**values: Any) -> Session:
    at = NOON + timedelta(days=1)
    return replace(session(**values), id="other", started_at=at, updated_at=at)


def left_after(first: Session, second: Session) -> tuple[str, ...]:
    return without_taken_up([first, second], [first, second])[0].work_pending


@every_row(
    ("to_do", "values"),
    [
        ("Share a wishlist by link", {"goal": "wishlist sharing by link"}),
        (
            "Rotate the refresh token",
            {"prompts": ("on with rotation of refresh tokens",)},
        ),
        ("Log out everywhere", {"work_completed": ("Log out, everywhere",)}),
        ("Refunds", {"commits": (Commit("a1", "refunds"),)}),
        ("Share wishlists by link", {"goal": "wishlists by link, shared, not sold"}),
    ],
)
def test_what_has_its_words_took_it_up(to_do: str, values: dict[str, Any]) -> None:
    assert left_after(listed(to_do, "Tune it"), later(files=FILE, **values)) == (
        "Tune it",
    )


@every_row(
    ("to_do", "values"),
    [
        ("Add tests", {"goal": "Add tests of the parser"}),
        ("Share a wishlist by link", {"goal": "wishlist: share"}),
        (
            "Share a wishlist by link",
            {"goal": "Share a cart", "prompts": ("by link", "wishlist")},
        ),
        ("?!", {"goal": "?"}),
        ("Share it by link", {"goal": "do not share it by link"}),
        (
            "Share wishlists by link",
            {"prompts": ("don't share wishlists by link yet",)},
        ),
    ],
)
def test_what_has_some_of_them_did_not(to_do: str, values: dict[str, Any]) -> None:
    assert left_after(listed(to_do), later(files=FILE, **values)) == (to_do,)


def test_only_later_work_with_results_counts() -> None:
    first, goal = listed("Share a wishlist by link"), "wishlist sharing by link"
    assert left_after(first, later(goal=goal)) == first.work_pending
    earlier = replace(later(goal=goal, files=FILE), updated_at=NOON - timedelta(days=1))
    assert left_after(first, earlier) == first.work_pending
    own = replace(first, goal=goal, files=FILE)
    assert left_after(own, later(files=FILE)) == own.work_pending
    foreign = later(goal=goal, files=FILE)
    assert without_taken_up([first, foreign], [first]) == [first, foreign]
