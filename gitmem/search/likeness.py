"""Compare two statements by their words: likeness, contradiction, another value."""

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
"""Least likeness of two statements about one matter, if they begin alike or do not."""
SAME = 0.88
"""Least likeness of equal statements of which one has all words of the other.

docs/performance.md says how these were chosen.
"""
_NEAR, _MOST_FORMS = 0.3, 2
"""Least likeness, and most words in another form, of texts that may contradict."""
_VALUE_LENGTH = 4
"""Most words of a value."""
_PREFIXES = frozenset(("un", "in", "im", "ir", "dis", "de", "des", "non", "не", "без"))
"""Prefixes that make a word its opposite, in some language."""


def words_of(text: str) -> frozenset[str]:
    """Return the stems of what a text says, without stop words."""
    return frozenset(stems_of(text))


def likeness(words: frozenset[str], other_words: frozenset[str]) -> float:
    """Return Dice's coefficient of two sets of words."""
    total = len(words) + len(other_words)
    return 2 * len(words & other_words) / total if total else 0.0


def says_same(text: str, other_text: str) -> bool:
    """Return whether two texts say the same in another order or with other articles.

    If one has more words, the common ones must have the same order in both.
    """
    first, second = wording(text), wording(other_text)
    if (first.negated, first.bound) != (second.negated, second.bound):
        return False
    words = frozenset(first.words), frozenset(second.words)
    common, unshared = words[0] & words[1], words[0] ^ words[1]
    is_scoped = bool(first.negated) and len(common) < len(first.words)
    if sorted(first.words) == sorted(second.words) and not is_scoped:
        return not is_swapped(first, second)
    order, other_order = (
        [word for word in side.words if word in common] for side in (first, second)
    )
    is_part = words[0] <= words[1] or words[1] <= words[0]
    is_harmless = unshared.isdisjoint(LIMITS) and all(map(str.isascii, unshared))
    is_near = is_part and is_harmless and likeness(*words) >= SAME
    return is_near and order == other_order


def opposes(text: str, other_text: str) -> bool:
    """Return whether one of two texts denies the other, or turns it around."""
    first, second = wording(text), wording(other_text)
    if likeness(frozenset(first.words), frozenset(second.words)) < _NEAR:
        return False
    words = _same_forms(first, second)
    if likeness(*words) < ALIKE:
        return False
    if words[0] <= words[1] or words[1] <= words[0]:
        return _is_denied(first, second) or _is_turned(first, second)
    return is_swapped(first, second)


def has_other_value(text: str, other_text: str, *, is_near: bool = False) -> bool:
    """Return whether two texts differ in one value, which stands behind its subject.

    Two values that end their texts may both hold ("uses tabs", "uses types"), unless
    they are numbers or stand behind a word such as `is`, or the texts are near.
    """
    first, second = wording(text), wording(other_text)
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
    """Return the words of both texts, without pairs of forms (`usa` and `uses`)."""
    forms, other_forms = {*first.words}, {*second.words}
    if min(len(forms - other_forms), len(other_forms - forms)) > _MOST_FORMS:
        return frozenset(forms), frozenset(other_forms)
    for word in sorted(forms - other_forms):
        for form in sorted(other_forms - forms):
            is_first = word == first.words[0] and form == second.words[0]
            if _is_prefixed(word, form) or _begin_alike(word, form, is_first=is_first):
                forms ^= {word, form}
                break
    return frozenset(forms), frozenset(other_forms)


def _begin_alike(word: str, form: str, *, is_first: bool) -> bool:
    share, least = (0.5, 2) if is_first else (0.6, 3)
    common = max(least, round(max(len(word), len(form)) * share))
    return word[:common] == form[:common]


def _is_denied(first: Wording, second: Wording) -> bool:
    """Return whether just one of the texts is negated, by a word or a prefix."""
    forms, other_forms = frozenset(first.words), frozenset(second.words)
    is_prefixed = any(
        starmap(_is_prefixed, product(forms - other_forms, other_forms - forms))
    )
    is_negated = first.negated < second.negated or second.negated < first.negated
    return is_negated != is_prefixed


def _is_turned(first: Wording, second: Wording) -> bool:
    """Return whether words such as `from` belong to other words, or parts swapped."""
    pairs = product(first.bound - second.bound, second.bound - first.bound)
    is_bound_otherwise = any(
        pair[0] == other_pair[0] or pair[1] == other_pair[1]
        for pair, other_pair in pairs
    )
    return is_bound_otherwise or is_swapped(first, second)


def _is_prefixed(word: str, root: str) -> bool:
    """Return whether one of two words is the other with a prefix such as `un`."""
    root, word = sorted((word.rstrip("e"), root.rstrip("e")), key=len)
    return word.endswith(root) and word[: -len(root)] in _PREFIXES


def is_same_matter(stems: Sequence[str], other_stems: Sequence[str]) -> bool:
    """Return whether two texts, by their stems, are about one matter.

    A subject comes before its value: "Deploys happen on Fridays" and "Retrospectives
    happen on Fridays" differ at the beginning, so they need more in common.
    """
    words = frozenset(stems), frozenset(other_stems)
    is_near = words[0] <= words[1] or stems[:1] == other_stems[:1]
    return likeness(*words) >= (ALIKE if is_near else SURELY_ALIKE)


def stems_of(text: str) -> list[str]:
    """Return the stems of what a text says, in its order."""
    content = [token for token in tokens(text) if fold(token) not in STOP_WORDS]
    return [stem for token in content or tokens(text) for stem in stems(token)]


def _is_number(value: tuple[str, ...]) -> bool:
    return len(value) < 3 and any(word[0].isdigit() for word in value)
