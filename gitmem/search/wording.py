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
"""Stems and words that narrow a statement."""
PLACES = _set("places")
"""Words before a place or a scope, such as `in`."""
VALUED = _set("valued") | _set("is")
"""Words before a value, such as `is`."""
_NEGATORS, _ARTICLES, _LISTING = _set("negators"), _set("articles"), _set("listing")
_MARKS = _NEGATORS | _set("bound")
"""Words that belong to the next content word, wherever both stand."""
_DROPPED = (STOP_WORDS - _set("telling")) | _ARTICLES | _set("courtesy")
_OPPOSITES = {
    beginning: (name.removeprefix("opposite "), is_opposite)
    for name, row in _TABLE.items()
    if name.startswith("opposite ")
    for is_opposite, beginnings in enumerate(row.split(" | "))
    for beginning in beginnings.split()
}
"""The canonical word of each beginning of a word, and whether it is its opposite."""
_FREE_ORDER, _POLITE = pattern(_TABLE["free order"]), pattern(_TABLE["polite"])
_NEGATED, _CHANGE = pattern(_TABLE["negated"]), pattern(_TABLE["change"])
_UNSPACED = "\u0e00"
"""First character of the scripts that are compared by single characters."""
_CLAUSE = pattern(r"[,;:.!?](?=\s|$)|[。，、；：！？\n()]")


class Wording(NamedTuple):
    """The words of a text, prepared for comparison with another one."""

    words: tuple[str, ...]
    """The content words in order; `enabled` for `disabled`, which negates it."""
    negated: frozenset[str]
    """The content words that are negated, by a word before or else behind them."""
    bound: frozenset[tuple[str, str]]
    """Words such as `from`, each with the content word that it belongs to."""
    sequence: tuple[str, ...]
    """All words but articles, with a comma between clauses."""
    has_free_order: bool
    """True if subject and object may stand on either side of the verb."""


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
    """Return the content words of a token, and whether it is the opposite of each."""
    if token in _DROPPED or token in _MARKS:
        return ()
    return tuple(map(_canonical, stems(token)))


def _canonical(stem: str) -> tuple[str, bool]:
    for beginning, (word, is_opposite) in _OPPOSITES.items():
        is_long = len(beginning) > 3 and stem.startswith(beginning)
        if is_long or stem == beginning:
            return word, bool(is_opposite)
    return stem, False


def is_swapped(text: Wording, other_text: Wording) -> bool:
    """Return whether two parts of a text swap places around a word such as `over`.

    "Tabs over spaces" and "spaces over tabs", not "for tabs use spaces" and "use spaces
    for tabs".
    """
    _, (first, second) = differing(text.sequence, other_text.sequence)
    if sorted(first) != sorted(second):
        return False
    is_free = text.has_free_order or other_text.has_free_order
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
    sequence: tuple[str, ...], other_sequence: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the common beginning of two sequences, and the middles that differ."""
    most = min(len(sequence), len(other_sequence))
    start = next((n for n in range(most) if sequence[n] != other_sequence[n]), most)
    ends = range(1, most - start + 1)
    end = next(
        (n - 1 for n in ends if sequence[-n] != other_sequence[-n]), most - start
    )
    return sequence[:start], [
        words[start : len(words) - end] for words in (sequence, other_sequence)
    ]


def _tells_apart(middle: tuple[str, ...], *, is_free: bool) -> bool:
    if _set("is").issuperset(middle) or {middle[0], middle[-1]} <= _LISTING:
        return False
    return not is_free or not _set("directions").isdisjoint(middle)


def names_subject(word: str) -> bool:
    """Return whether a word says what a question is about.

    Grammar such as `after` does not, nor does a frame: "where does it come from".
    """
    return _frame().isdisjoint({fold(word), *stems(word)})


@cache
def _frame() -> frozenset[str]:
    names = "is bound directions places valued negators pointing framing"
    return (STOP_WORDS | _DROPPED).union(*map(_set, names.split()))


def denies(text: str) -> bool:
    """Return whether a text negates something, or gives it up."""
    return bool(wording(text).negated) or states_change(text)


def states_change(text: str) -> bool:
    """Return whether a text says that something is given up, undone or replaced."""
    return bool(_CHANGE.search(fold(text)))


def before_change(text: str) -> str:
    """Return what stands before words such as `instead of`, folded; else all of it."""
    folded = fold(text)
    change = _CHANGE.search(folded)
    return folded[: change.start()] if change else folded
