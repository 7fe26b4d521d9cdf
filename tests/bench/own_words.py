"""What a developer types weeks later: whether it is found, and how it is graded.

Beside it queries that no session answers. All ask for five hits, as people get them.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.data import GENERIC, TYPED, Asked, answerable
from bench.measures import (
    Found,
    estimate,
    found,
    milliseconds_since,
    scored,
    spread,
    table,
)
from bench.ours import FIVE, Ours
from bench.rivals import Passages

from gitmem.search.documents import Match


class Answer(NamedTuple):
    """What a query was answered with."""

    asked: Asked
    found: Found
    grade: Match | None
    """That of the best hit; None where nothing is near."""
    right: Match | None
    """That of the best hit that is gold."""


class _Answers(NamedTuple):
    sessions: str
    ranking: str
    own: list[Answer]
    unrelated: list[Answer]


def own_words(
    corpora: Mapping[str, Ours],
    asked: Sequence[Asked],
    unrelated: Sequence[Asked],
) -> None:
    results = [
        each
        for sessions, ours in corpora.items()
        for each in _results(sessions, ours, asked, unrelated)
    ]
    header = ["sessions", "ranking"]
    table(
        "In a developer's own words, of five hits",
        [
            *(*header, "queries", "R@1", "R@5", "MRR", "no answer"),
            *("found: graded strong", "found: itself strong", "ms (p50 / p99)"),
        ],
        map(_row, results),
    )
    grades = [f"{kind}: {grade}" for kind in (TYPED, GENERIC) for grade in Match]
    table(
        "Unrelated queries, by the grade of the answer",
        [*header, *grades, "ms (p50 / p99)"],
        (
            [*each[:2], *_unrelated(each.unrelated)]
            for each in results
            if each.unrelated
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
    grades = [hit.match for hit in hits]
    right = [hit.match for hit in hits if hit.id in asked.gold]
    found = scored([hit.id for hit in hits], asked, taken)
    return Answer(asked, found, next(iter(grades), None), next(iter(right), None))


def _results(
    sessions: str,
    ours: Ours,
    asked: Sequence[Asked],
    unrelated: Sequence[Asked],
) -> Iterator[_Answers]:
    some = answerable(asked, ours.kept)
    own, none = (answers(ours, map(_alone, each)) for each in (some, unrelated))
    yield _Answers(sessions, "ours", own, none)
    if any(one.also for one in asked):
        own, none = (answers(ours, each) for each in (some, unrelated))
        yield _Answers(sessions, "ours, other wordings too", own, none)
    flat = found(Passages(ours.kept), some, FIVE)
    by_passages = [Answer(*each, None, None) for each in zip(some, flat, strict=True)]
    yield _Answers(sessions, "flat passages", by_passages, [])


def _alone(asked: Asked) -> Asked:
    return replace(asked, also=())


def _row(result: _Answers) -> list[object]:
    own = result.own
    finding = zip(
        *((one.found.first, one.found.five, one.found.reciprocal) for one in own),
        strict=True,
    )
    grading = _grading(own) if result.unrelated else ["", "", ""]
    time = spread(one.found.milliseconds for one in own)
    return [*result[:2], len(own), *map(estimate, finding), *grading, time]


def _grading(own: Sequence[Answer]) -> list[object]:
    right = found_ones(own)
    itself = [float(one.right is Match.STRONG) for one in right]
    return [
        estimate(share(own, None)),
        estimate(share(right, Match.STRONG)),
        estimate(itself),
    ]


def _unrelated(answers: Sequence[Answer]) -> Iterator[object]:
    for kind in (TYPED, GENERIC):
        among = [one for one in answers if one.asked.kind == kind]
        yield from (estimate(share(among, grade)) for grade in Match)
    yield spread(one.found.milliseconds for one in answers)
