"""What the search reaches on a week of real sessions, it does not fall below.

The floors are a query or two under what was measured.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import mean

import pytest
from bench import data
from bench.grown import grown
from bench.measures import found
from bench.ours import Ours
from bench.own_words import Answer, answers, found_ones, share
from bench.recall_bench import answers as recalled
from bench.recall_bench import blind, recall_at, repository_with

from gitmem.search.documents import Match

FOLDER = Path(__file__).with_name("january")
UNANSWERED = 3
"""So many of the own words may go without an answer."""
week = cache(lambda: data.commits(FOLDER))
own = cache(lambda: data.own_words(FOLDER))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Ours:
    return Ours(tmp_path_factory.mktemp("week"), week().kept)


@pytest.fixture(scope="module")
def own_words(ours: Ours) -> Sequence[Answer]:
    return answers(ours, own())


def test_commits_find_their_session(ours: Ours) -> None:
    commits = found(ours, week().asked)
    assert mean(one.first for one in commits) >= 0.5
    assert mean(one.five for one in commits) >= 0.66
    assert mean(one.reciprocal for one in commits) >= 0.58


def test_own_words_find_their_session(own_words: Sequence[Answer]) -> None:
    assert mean(one.found.five for one in own_words) >= 0.78
    assert mean(one.found.first for one in own_words) >= 0.43


def test_own_words_are_answered(own_words: Sequence[Answer]) -> None:
    assert mean(share(own_words, None)) <= UNANSWERED / len(own())


@pytest.mark.endurance
def test_own_words_are_answered_among_a_thousand_sessions(tmp_path: Path) -> None:
    ours = Ours(tmp_path, [*week().kept, *grown(week().kept, 1000, own())])
    assert mean(share(answers(ours, own()), None)) <= UNANSWERED / len(own())


def test_what_own_words_find_is_mostly_a_strong_match(
    own_words: Sequence[Answer],
) -> None:
    assert mean(share(found_ones(own_words), Match.STRONG)) >= 0.6


def test_what_other_developers_would_ask_is_no_strong_match(ours: Ours) -> None:
    assert mean(share(answers(ours, data.unrelated(FOLDER)), Match.STRONG)) <= 0.05


def test_questions_in_other_words_find_their_memory(tmp_path: Path) -> None:
    replies = recalled(blind(), repository_with(tmp_path / "blind", blind()))
    assert recall_at(5, replies) >= 0.36
    unanswerable = [answer for answer in replies if not answer.question.answers]
    assert mean(bool(answer.rights) for answer in unanswerable) <= 0.67
    assert not any(answer.is_strong for answer in unanswerable)


@pytest.mark.endurance
def test_questions_in_other_words_find_their_memory_by_meaning(tmp_path: Path) -> None:
    recall = repository_with(tmp_path / "blind", blind(), by_meaning=True)
    replies = recalled(blind(), recall)
    assert recall_at(5, replies) >= 0.75
    assert recall_at(1, replies) >= 0.5
    unanswerable = [answer for answer in replies if not answer.question.answers]
    assert mean(bool(answer.rights) for answer in unanswerable) <= 0.67
    assert not any(answer.is_strong for answer in unanswerable)
