"""Numbers of things, as people say them."""

import pytest

from gitmem.model.counting import counted


@pytest.mark.parametrize(
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
