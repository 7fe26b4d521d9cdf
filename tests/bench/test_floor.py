"""What the search reaches on a week of real sessions, it does not fall below.

The floors are a query or two under what was measured.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import pytest
from bench import data
from bench.declining import three_words, typed
from bench.measures import Found, found
from bench.ours import Ours

WEEK = data.commits(Path(__file__).with_name("january"))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Ours:
    return Ours(tmp_path_factory.mktemp("week"), WEEK.kept)


@pytest.fixture(scope="module")
def commits(ours: Ours) -> Sequence[Found]:
    return found(ours, WEEK.asked)


def test_every_second_commit_finds_its_session_first(commits: Sequence[Found]) -> None:
    assert mean(one.first for one in commits) >= 0.5


def test_most_commits_find_their_session_among_five(commits: Sequence[Found]) -> None:
    assert mean(one.five for one in commits) >= 0.66


def test_the_session_of_a_commit_stands_high(commits: Sequence[Found]) -> None:
    assert mean(one.reciprocal for one in commits) >= 0.58


def test_what_other_developers_would_ask_finds_nothing(ours: Ours) -> None:
    assert mean(not ours.ids(text, 1) for text in typed()) >= 0.98


def test_three_words_that_few_sessions_have_find_theirs(ours: Ours) -> None:
    asked = three_words(WEEK.kept, 150)
    assert mean(one.gold <= {*ours.ids(one.text, 5)} for one in asked) >= 0.99
