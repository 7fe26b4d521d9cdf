"""A conversation as text."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from gitmem.documents.conversation import conversation
from gitmem.documents.conversation.conversation import (
    Speaker,
    Turn,
    capped,
    pages,
    parse,
    prompts,
    render,
)

MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9998, 1, 1)).map(
    lambda when: when.replace(
        microsecond=0, tzinfo=timezone(timedelta(hours=when.hour % 12))
    )
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["## Person", "a\n\n## Assistant, 2026-01-01T10:00:00+00:00\n\nb", "&#x23;", "\n"]
)
TURNS = st.builds(Turn, st.sampled_from(Speaker), TEXTS, st.none() | MOMENTS)


@given(st.lists(TURNS).map(tuple))
def test_every_conversation_comes_back_as_it_was(turns: tuple[Turn, ...]) -> None:
    assert parse(render(turns)) == turns


@given(st.lists(TURNS, max_size=6).map(tuple), st.integers(1, 200))
def test_bounded_pages_hold_every_turn(turns: tuple[Turn, ...], most: int) -> None:
    made = pages(render(turns), most)
    assert "".join(made) == render(turns)
    assert all(len(page) <= most for page in made)


def test_a_page_ends_with_a_turn() -> None:
    turns = [Turn(Speaker.PERSON, f"{n} {'x' * 50}") for n in range(7)]
    made = pages(render(turns), 150)
    assert len(made) == 4
    assert all(page.startswith("## Person\n") for page in made)


def test_a_conversation_reads_as_markdown() -> None:
    at = datetime(2026, 1, 5, 14, 0, 3, tzinfo=UTC)
    turns = [
        Turn(Speaker.PERSON, "make it hidden", at),
        Turn(Speaker.ASSISTANT, "Done.\n\nIt is hidden."),
    ]
    assert render(turns) == (
        "## Person, 2026-01-05T14:00:03+00:00\n\nmake it hidden\n\n"
        "## Assistant\n\nDone.\n\nIt is hidden.\n"
    )
    assert list(prompts(turns)) == ["make it hidden"]


def test_what_nobody_rendered_is_no_turn() -> None:
    assert parse("# Notes\n\n## Somebody\n\nhello\n") == ()


def test_long_turns_and_long_conversations_are_cut() -> None:
    long = Turn(Speaker.ASSISTANT, "word " * conversation.TURN_LENGTH)
    kept = capped([long] * 100)
    assert all(len(turn.text) <= conversation.TURN_LENGTH + 4 for turn in kept)
    assert all(turn.text.endswith("word […]") for turn in kept[:-1])
    length = sum(len(turn.text) for turn in kept)
    assert 0.99 * conversation.LENGTH <= length < 1.01 * conversation.LENGTH
