"""Patterns mean the same in every version of Python."""

import pytest

from gitmem.text.patterns import compiled


@pytest.mark.parametrize(
    ("source", "text", "taken"),
    [
        (r"(?:ab?c)*+", "abcaba", "abc"),
        (r"x(?:(?:ab)*+c|d(?:e\n|f)++)", "xababc", "xababc"),
        (r"(?P<a>(?:\n[a-z]{3})*+)", "\nabc\nab", "\nabc"),
        (r"[a-z]++(?=(?:ab)?+)", "abc", "abc"),
    ],
)
def test_a_possessive_group_takes_whole_repeats(
    source: str, text: str, taken: str
) -> None:
    found = compiled(source).match(text)
    assert found is not None
    assert found[0] == taken
