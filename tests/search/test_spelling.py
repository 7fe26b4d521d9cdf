"""Words one edit away from what was typed."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.search.asking import is_one_edit, meant

WORDS = st.text("abc", max_size=6)


@given(WORDS, WORDS)
def test_it_agrees_with_all_edits_written_out(one: str, other: str) -> None:
    assert is_one_edit(one, other) == (other in edits(one) - {one})


def edits(word: str) -> set[str]:
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    return {
        *(a + b[1:] for a, b in cuts if b),
        *(a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1),
        *(a + c + b[1:] for a, b in cuts if b for c in "abc"),
        *(a + c + b for a, b in cuts for c in "abc"),
    }


def test_the_word_of_most_sessions_is_meant() -> None:
    known = {"cacle": 1, "cache": 7, "caches": 9, "cabhe": 7}
    assert meant("cacje", known, known.__getitem__) == "cache"
    assert meant("cabje", known, known.__getitem__) == "cabhe"
    assert meant("queue", known, known.__getitem__) is None
