"""How alike two statements are, by their words."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.actions.reading.catch_up import ask_index
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.memory.memory import Memory, Standing
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.values import is_oid
from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.queries.query import of_words
from gitmem.search.words import fold, stems, tokens
from gitmem.store.trees.tree_changes import other_tips
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.index import Index

ALIKE, SURELY_ALIKE = 0.5, 0.7
"""The likeness of statements about one matter that begin alike, and of any two."""
SAME = 0.88
"""That of two of which one has all words of the other, and which say the same.

docs/performance.md says how these were chosen.
"""
_MOST = 5
"""Memories that the index is asked for."""
_FEW = 10
"""Memories that are read rather than learned by the index."""


@frozen
class Similar:
    memory: Memory
    likeness: float
    """Between 0 and 1: the share of the words of both that both have."""
    is_part: bool
    """Whether the other text has all words of this memory."""


def words_of(text: str) -> frozenset[str]:
    """Return the stems of what a text says, without stop words."""
    return frozenset(stems_of(text))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return Dice's coefficient of two sets of words."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def says_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words say the same: a value that changed is a new word."""
    return (one <= other or other <= one) and likeness(one, other) >= SAME


def is_same_matter(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two texts, by their stems, are about one matter.

    So that one may take the other's place.

    What changes stands behind what it is about: "Deploys happen on Fridays" and
    "Retrospectives happen on Fridays" differ at the beginning.
    """
    words = frozenset(one), frozenset(other)
    is_near = words[0] <= words[1] or one[:1] == other[:1]
    return likeness(*words) >= (ALIKE if is_near else SURELY_ALIKE)


def stems_of(text: str) -> list[str]:
    """Return the stems of what a text says, in its order."""
    said = [each for each in tokens(text) if fold(each) not in STOP_WORDS]
    return [stem for token in said or tokens(text) for stem in stems(token)]


def similar(workspace: Workspace, text: str, branch: str) -> Iterator[Similar]:
    """Yield the active memories that are like a text, the most alike first."""
    stems, branches = stems_of(text), {"", branch}
    said = frozenset(stems)
    among = ((ACTIVE,), tuple(f"branch:{each}" for each in sorted(branches)))
    query = of_words("", MEMORY.name, among)
    found = []
    for memory in known_by(
        workspace, lambda index: index.nearest(query, said, limit=_MOST)
    ):
        known = stems_of(memory.text)
        is_here = memory.status is Standing.ACTIVE and memory.branch in branches
        if is_here and is_same_matter(known, stems):
            words = frozenset(known)
            found.append(Similar(memory, likeness(said, words), words <= said))
    yield from sorted(found, key=lambda each: (-each.likeness, each.memory.id))


def known_by(
    workspace: Workspace, question: Callable[["Index"], Sequence[str]]
) -> Iterator[Memory]:
    """Yield the memories that the index answers with, and those it has yet to learn.

    It learns them when somebody recalls: that takes longer than remembering one.
    """
    tree = workspace.store_of(MEMORY).memory()
    index = workspace.open_index()
    commit = other_tips(index.tip or "").get(MEMORY.name, "")
    is_known = is_oid(commit) and workspace.repository.tree_of(commit)
    unlearned = tree.differing_ids(tree.at(commit)) if is_known else set()
    if is_known and len(unlearned) <= _FEW and not index.left:
        with suppress(Damaged):
            ids = unlearned.union(question(index))
            yield from filter(None, map(tree.readable, sorted(ids)))
            return
    yield from filter(None, map(tree.readable, ask_index(workspace, question)))
