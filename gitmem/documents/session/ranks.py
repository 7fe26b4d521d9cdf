"""How early the items of a list appeared, when several clones have added to it.

The rank of an item is its place in the list in which it stood first of all. A list that
one clone wrote has the ranks 0, 1, 2, ...; put together with another, an item keeps the
lower of its ranks, and items of one rank stand in their own order. That depends on no
order in which clones hear of each other, and a list that goes on where another one ends
stays as it is.

Ranks are told in their shortest form: from where on they go up by one, none is given.
So a list with items appended needs no other ranks than before.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

from gitmem.text.patterns import pattern

T = TypeVar("T", bound=Any)

_OF_A_LIST = pattern(r"([a-z_]+)=([0-9]{1,9}(?:,[0-9]{1,9})*)", re.ASCII)


def joined(
    *lists: tuple[Sequence[T], Sequence[int]],
) -> tuple[tuple[T, ...], tuple[int, ...]]:
    """The items of all lists, given with their ranks, and the ranks they have then."""
    rank: dict[T, int] = {}
    for items, known_ranks in lists:
        for item, here in zip(items, _continued(known_ranks, len(items)), strict=True):
            rank[item] = min(here, rank.get(item, here))
    ordered = sorted(rank, key=lambda item: (rank[item], item))
    return tuple(ordered), tuple(rank[item] for item in ordered)


def shortest(
    known_ranks: Sequence[int], items: Sequence[Any], left_out: int = 0
) -> tuple[int, ...]:
    """The ranks without those that go without saying.

    None at all where they cannot be those of the items, because somebody changed the
    list: no item appeared later than at its place in a list that has those `left_out`
    as well, and those of one rank are in order.
    """
    if len(known_ranks) > len(items):
        return ()
    whole = _continued(known_ranks, len(items))
    is_early = all(rank <= index + left_out for index, rank in enumerate(whole))
    in_order = all(a < b for a, b in pairwise(zip(whole, items, strict=True)))
    return _without_continuation(whole) if is_early and in_order else ()


def encode(known_ranks: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Such as `decisions=0,1,1 commits=0,0`."""
    return " ".join(
        f"{name}={','.join(map(str, ranks))}" for name, ranks in known_ranks
    )


def decode(text: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """What `encode` was given; what is no such thing is passed over."""
    matches = filter(None, map(_OF_A_LIST.fullmatch, text.split()))
    return tuple((match[1], tuple(map(int, match[2].split(",")))) for match in matches)


def _continued(known_ranks: Sequence[int], count: int) -> tuple[int, ...]:
    first = known_ranks[-1] + 1 if known_ranks else 0
    return (*known_ranks, *range(first, first + count - len(known_ranks)))


def _without_continuation(whole: tuple[int, ...]) -> tuple[int, ...]:
    before = (-1, *whole)
    count = len(whole)
    while count and whole[count - 1] == before[count - 1] + 1:
        count -= 1
    return whole[:count]
