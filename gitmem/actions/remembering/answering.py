"""Which memories answer a question: by their words, and by what they mean."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from itertools import chain

from gitmem.actions.remembering.meanings import Tree
from gitmem.documents.memory.kind import labels
from gitmem.frozen import frozen
from gitmem.search.documents import Hit, Match
from gitmem.search.index import Index
from gitmem.search.queries.query import Query
from gitmem.search.ranking import WEAK, with_meaning
from gitmem.search.wording import names_subject

_SHOWN, _STRONG = 0.25, 0.45
"""Cosines from which a memory is shown, and is a strong match."""
_HELP = 0.6
"""Evidence of words makes a strong match if it is enough times this plus the cosine."""


@frozen
class Answer:
    """A memory that answers a question."""

    id: str
    score: float
    match: Match
    cosine: float = 0.0
    """How near it is in meaning; 0 where nobody can tell."""


def by_words(index: Index, query: Query, most: int) -> list[Answer]:
    """Return the answers, or none where all they have of the question is its grammar.

    A statement has few words: among them any preposition would count as much as a name.
    """
    hits = index.search(query, limit=most)
    is_strong = any(hit.match is Match.STRONG for hit in hits)
    words = chain.from_iterable(hit.answers for hit in hits)
    if not is_strong and not names_subject(words):
        return []
    return [Answer(hit.id, hit.score, hit.match) for hit in hits]


def by_meaning(
    index: Index, query: Query, most: int, tree: Tree, cosines: Mapping[str, float]
) -> list[Answer]:
    """Return the answers by words and by their cosines together."""
    hits = index.search(query, limit=2 * most, declines=False)
    in_words = {hit.id for hit in hits}
    beside = {
        id_: cosine
        for id_, cosine in cosines.items()
        if cosine >= _SHOWN and id_ not in in_words
    }
    near = [
        _answer(id_, 0.0, 0.0, beside[id_])
        for id_ in nlargest(most, beside, key=beside.__getitem__)
        if _fits(tree, id_, query.labels)
    ]
    worded = (
        _answer(hit.id, hit.score, hit.evidence, cosines.get(hit.id, 0.0))
        for hit in hits
        if _is_shown(hit, cosines.get(hit.id))
    )
    return [*worded, *near]


def is_strong(evidence: float, cosine: float) -> bool:
    """Return whether a share of enough evidence and a cosine make a strong match."""
    return evidence * (_HELP + cosine) >= 1


def _is_shown(hit: Hit, cosine: float | None) -> bool:
    if cosine is None:  # of another language, or not learned yet
        return hit.evidence >= WEAK
    return cosine >= _SHOWN or is_strong(hit.evidence, cosine)


def _answer(id_: str, score: float, evidence: float, cosine: float) -> Answer:
    near = max(0.0, cosine)
    is_answer = is_strong(evidence, near) or near >= _STRONG
    match = Match.STRONG if is_answer else Match.WEAK
    return Answer(id_, with_meaning(score, cosine), match, near)


def _fits(
    tree: Tree, document_id: str, required_labels: Sequence[Sequence[str]]
) -> bool:
    memory = tree.readable(document_id)
    present = {*labels(memory)} if memory else set()
    return all(not present.isdisjoint(choices) for choices in required_labels)
