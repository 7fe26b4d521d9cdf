"""Words that were meant: one edit away from a word that no session has."""

from collections.abc import Callable, Iterable
from itertools import count

SHORTEST = 8
"""Letters of a word that is looked at: shorter ones are one edit from too many."""
_LONGEST = 64


def is_spelled(token: str) -> bool:
    """Whether it is a word of letters, and no number or identifier."""
    return token.isalpha() and len(token) <= _LONGEST


def is_word(token: str) -> bool:
    """Whether it can be misspelt; a number or an identifier cannot be told to be."""
    return len(token) >= SHORTEST and token.isalpha()


def meant(word: str, known: Iterable[str], having: Callable[[str], int]) -> str | None:
    """Of the `known` words one edit away, the one that most documents have.

    Of equally many the first in the alphabet; `having` counts. An edit inserts, drops
    or changes a letter, or swaps two neighbours.
    """
    near = [(-having(each), each) for each in known if is_one_edit(word, each)]
    count, found = min(near, default=(0, None))
    return found if count else None


def is_one_edit(one: str, other: str) -> bool:
    """Whether a single edit makes the one of the other; two equal words need none."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    at = next(i for i in count() if short[i : i + 1] != long[i : i + 1])
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    is_swap = short[at : at + 2] == long[at : at + 2][::-1]
    rest = at + 2 if is_swap else at + 1
    return short[rest:] == long[rest:]
