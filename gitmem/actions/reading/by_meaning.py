"""Order sessions by what they mean, where their words make none a clear match."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import chain, islice

from gitmem.documents.session.index import entry
from gitmem.meaning.model import sentence_model
from gitmem.search.documents import Hit, Match
from gitmem.search.finding import standing
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import Query
from gitmem.search.ranking import with_meaning
from gitmem.store.trees.session_tree import SessionTree

MOST_COMPARED = 6
"""Hits whose meaning is compared."""
_LENGTH, _MOST_WINDOWS, _MOST_LOOKED_AT = 30, 2, 300
"""Words of a window, how many of a session are compared, and chosen from."""


def by_meaning(
    hits: Sequence[Hit], query: Query, words: QueryWords, tree: SessionTree
) -> list[Hit]:
    """Return hits by their words and their meaning together, the best first.

    As they are where one is a strong match, the user installed no model, or it does
    not know the language.
    """
    is_clear = any(hit.match is Match.STRONG for hit in hits)
    model = None if is_clear or not hits else sentence_model()
    if not model or not model.reads(query.text):
        return [*hits]
    meaning = model.vector(query.text)
    compared = []
    for hit in hits:
        windows = _windows(hit, words, tree)
        cosine = max(float(model.vector(window) @ meaning) for window in windows)
        score = with_meaning(hit.score, cosine)
        compared.append(replace(hit, score=score, cosine=cosine))
    return sorted(compared, key=standing)


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
