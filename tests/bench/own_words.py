"""What a developer types weeks later: whether it is found, and how it is graded.

Beside it queries that no session answers. All ask for five hits, as people get them.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.data import Asked, answerable
from bench.measures import (
    Found,
    estimate,
    figures,
    milliseconds_since,
    scored,
    table,
)
from bench.ours import FIVE, Ours

from gitmem.search.documents import Match


class Answer(NamedTuple):
    """What a query was answered with."""

    found: Found
    grade: Match | None
    """That of the best hit; None where nothing is near."""


def own_words(
    corpora: Mapping[str, Ours], asked: Sequence[Asked], unrelated: Sequence[Asked]
) -> None:
    table(
        "In a developer's own words, of five hits",
        [
            *("sessions", "ranking", "queries", "R@1", "R@5", "ms (p50 / p99)"),
            *("found: strong", "unrelated: strong"),
        ],
        (
            [sessions, *row]
            for sessions, ours in corpora.items()
            for row in _rows(ours, answerable(asked, ours.kept), unrelated)
        ),
    )


def answers(ours: Ours, asked: Iterable[Asked]) -> list[Answer]:
    return [_answer(ours, one) for one in asked]


def share(answers: Iterable[Answer], grade: Match | None) -> list[float]:
    """For each answer whether it has this grade."""
    return [float(one.grade is grade) for one in answers]


def found_ones(answers: Iterable[Answer]) -> list[Answer]:
    """Those with gold among the hits."""
    return [one for one in answers if one.found.five]


def _answer(ours: Ours, asked: Asked) -> Answer:
    began = time.perf_counter()
    hits = ours.hits(asked.text, FIVE, asked.also)
    taken = milliseconds_since(began)
    found = scored([hit.id for hit in hits], asked, taken)
    return Answer(found, hits[0].match if hits else None)


def _rows(
    ours: Ours, asked: Sequence[Asked], unrelated: Sequence[Asked]
) -> Iterator[list[object]]:
    strangers = share(answers(ours, unrelated), Match.STRONG)
    worded = {"ours": [replace(one, also=()) for one in asked]}
    if any(one.also for one in asked):
        worded["ours, other wordings too"] = [*asked]
    for name, queries in worded.items():
        own = answers(ours, queries)
        grades = share(found_ones(own), Match.STRONG), strangers
        yield [name, *figures([one.found for one in own]), *map(estimate, grades)]
