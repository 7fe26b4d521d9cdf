"""How good a ranking is, and how sure that is.

Intervals are 95 % bootstrap intervals over the queries. The draws are the same for
every ranking, so the interval of a difference is that of the pairs.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from bench.data import Asked

_DRAWS = 2000


class Ranking(Protocol):
    def ids(self, text: str, limit: int) -> list[str]:
        """Ids of sessions, best first."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one query found."""

    first: float
    five: float
    """The share of gold among the first hit and the first five."""
    reciprocal: float
    """One by the rank of the first gold among the first ten; 0 when there is none."""
    milliseconds: float


def found(ranking: Ranking, asked: Iterable[Asked], limit: int = 10) -> list[Found]:
    return [_found(ranking, one, limit) for one in asked]


def _found(ranking: Ranking, asked: Asked, limit: int) -> Found:
    began = time.perf_counter()
    ids = ranking.ids(asked.text, limit)
    return scored(ids, asked, milliseconds_since(began))


def scored(ids: Iterable[str], asked: Asked, taken: float) -> Found:
    """How good hits are that took so many milliseconds."""
    ranks = [rank for rank, id_ in enumerate(ids, 1) if id_ in asked.gold]
    gold = max(1, len(asked.gold))
    first, five = (sum(rank <= most for rank in ranks) / gold for most in (1, 5))
    return Found(first, five, 1 / ranks[0] if ranks else 0.0, taken)


def figures(founds: Sequence[Found]) -> list[object]:
    """How many queries there were, what they found of the gold, and how quickly."""
    shares = [one.first for one in founds], [one.five for one in founds]
    times = spread(one.milliseconds for one in founds)
    return [len(founds), *map(estimate, shares), times]


def estimate(values: Sequence[float]) -> str:
    """A mean, and where it lies with 95 % certainty, in per cent."""
    count = len(values)
    draws = (map(values.__getitem__, draw) for draw in _draws(count))
    means = sorted(100 * sum(draw) / count for draw in draws)
    at = _DRAWS * 25 // 1000
    mean = 100 * statistics.fmean(values)
    return f"{mean:.1f} ({means[at]:.1f} to {means[-at - 1]:.1f})"


@cache
def _draws(count: int) -> list[list[int]]:
    chance = random.Random(f"{count}, 0")
    return [chance.choices(range(count), k=count) for _ in range(_DRAWS)]


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return milliseconds_since(began)


def milliseconds_since(began: float) -> float:
    return 1000 * (time.perf_counter() - began)


def in_turn(
    works: Mapping[str, Callable[[], object]], rounds: int
) -> dict[str, list[float]]:
    """Milliseconds of each, taken in turn so that all see the same machine."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(milliseconds(work))
    return times


def median_and_tenth(figures: Sequence[float]) -> tuple[float, float]:
    """The median, and the 90th percentile."""
    return statistics.median(figures), statistics.quantiles(figures, n=10)[-1]


def spread(figures: Iterable[float]) -> str:
    median, most = quantiles(figures)
    return f"{median:.2f} / {most:.2f}"


def quantiles(figures: Iterable[float]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    ordered = sorted(figures)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print Markdown, each row as soon as it is there."""
    print(f"\n### {title}\n")
    print(f"| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)
