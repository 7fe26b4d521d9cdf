"""Which memories answer a question: by their words, and by what they mean."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import nlargest

from gitmem.actions.remembering.meanings import Tree
from gitmem.documents.memory.kind import MEMORY
from gitmem.search.documents import Hit, Match, hit_on
from gitmem.search.index import Index
from gitmem.search.queries.query import Query
from gitmem.search.ranking import WEAK, with_meaning
from gitmem.search.wording import names_subject

_SHOWN, _STRONG = 0.25, 0.45
"""Cosines from which a memory is shown, and is a strong match."""
_HELP = 0.6
"""Evidence of words makes a strong match if it is enough times this plus the cosine."""


def by_words(index: Index, query: Query, most: int) -> list[Hit]:
    """Return the hits, or none where no memory has a word of the question's subject.

    A statement is short: in it `use` or `after` would count as much as a name.
    """
    hits = index.search(query, limit=most)
    subject = tuple(filter(names_subject, query.words))
    if not subject:
        return [hit for hit in hits if hit.match is Match.STRONG]
    about_it = index.search(replace(query, words=subject), limit=1, declines=False)
    return hits if about_it else []


def by_meaning(
    index: Index, query: Query, most: int, tree: Tree, cosines: Mapping[str, float]
) -> list[Hit]:
    """Return the best hits by words and by cosines together."""
    hits = index.search(query, limit=2 * most, declines=False)
    ids = {hit.id for hit in hits}
    near = {
        id_: cosine
        for id_, cosine in cosines.items()
        if cosine >= _SHOWN and id_ not in ids
    }
    nearest = nlargest(most, near, key=near.__getitem__)
    all_hits = (*hits, *_fitting(tree, nearest, query))
    graded = (_graded(hit, cosines.get(hit.id)) for hit in all_hits)
    return nlargest(most, filter(None, graded), key=lambda hit: hit.score)


def _fitting(tree: Tree, ids: list[str], query: Query) -> Iterator[Hit]:
    for memory in filter(None, map(tree.readable, ids)):
        entry = MEMORY.entry(memory)
        if not any(map({*entry.labels}.isdisjoint, query.labels)):
            yield hit_on(entry, 0.0)


def _graded(hit: Hit, cosine: float | None) -> Hit | None:
    """Return a hit by words and meaning; None if it is no match.

    Words alone decide where the memory is in another language, or not learned yet.
    """
    near = max(0.0, cosine or 0.0)
    is_strong = hit.evidence * (_HELP + near) >= 1
    is_near = hit.evidence >= WEAK if cosine is None else near >= _SHOWN
    if not is_near and not is_strong:
        return None
    match = Match.STRONG if is_strong or near >= _STRONG else Match.WEAK
    return replace(hit, score=with_meaning(hit.score, near), match=match, cosine=near)
