"""How a statement is worded: its content words, what it negates, and its order."""

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.words import fold, stems, tokens
from gitmem.text.patterns import pattern
from gitmem.text.symbols import spelled_out

_NOT = "not"
_ROWS = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()[1:]
_TABLE = dict(row.split(": ", 1) for row in _ROWS)


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


LIMITS = _set("limits")
"""Stems and words that change what is said beside the same others."""
PLACES = _set("places")
"""Words behind which stands where something holds."""
VALUED = _set("valued") | _set("is")
"""Words behind which a value stands."""
_NEGATORS, _ARTICLES, _LISTING = _set("negators"), _set("articles"), _set("listing")
_MARKS = _NEGATORS | _set("bound")
"""Words that belong to the word behind them, wherever both stand."""
_DROPPED = (STOP_WORDS - _set("telling")) | _ARTICLES | _set("courtesy")
_OPPOSITES = {
    beginning: (name.removeprefix("opposite "), is_opposite)
    for name, row in _TABLE.items()
    if name.startswith("opposite ")
    for is_opposite, beginnings in enumerate(row.split(" | "))
    for beginning in beginnings.split()
}
"""Beginnings of words, with the word that they mean, and whether as its opposite."""
_FREE_ORDER, _POLITE = pattern(_TABLE["free order"]), pattern(_TABLE["polite"])
_NEGATED, _CHANGE = pattern(_TABLE["negated"]), pattern(_TABLE["change"])
_UNSPACED = "\u0e00"
"""Begins the scripts whose characters are compared one by one."""
_CLAUSE = pattern(r"[,;:.!?](?=\s|$)|[。，、；：！？\n()]")


class Wording(NamedTuple):
    """What a text says, as it is compared with another one."""

    words: tuple[str, ...]
    """The content words in their order; of opposites the one that is not negative."""
    negated: frozenset[str]
    """Those that are negated, by a word before them or else behind them."""
    bound: frozenset[tuple[str, str]]
    """Words such as `from`, each with the content word that it belongs to."""
    sequence: tuple[str, ...]
    """All words but articles, with a comma between clauses."""
    has_free_order: bool
    """Whether a verb does not tell what stands before it from what follows."""


@lru_cache(maxsize=1 << 12)
def wording(text: str) -> Wording:
    """Return how a text is worded."""
    plain = fold(spelled_out(text))
    spaced = _NEGATED.sub(f" {_NOT} ", _POLITE.sub(" ", plain))
    words: list[str] = []
    negated: set[str] = set()
    bound: set[tuple[str, str]] = set()
    clauses = [tokens(clause) for clause in _CLAUSE.split(spaced)]
    for clause in clauses:
        pending: set[str] = set()
        for token in clause:
            pending |= {token} & _MARKS
            for word, is_opposite in _content(token):
                words.append(word)
                if pending.isdisjoint(_NEGATORS) == is_opposite:
                    negated ^= {word}
                bound.update((mark, word) for mark in pending - _NEGATORS)
                pending = set()
        if words and pending & _NEGATORS:
            negated ^= {words[-1]}
    order = _sequence(clauses)
    is_free = bool(_FREE_ORDER.search(plain))
    return Wording(
        tuple(words) or order, frozenset(negated), frozenset(bound), order, is_free
    )


def _sequence(clauses: Iterable[Iterable[str]]) -> tuple[str, ...]:
    sequence: list[str] = []
    for clause in clauses:
        for token in clause:
            if token in _NEGATORS:
                sequence.append(_NOT)
            elif token not in _ARTICLES:
                sequence += token if token > _UNSPACED else [token]
        sequence.append(",")
    return tuple(" ".join(sequence).rstrip(", ").split())


@lru_cache(maxsize=1 << 14)
def _content(token: str) -> tuple[tuple[str, bool], ...]:
    """Return the content words of a token, and whether each is an opposite of it."""
    if token in _DROPPED or token in _MARKS:
        return ()
    return tuple(map(_canonical, stems(token)))


def _canonical(stem: str) -> tuple[str, bool]:
    for beginning, (word, is_opposite) in _OPPOSITES.items():
        is_long = len(beginning) > 3 and stem.startswith(beginning)
        if is_long or stem == beginning:
            return word, bool(is_opposite)
    return stem, False


def is_swapped(one: Wording, other: Wording) -> bool:
    """Whether two parts of a text change their places around what tells them apart.

    "Tabs over spaces" and "spaces over tabs", not "for tabs use spaces" and "use spaces
    for tabs".
    """
    _, (first, second) = differing(one.sequence, other.sequence)
    if sorted(first) != sorted(second):
        return False
    is_free = one.has_free_order or other.has_free_order
    size = len(first)
    heads = [n for n in range(1, size) if first[:n] == second[-n:]]
    tails = [n for n in range(1, size) if first[-n:] == second[:n]]
    return any(
        first[head:-tail] == second[tail:-head]
        and _tells_apart(first[head:-tail], is_free=is_free)
        for head in heads
        for tail in tails
        if head + tail < size
    )


def differing(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return what two sequences begin with, and how each goes on to a common end."""
    most = min(len(one), len(other))
    start = next((n for n in range(most) if one[n] != other[n]), most)
    ends = range(1, most - start + 1)
    end = next((n - 1 for n in ends if one[-n] != other[-n]), most - start)
    return one[:start], [each[start : len(each) - end] for each in (one, other)]


def _tells_apart(middle: tuple[str, ...], *, is_free: bool) -> bool:
    if _set("is").issuperset(middle) or {middle[0], middle[-1]} <= _LISTING:
        return False
    return not is_free or not _set("directions").isdisjoint(middle)


def denies(text: str) -> bool:
    """Whether a text negates something, or gives it up."""
    return bool(wording(text).negated) or tells_change(text)


def tells_change(text: str) -> bool:
    """Whether a text says that something is given up, undone or replaced."""
    return bool(_CHANGE.search(fold(text)))
