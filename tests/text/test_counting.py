"""Numbers of things, as people say them, and rows in a budget of tokens."""

from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.text.counting import Row, cost, counted, fullest, shortlist

ROW = st.dictionaries(st.sampled_from(["text", "why"]), st.text(max_size=60))
FORMS = st.lists(ROW, min_size=1, max_size=3)


@every_row(
    ("number", "noun", "said"),
    [
        (0, "session", "0 sessions"),
        (1, "session", "1 session"),
        (2000, "line", "2,000 lines"),
        (2, "copy", "2 copies"),
        (2, "day", "2 days"),
    ],
)
def test_one_is_one_and_more_are_many(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said


def test_a_list_ends_in_how_many_more_there_are() -> None:
    assert shortlist(["a", "b"], 2) == "a, b"
    assert shortlist(["a", "b", *["c"] * 1000], 2) == "a, b and 1,000 more"


@given(st.lists(FORMS, max_size=8), st.integers(-5, 300))
def test_rows_fit_but_for_the_first(rows: list[list[Row]], budget: int) -> None:
    shown = fullest(rows, budget)
    assert len(shown) == 1 or sum(map(cost, shown)) <= budget or not rows
    assert all(row in forms for row, forms in zip(shown, rows, strict=False))
    assert bool(shown) == bool(rows)


def test_lines_of_all_come_before_the_whole_of_one() -> None:
    rows = [[{"text": "a"}, {"text": "a b c d e f g h"}] for _ in range(3)]
    lines = sum(cost(forms[0]) for forms in rows)
    one_long = lines + cost(rows[0][1]) - cost(rows[0][0])
    assert fullest(rows, lines) == [forms[0] for forms in rows]
    assert fullest(rows, one_long) == [rows[0][1], rows[1][0], rows[2][0]]
    assert len(fullest(rows, lines - 1)) == 2
