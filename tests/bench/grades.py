"""What evidence tells right answers from strangers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bench.data import Asked, answerable
from bench.measures import table
from bench.ours import Ours

_CURVE = [number / 10 for number in range(2, 19)]
"""Shares of the evidence that is enough."""


class Evidence(NamedTuple):
    """That for the best hit of each query, in one corpus."""

    own: list[float]
    right: list[float]
    """That of those with gold among five hits."""
    strangers: list[float]


def evidence(
    ours: Ours, asked: Sequence[Asked], strangers: Iterable[Asked]
) -> Evidence:
    """Of queries that sessions answer, and of those that none does."""
    found = Evidence([], [], [ours.evidence(one.text)[0] for one in strangers])
    for one in answerable(asked, ours.kept):
        best, hits = ours.evidence(one.text)
        found.own.append(best)
        if any(hit.id in one.gold for hit in hits):
            found.right.append(best)
    return found


def curves(corpora: Mapping[str, Evidence]) -> None:
    """The share that a threshold lets through."""
    table(
        "A share of enough evidence: own words / found ones / unrelated that have it",
        ["threshold", *corpora],
        (
            [f"{at:.1f}", *(_shares(each, at) for each in corpora.values())]
            for at in _CURVE
        ),
    )


def _shares(found: Iterable[Sequence[float]], at: float) -> str:
    return " / ".join(f"{100 * _above(each, at):.0f}" for each in found)


def _above(found: Sequence[float], at: float) -> float:
    return sum(one >= at for one in found) / len(found)
