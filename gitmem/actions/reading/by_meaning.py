"""Order sessions by what they mean, where their words make none a clear match."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import chain, islice

from gitmem.documents.session.index import entry
from gitmem.meaning.model import sentence_model
from gitmem.search.documents import Hit, Match
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import Query
from gitmem.search.ranking import with_meaning
from gitmem.store.trees.session_tree import SessionTree

MOST_COMPARED = 6
"""Hits whose meaning is compared."""
_LENGTH, _MOST_WINDOWS, _MOST_LOOKED_AT = 30, 2, 300
"""Words of a window, how many of a session are compared, and chosen from."""


def cosines(
    hits: Sequence[Hit], query: Query, words: QueryWords, tree: SessionTree
) -> Mapping[str, float]:
    """Return how near in meaning each hit is, by its id.

    Nothing where one is a strong match, the user installed no model, or it does not
    know the language.
    """
    text, is_clear = query.text, any(hit.match is Match.STRONG for hit in hits)
    model = None if is_clear or not hits else sentence_model()
    if not model or not model.reads(text):
        return {}
    meaning = model.vector(text)
    return {
        hit.id: max(
            float(model.vector(window) @ meaning)
            for window in _windows(hit, words, tree)
        )
        for hit in hits[:MOST_COMPARED]
    }


def with_cosine(hit: Hit, cosine: float) -> Hit:
    """Return a hit with the score of its words and its meaning together."""
    return replace(hit, score=with_meaning(hit.score, cosine))


def _windows(hit: Hit, words: QueryWords, tree: SessionTree) -> list[str]:
    """Return the stretches of a session that have most words of the query."""
    session = tree.readable(hit.id)
    items = entry(session).items if session else ()
    windows = chain.from_iterable(map(_cut, (hit.title, hit.speech, *items)))
    return nlargest(
        _MOST_WINDOWS,
        islice(windows, _MOST_LOOKED_AT),
        key=lambda window: words.in_texts([window]).bit_count(),
    ) or [hit.title]


def _cut(text: str) -> Iterator[str]:
    words = text.split()
    step = _LENGTH // 2
    for start in range(0, max(min(1, len(words)), len(words) - step), step):
        yield " ".join(words[start : start + _LENGTH])
