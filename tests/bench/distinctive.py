"""Whether three words that few sessions have find theirs."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.data import Asked, Kept
from bench.measures import Estimate, estimate, table
from bench.ours import FIVE, Ours
from bench.wording import is_telling, tokens

from gitmem.documents.session.session import GoalSource
from gitmem.search.documents import Match

_RARE = 3
"""In so few sessions, a word is distinctive."""


def distinctive(corpora: Mapping[str, Sequence[Ours]], count: int, first: int) -> None:
    """Half of the queries are asked of the first so many sessions, the real ones."""
    rows = ([name, *_reached(among, count, first)] for name, among in corpora.items())
    header = ["sessions", "queries", "among the first five", "first", "strong"]
    table("Three distinctive words of a session", header, rows)


def three_words(
    sessions: Iterable[Kept], count: int, first: int | None = None
) -> list[Asked]:
    """Three words of one session that at most three sessions have.

    Half of the queries are for one of the `first` sessions, where others can be asked
    for as well.
    """
    spread = Counter(word for one in sessions for word in _words_of(one))
    halves: tuple[dict[str, list[str]], ...] = ({}, {})
    for number, one in enumerate(sessions):
        rare = sorted(word for word in _words_of(one) if spread[word] <= _RARE)
        if len(rare) >= 3:
            halves[first is not None and number >= first][one.id] = rare
    chance = random.Random(2)
    return [
        Asked(" ".join(chance.sample(half[id_], 3)), frozenset([id_]))
        for half in filter(None, halves)
        for id_ in chance.choices([*half], k=count // (2 if all(halves) else 1))
    ]


def neighbours(kept: Sequence[Kept], size: int, draws: int) -> Iterator[list[Kept]]:
    """Small corpora of neighbours in time, as they are soon after installing."""
    ordered = sorted(kept, key=lambda one: (one.session.started_at, one.id))
    for number in range(draws):
        begin = number * (len(ordered) - size) // max(1, draws - 1)
        yield ordered[begin : begin + size]


def reached(ours: Ours, asked: Iterable[Asked]) -> list[tuple[bool, bool, bool]]:
    """Of each query, whether its session is among five hits, first, and strong."""
    return [_standing(ours, one) for one in asked]


def _standing(ours: Ours, asked: Asked) -> tuple[bool, bool, bool]:
    hits = ours.hits(asked.text, FIVE)
    grades = {hit.id: hit.match for hit in hits if hit.id in asked.gold}
    is_first = bool(hits) and hits[0].id in asked.gold
    return bool(grades), is_first, Match.STRONG in grades.values()


def _reached(
    among: Sequence[Ours], count: int, first: int
) -> tuple[int | Estimate, ...]:
    found = [
        each
        for ours in among
        for each in reached(ours, three_words(ours.kept, count // len(among), first))
    ]
    return len(found), *(estimate([*map(float, of)]) for of in zip(*found, strict=True))


def _words_of(kept: Kept) -> set[str]:
    """Without those of prompts and derived goals: what is cut there is no word."""
    session = kept.session
    texts = [
        session.goal if session.goal_source is GoalSource.WRITTEN else "",
        *session.work_completed,
        *session.work_pending,
        *session.decisions,
        *session.work_summary,
        *(file.path for file in session.files),
        *(turn.text for turn in kept.turns),
    ]
    return {*filter(is_telling, map(str.casefold, tokens("\n".join(texts))))}
