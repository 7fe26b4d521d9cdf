"""What a score is, and when a document is an answer.

A text answers a share of a query, between 0 and 1:

    share = sum(weight(word) * strength(word, text)) / sum(weight(word))

The score of a document is the mean of two shares: that of the whole document, where the
fields count by their importance, and that of its best passage. The first says what the
document is about, the second whether the words of the query belong together in it.

The weight of a word is its inverse document frequency in this collection:

    weight = ln(1 + 2 * (documents + PRIOR) / (documents that have the word + 0.5))

A word of few documents weighs much, one of many little, and one that no document has
weighs most and goes unanswered. PRIOR keeps a collection of five documents from taking
every word of theirs for a common one.

The strength is how much a text is about a word. In a field it is the term frequency of
BM25, saturated and damped by the length of the field,

    importance * count / (count + SATURATION * (1 - LENGTH + LENGTH * terms / usual)).

In a passage that is all, with an importance of 1. In a document the best field counts
in full and the others by TIE, and the square root of it all keeps a long field from
drowning what is in it. It depends on the text alone, so it is computed as the document
is indexed, in steps.

An identifier is searched as itself and by its parts, as far as documents have them. A
word of another wording that was sent along counts ALSO of its weight.

A match has a grade. The evidence for a document is its score times the root of the
weight it answers,

    evidence = score * sqrt(score * sum(weight(word))),

since half of two words that every document has is chance, and half of eight that few
have is not. With `enough` of it a document is an answer, with the share WEAK of that it
is worth a look, and one with less is not shown. Where documents are short, one of many
comes near every query by chance, so enough is more there. A document that has every
word of the query comes first and is shown, where the words distinguish documents
(`is_distinctive`) and few documents have them all. With words of the same stem its
grade goes by the evidence; with the words as they were typed it is an answer, for the
form of a word may be rare when its stem is not.

Chinese and Japanese words are not told apart: each pair of neighbouring characters is a
word. One that no document has may be the end of one word and the beginning of another,
so less evidence is enough by ACROSS of its share of the weight.

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
"""Importance of a match, by the role of its field."""
MOST: Final = 2_000_000
"""Characters of a field, and of all passages, that are indexed."""
_USUAL: Final = {
    Role.GOAL: 20,
    Role.DECISIONS: 100,
    Role.TODOS: 100,
    Role.PATHS: 100,
    Role.TEXT: 300,
}
"""Terms of a field of usual length."""
PRIOR = 20
"""Sessions added to the size of every collection, which smooths small ones."""
TIE = 0.1
"""Share that the fields beside the best one count."""
STEP, PASSAGE_STEP = 1.1, 1.2
"""Ratio of the strengths of two levels: a term at a level has strength STEP**-level. A
query looks up every level, so small steps cost time. The step of a document is below
the ratio of a goal to a decision."""
ALSO = 0.5
"""Share of its weight that a word of another wording counts."""
ACROSS = 0.75
"""How much less evidence is enough, by the share of pairs that no document has."""
TOUCHED = 0.4
"""Least score of a document that touched a path of the query."""
WORTH_A_LOOK = 0.4
"""Least share of the best score that another hit has."""
ALL = 1.0
"""Score of a document that was found by filters alone, or by its id."""

_SATURATION, _LENGTH = 4, 0.75
_PASSAGE_SATURATION, _PASSAGE_LENGTH, _PASSAGE_TERMS = 3, 0.5, 165
_ENOUGH, _FOR_MORE, _SOME = 0.28, 0.05, 150
WEAK = 0.35
"""Share of enough evidence from which a document is worth a look."""
_MEANING = 0.3
"""What a cosine adds to a score, before both are brought to 0 to 1."""
_DISTINCTIVE = 0.5
"""Share of the largest weight that words of distinctive queries have on average."""
_FEW = 2
"""Words up to which a query is distinctive, whatever they weigh."""

Levels = tuple[Mapping[str, Any], Mapping[Any, int]]
"""The strength of each term of a text, as a key, and the level of each key: a few keys
for hundreds of terms."""


def weight(having: int, documents: int) -> float:
    """Return the weight of a word that `having` of `documents` have."""
    return log(1 + 2 * (documents + PRIOR) / (having + 0.5))


def evidence(score: float, weight: float) -> float:
    """Return the evidence for a document of this score, by the weight of all words."""
    return score * sqrt(score * weight)


def with_meaning(score: float, cosine: float) -> float:
    """Return the score of words and the cosine of meanings together, 0 to 1."""
    return (score + _MEANING * max(0.0, cosine)) / (1 + _MEANING)


def enough(documents: int, passages: int) -> float:
    """Return the evidence that makes an answer among so many documents."""
    size = max(0.0, log(max(1, documents) / _SOME))
    return _ENOUGH + _FOR_MORE * size * documents / max(1, documents, passages)


def is_distinctive(weights: Sequence[float], documents: int) -> bool:
    """Return whether a document that has all words of these weights is meant."""
    least = _DISTINCTIVE * weight(1, documents)
    return len(weights) <= _FEW or sum(weights) >= least * len(weights)


def entry_levels(entry: IndexEntry) -> Levels:
    """Return the levels of the terms of a document and its conversation."""
    strengths: dict[str, tuple[float, ...]] = {}
    for role, usual in _USUAL.items():
        importance, counts = IMPORTANCE[role], _counts(cut(_words(entry, role)))
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * counts.total() / usual)
        alone = {n: (importance * n / (n + damping),) for n in {*counts.values()}}
        role_strengths: dict[str, tuple[float, ...]] = {
            t: alone[n] for t, n in counts.items()
        }
        for term in strengths.keys() & role_strengths.keys():
            role_strengths[term] = strengths[term] + role_strengths[term]
        strengths |= role_strengths
    return strengths, {
        term_strengths: _level(
            sqrt((1 - TIE) * max(term_strengths) + TIE * sum(term_strengths)), STEP
        )
        for term_strengths in {*strengths.values()}
    }


def _words(entry: IndexEntry, role: Role) -> list[str]:
    fields = [
        field for field in entry.fields if field.role is role and field.is_indexed
    ]
    texts = [text for field in fields for text in field.texts]
    speech = entry.said if role is Role.TEXT else ()
    return "\n".join([*texts, *speech])[:MOST].split()


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
