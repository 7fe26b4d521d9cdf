"""Numbers of things, as people say them."""

from support.rounds import every_row

from gitmem.text.counting import counted, shortlist


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
