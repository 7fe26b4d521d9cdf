"""Which memories answer a question, and what each of them is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from heapq import nlargest

from gitmem.actions.remembering.meanings import Tree
from gitmem.documents.memory.kind import MEMORY
from gitmem.documents.memory.memory import Category, Memory
from gitmem.git.repository import Repository
from gitmem.search.documents import Hit, Match, hit_on
from gitmem.search.index import Index
from gitmem.search.queries.query import Query
from gitmem.search.ranking import WEAK, with_meaning
from gitmem.search.wording import names_subject

_SHOWN, _STRONG = 0.25, 0.45
"""Cosines from which a memory is shown, and is a strong match."""
_HELP = 0.6
"""Evidence of words makes a strong match if it is enough times this plus the cosine."""
_HALF_LIFE = 30.0
"""Days in which what a memory is worth halves, down to LEAST_WORTH."""
_LEAST_WORTH = 0.5
_LASTING = frozenset({Category.CONSTRAINT, Category.CONVENTION, Category.DECISION})
"""These are worth the same for ever, as are pinned ones."""
_STALE = 0.5
"""Factor for a memory if all of its files changed since."""


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


def worth(memory: Memory, changed_files: int, now: datetime) -> float:
    """Return what the score of a memory is multiplied by, between 0 and 1.

    Importance counts 0.3 of it. Its age halves it every 30 days, and files that changed
    since do as far as they are all that it is about; neither to less than a half.
    """
    days = max((now - memory.updated_at).total_seconds() / 86_400, 0.0)
    is_lasting = memory.pinned or memory.kind in _LASTING
    age = 1.0 if is_lasting else max(0.5 ** (days / _HALF_LIFE), _LEAST_WORTH)
    paths = {file.path for file in memory.files}
    stale = changed_files / len(paths) if paths else 0.0
    return (0.7 + 0.3 * memory.importance) * age * (1 - (1 - _STALE) * stale)


def changed_files(git: Repository, memory: Memory) -> int:
    """How many of its files HEAD has otherwise than at any time it was said."""
    noted_by_session: dict[str, set[str]] = {}
    for file in memory.files:
        if file.blob:
            noted_by_session.setdefault(file.path, set()).add(file.blob)
    head = git.head().commit if noted_by_session else None
    if head is None:
        return 0
    present = git.blobs(head, noted_by_session)
    return sum(
        present.get(path) not in blobs for path, blobs in noted_by_session.items()
    )
