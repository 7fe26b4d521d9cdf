"""How alike two statements are, by their words."""

from collections.abc import Sequence

from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.words import fold, stems, tokens

ALIKE, SURELY_ALIKE = 0.5, 0.7
"""The likeness of statements about one matter that begin alike, and of any two."""
SAME = 0.88
"""That of two of which one has all words of the other, and which say the same.

docs/performance.md says how these were chosen.
"""


def words_of(text: str) -> frozenset[str]:
    """Return the stems of what a text says, without stop words."""
    return frozenset(stems_of(text))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return Dice's coefficient of two sets of words."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def says_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words say the same: a value that changed is a new word."""
    return (one <= other or other <= one) and likeness(one, other) >= SAME


def is_same_matter(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two texts, by their stems, are about one matter.

    So that one may take the other's place.

    What changes stands behind what it is about: "Deploys happen on Fridays" and
    "Retrospectives happen on Fridays" differ at the beginning.
    """
    words = frozenset(one), frozenset(other)
    is_near = words[0] <= words[1] or one[:1] == other[:1]
    return likeness(*words) >= (ALIKE if is_near else SURELY_ALIKE)


def stems_of(text: str) -> list[str]:
    """Return the stems of what a text says, in its order."""
    said = [each for each in tokens(text) if fold(each) not in STOP_WORDS]
    return [stem for token in said or tokens(text) for stem in stems(token)]
