import pytest
from search.queries.reading import read, told

from gitmem.search.queries.relaxing import none_found_with, relaxed


def test_filters_are_dropped_one_by_one() -> None:
    query = read('retry "token budget" -docs in codex since 2026-03-01')
    assert [dropped for _, dropped in relaxed(query)] == [
        *(("phrases",), ("after",), ("tool",), ("without",)),
        *(("phrases", "after"), ("phrases", "after", "tool")),
        ("phrases", "after", "tool", "without"),
    ]


def test_the_words_of_a_phrase_stay_words() -> None:
    less, _ = next(relaxed(read('retry "token budget"')))
    assert told(less) == ("retry token budget", "")


def test_what_was_given_is_kept() -> None:
    query = read("retry in codex yesterday")
    assert [dropped for _, dropped in relaxed(query, given=("tool",))] == [
        ("after", "before")
    ]
    assert [*relaxed(read("retry src/a.py a1b2c3d"))] == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('x "a b"', 'No session found with "a b"; without it:'),
        ("x in codex", "No session found with tool:codex; without it:"),
        (
            "x before march 15",
            "No session found with before:2026-03-15 00:00; without it:",
        ),
        ("x -docs in codex", "No session found with tool:codex -docs; without them:"),
    ],
)
def test_what_was_dropped_is_said_as_in_a_query(text: str, sentence: str) -> None:
    query = read(text)
    *_, (_, dropped) = relaxed(query)
    assert none_found_with(query, dropped) == sentence
