"""How alike two statements are, by their words."""

from collections.abc import Sequence
from itertools import product, starmap

from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.wording import (
    LIMITS,
    PLACES,
    VALUED,
    Wording,
    differing,
    is_swapped,
    wording,
)
from gitmem.search.words import fold, stems, tokens

ALIKE, SURELY_ALIKE = 0.5, 0.7
"""The likeness of statements about one matter that begin alike, and of any two."""
SAME = 0.88
"""That of two of which one has all words of the other, and which say the same.

docs/performance.md says how these were chosen.
"""
_NEAR, _MOST_FORMS = 0.3, 2
"""The likeness, and words in another form, of texts that may deny each other."""
_VALUE_LENGTH = 4
"""Words of a value."""
_PREFIXES = frozenset(("un", "in", "im", "ir", "dis", "de", "des", "non", "не", "без"))
"""What makes a word its opposite, in some language."""


def words_of(text: str) -> frozenset[str]:
    """Return the stems of what a text says, without stop words."""
    return frozenset(stems_of(text))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return Dice's coefficient of two sets of words."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def says_same(one: str, other: str) -> bool:
    """Whether two texts say the same in another order or with other articles.

    Where one has a word more, both have the same order.
    """
    first, second = wording(one), wording(other)
    if (first.negated, first.bound) != (second.negated, second.bound):
        return False
    words = frozenset(first.words), frozenset(second.words)
    common, more = words[0] & words[1], words[0] ^ words[1]
    is_scoped = bool(first.negated) and len(common) < len(first.words)
    if sorted(first.words) == sorted(second.words) and not is_scoped:
        return not is_swapped(first, second)
    order, other_order = (
        [word for word in text.words if word in common] for text in (first, second)
    )
    is_part = words[0] <= words[1] or words[1] <= words[0]
    is_harmless = more.isdisjoint(LIMITS) and all(map(str.isascii, more))
    is_near = is_part and is_harmless and likeness(*words) >= SAME
    return is_near and order == other_order


def opposes(one: str, other: str) -> bool:
    """Whether one of two texts denies what the other one says, or turns it around."""
    first, second = wording(one), wording(other)
    if likeness(frozenset(first.words), frozenset(second.words)) < _NEAR:
        return False
    words = _same_forms(first, second)
    if likeness(*words) < ALIKE:
        return False
    if words[0] <= words[1] or words[1] <= words[0]:
        return _is_denied(first, second) or _is_turned(first, second)
    return is_swapped(first, second)


def has_other_value(one: str, other: str, *, is_near: bool = False) -> bool:
    """Whether two texts differ in one value, which stands behind what has it.

    What ends a text may hold beside another one ("uses tabs", "uses types"), unless
    it is a number or stands behind a word such as `is`, or the texts are near.
    """
    first, second = wording(one), wording(other)
    if first.words[:1] != second.words[:1]:
        return False
    subject, values = differing(first.sequence, second.sequence)
    if not subject or not all(0 < len(value) <= _VALUE_LENGTH for value in values):
        return False
    rest = first.sequence[len(subject) + len(values[0]) :]
    is_number = all(map(_is_number, values))
    is_subject = bool(rest) and rest[0] in VALUED
    if is_subject or (subject[-1] in PLACES and not is_number):
        return False
    if not ((is_number and subject[1:]) or rest or is_near or subject[-1] in VALUED):
        return False
    return likeness(frozenset(first.words), frozenset(second.words)) >= ALIKE


def _same_forms(
    first: Wording, second: Wording
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of both, with one form for `usa` and `uses`."""
    one, other = {*first.words}, {*second.words}
    if min(len(one - other), len(other - one)) > _MOST_FORMS:
        return frozenset(one), frozenset(other)
    for word in sorted(one - other):
        for form in sorted(other - one):
            is_first = word == first.words[0] and form == second.words[0]
            if _is_prefixed(word, form) or _begin_alike(word, form, is_first=is_first):
                one ^= {word, form}
                break
    return frozenset(one), frozenset(other)


def _begin_alike(word: str, form: str, *, is_first: bool) -> bool:
    share, least = (0.5, 2) if is_first else (0.6, 3)
    common = max(least, round(max(len(word), len(form)) * share))
    return word[:common] == form[:common]


def _is_denied(first: Wording, second: Wording) -> bool:
    """Whether one of them negates more."""
    one, other = frozenset(first.words), frozenset(second.words)
    is_prefixed = any(starmap(_is_prefixed, product(one - other, other - one)))
    is_negated = first.negated < second.negated or second.negated < first.negated
    return is_negated != is_prefixed


def _is_turned(first: Wording, second: Wording) -> bool:
    """Whether words such as `from` stand before other words than in the other text."""
    pairs = product(first.bound - second.bound, second.bound - first.bound)
    is_bound_otherwise = any(one[0] == two[0] or one[1] == two[1] for one, two in pairs)
    return is_bound_otherwise or is_swapped(first, second)


def _is_prefixed(word: str, root: str) -> bool:
    """Whether one of two words is the other with a prefix such as `un`."""
    root, word = sorted((word.rstrip("e"), root.rstrip("e")), key=len)
    return word.endswith(root) and word[: -len(root)] in _PREFIXES


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


def _is_number(value: tuple[str, ...]) -> bool:
    return len(value) < 3 and any(word[0].isdigit() for word in value)
