"""A budget of tokens holds, whatever rows are made of."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.fitting import Row, cost, fullest

ROW = st.dictionaries(st.sampled_from(["text", "why"]), st.text(max_size=60))
FORMS = st.lists(ROW, min_size=1, max_size=3)


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
