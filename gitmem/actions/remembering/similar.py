"""The memories that are like a statement."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from heapq import nlargest
from typing import TYPE_CHECKING

from gitmem.actions.remembering.corrections import contradicts, memory_claim
from gitmem.actions.remembering.meanings import Tree, memory_cosines
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.memory.memory import Memory, MemoryStatus, Relate, proposal
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.indexing import ask_index
from gitmem.search.likeness import is_same_matter, likeness, stems_of
from gitmem.search.queries.query import of_words
from gitmem.store.trees.tree_changes import other_tips
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.index import Index

_MOST = 5
"""Memories that the index is asked for."""
_NEAR, _MOST_NEAR = 0.55, 3
"""Least cosine of memories that are named beside a new one, and how many at most."""
_FEW = 10
"""Memories that are read rather than learned by the index."""


@frozen
class Similar:
    memory: Memory
    likeness: float
    """Between 0 and 1: the share of the words of both that both have, or the cosine."""
    proposal: Relate | None
    """The relation to propose for the new text; None where only the meaning is near."""
    is_opposite: bool = False


def similar(workspace: Workspace, new: Memory) -> Iterator[Similar]:
    """Yield the active memories that are like a new one, the most alike first."""
    stems, branches = stems_of(new.text), {"", new.branch}
    new_words = frozenset(stems)
    among = ((ACTIVE,), tuple(f"branch:{branch}" for branch in sorted(branches)))
    query = of_words("", MEMORY.name, among)
    likenesses = []
    for memory in known_by(
        workspace,
        lambda index: [hit.id for hit in index.nearest(query, new_words, limit=_MOST)],
    ):
        memory_stems = stems_of(memory.text)
        is_here = memory.status is MemoryStatus.ACTIVE and memory.branch in branches
        is_opposite = contradicts(memory_claim(new), memory_claim(memory))
        if is_here and (is_opposite or is_same_matter(memory_stems, stems)):
            words = frozenset(memory_stems)
            relation = proposal(
                memory, is_part=words <= new_words, is_opposite=is_opposite
            )
            likenesses.append(
                Similar(memory, likeness(new_words, words), relation, is_opposite)
            )
    yield from sorted(
        likenesses, key=lambda likeness: (-likeness.likeness, likeness.memory.id)
    )


def near_in_meaning(
    workspace: Workspace, tree: Tree, new: Memory, like: Collection[str]
) -> Iterator[Similar]:
    """Yield active memories that may say the same or the contrary, beside those `like`.

    A cosine cannot tell which: that of opposites is higher than that of paraphrases.
    """
    near = {
        memory_id: cosine
        for memory_id, cosine in memory_cosines(workspace, tree, new.text).items()
        if cosine >= _NEAR and memory_id not in like
    }
    for memory_id in nlargest(_MOST_NEAR, near, key=near.__getitem__):
        memory = tree.readable(memory_id)
        if memory and memory.branch in {"", new.branch}:
            yield Similar(memory, near[memory_id], None)


def known_by(
    workspace: Workspace, question: Callable[["Index"], Sequence[str]]
) -> Iterator[Memory]:
    """Yield the memories that the index answers with, and those it has yet to learn.

    It learns them when somebody recalls: that takes longer than remembering one.
    """
    tree = workspace.store_of(MEMORY).memory()
    index = workspace.open_index()
    commit = other_tips(index.tip or "").get(MEMORY.name, "")
    is_known = workspace.repository.tree_of(commit)
    unlearned = tree.differing_ids(tree.at(commit)) if is_known else set()
    if is_known and len(unlearned) <= _FEW and not index.unlearned:
        with suppress(Damaged):
            ids = unlearned.union(question(index))
            yield from filter(None, map(tree.readable, sorted(ids)))
            return
    yield from filter(None, map(tree.readable, ask_index(workspace, question)))
