"""What a score is, and when a document is an answer.

A text answers a share of a query, between 0 and 1:

    share = sum(weight(word) * strength(word, text)) / sum(weight(word))

The score of a document is the mean of two shares: that of the whole document, where the
fields count by their importance, and that of its best passage. The
first says what the document is about, the second whether the words of the query belong
together in it.

The weight is what a word of the query tells in this collection, its inverse document
frequency:

    weight = ln(1 + 2 * (documents + PRIOR) / (documents that have the word + 0.5))

A word of few documents tells much, one of many tells little, and one that no document
has tells most and goes unanswered. PRIOR keeps a collection of five documents from
taking every word of theirs for a common one.

The strength is how much a text is about a word. In a field it is the term frequency of
BM25, saturated and damped by the length of the field,

    importance * count / (count + SATURATION * (1 - LENGTH + LENGTH * terms / usual)).

In a passage that is all, with an importance of 1. In a document the best field counts
in full and the others by TIE, and the square root of it all keeps a long field from
drowning what is in it. It depends on the text alone, so it is settled when the document
is indexed, in steps.

An identifier is asked for as itself and by its parts, as far as documents have them. A
word of another wording that was sent along counts ALSO of what it tells.

A match has a grade. The evidence for a document is its score times the root of the
weight it answers,

    evidence = score * sqrt(score * sum(weight(word))),

since half of two words that every document has is chance, and half of eight that few
have is not. With `enough` of it a document is an answer, with the share WEAK of that it
is worth a look, and what has less is not shown. Where documents are short, one of many
comes near every query by chance, so enough is more there. A document that has every
word of the query is an answer as well, where the words tell something (`is_telling`)
and few documents have them all: as words of the same stem, or as they were typed, for
the form of a word may be rare when its stem is not.

docs/performance.md has the data that the figures were chosen on, and the curves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import log, sqrt
from typing import Any, Final

from gitmem.documents.index_entry import IndexEntry, Role
from gitmem.search.words import Cut, cut

IMPORTANCE: Final = {
    Role.GOAL: 1.0,
    Role.DECISIONS: 0.8,
    Role.TODOS: 0.5,
    Role.PATHS: 0.5,
    Role.TEXT: 0.3,
}
"""What a match in a field counts."""
MOST: Final = 2_000_000
"""Characters of a field, and of the passages, that are searched."""
_USUAL: Final = {
    Role.GOAL: 20,
    Role.DECISIONS: 100,
    Role.TODOS: 100,
    Role.PATHS: 100,
    Role.TEXT: 300,
}
"""Terms of a field of usual length."""
PRIOR = 20
"""Sessions that every collection is taken to have besides its own."""
TIE = 0.1
STEP, PASSAGE_STEP = 1.1, 1.2
"""The ratios of the strengths of two levels: each is looked up, so they cost time. That
of a document is below the ratio of a goal to a decision. A text is about a word that it
has at a level by STEP**-level."""
ALSO = 0.5
"""What a word of another wording tells, beside one of the user's own."""
TOUCHED = 0.4
"""What a document scores at least if it touched a path that the query names."""
WORTH_A_LOOK = 0.4
"""The share of the best score that any other hit has."""
ALL = 1.0
"""The score of a document that was asked for by filters alone, or by its id."""

_SATURATION, _LENGTH = 4, 0.75
_PASSAGE_SATURATION, _PASSAGE_LENGTH, _PASSAGE_TERMS = 3, 0.5, 165
_ENOUGH, _FOR_MORE, _SOME = 0.28, 0.05, 150
WEAK = 0.35
"""The share of enough evidence that a document worth a look has."""
_TELLING = 0.5
"""The share of what the rarest word tells that words which name a document tell."""
_FEW = 2
"""So few words are a query by themselves, whatever they tell."""

Levels = tuple[Mapping[str, Any], Mapping[Any, int]]
"""What the level of each term of a text depends on, and the level by that: a few values
for hundreds of terms."""


def weight(having: int, documents: int) -> float:
    """What a word tells that `having` of `documents` have."""
    return log(1 + 2 * (documents + PRIOR) / (having + 0.5))


def evidence(score: float, weights: Iterable[float]) -> float:
    """How much speaks for a document that scores so, by the weights of the words."""
    return score * sqrt(score * sum(weights))


def enough(documents: int, passages: int) -> float:
    """The evidence that makes an answer among so many documents and passages."""
    more = max(0.0, log(max(1, documents) / _SOME))
    return _ENOUGH + _FOR_MORE * more * documents / max(1, documents, passages)


def is_telling(weights: Sequence[float], documents: int) -> bool:
    """Whether words of these weights name a document when it has all of them."""
    least = _TELLING * weight(1, documents)
    return len(weights) <= _FEW or sum(weights) >= least * len(weights)


def entry_levels(entry: IndexEntry) -> Levels:
    """Return the levels of the terms of a document with its conversation."""
    strengths: dict[str, tuple[float, ...]] = {}
    for role, usual in _USUAL.items():
        importance, counts = IMPORTANCE[role], _counts(cut(_words(entry, role)))
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * counts.total() / usual)
        alone = {n: (importance * n / (n + damping),) for n in {*counts.values()}}
        found: dict[str, tuple[float, ...]] = {t: alone[n] for t, n in counts.items()}
        for term in strengths.keys() & found.keys():
            found[term] = strengths[term] + found[term]
        strengths |= found
    return strengths, {
        each: _level(sqrt((1 - TIE) * max(each) + TIE * sum(each)), STEP)
        for each in {*strengths.values()}
    }


def _words(entry: IndexEntry, role: Role) -> list[str]:
    fields = [each for each in entry.fields if each.role is role and each.is_indexed]
    texts = [text for field in fields for text in field.texts]
    said = entry.said if role is Role.TEXT else ()
    return "\n".join([*texts, *said])[:MOST].split()


def passage_levels(words: Iterable[Cut]) -> Levels:
    """Return the levels of the terms of a passage."""
    counts = _counts(words)
    length = 1 - _PASSAGE_LENGTH + _PASSAGE_LENGTH * counts.total() / _PASSAGE_TERMS
    damping = _PASSAGE_SATURATION * length
    return counts, {
        count: _level(count / (count + damping), PASSAGE_STEP)
        for count in {*counts.values()}
    }


def _level(strength: float, step: float) -> int:
    return round(-log(strength, step))


def _counts(words: Iterable[Cut]) -> Counter[str]:
    return Counter(chain.from_iterable([word.terms for word in words]))
