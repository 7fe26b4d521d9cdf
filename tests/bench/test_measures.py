"""The benchmark measures what it says."""

from functools import cache
from pathlib import Path

from bench import data
from bench.data import Asked
from bench.measures import found

week = cache(lambda: data.commits(Path(__file__).with_name("january")))


class Fixed:
    """A ranking that always answers the same."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)

    def ids(self, _: str, limit: int) -> list[str]:
        return self._ids[:limit]


def test_no_session_holds_the_subject_of_a_commit() -> None:
    subjects = {one.text.lower() for one in week().asked}
    for one in week().kept:
        texts = [one.session.goal, *one.session.prompts, *(t.text for t in one.turns)]
        said = "\n".join(texts).lower()
        assert not [subject for subject in subjects if subject in said]


def test_every_commit_was_made_by_a_session_that_is_there() -> None:
    ids = {one.id for one in week().kept}
    assert all(one.gold and one.gold <= ids for one in week().asked)


def test_a_query_with_two_answers_is_half_found_by_one_of_them() -> None:
    (one,) = found(Fixed("other", "one"), [Asked("x", frozenset(["one", "two"]))])
    assert (one.first, one.five, one.reciprocal) == (0, 0.5, 0.5)


def test_an_answer_that_is_not_found_counts_as_nothing() -> None:
    (one,) = found(Fixed(), [Asked("x", frozenset(["one"]))])
    assert (one.five, one.reciprocal) == (0, 0)
