"""How alike two statements are, by their words."""

from collections.abc import Iterator

from gitmem.actions.reading.catch_up import ask_index
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Memory, Standing
from gitmem.frozen import frozen
from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.queries.query import of_words
from gitmem.search.words import fold, stems, tokens
from gitmem.workspace import Workspace

ALIKE = 0.5
"""The likeness of two statements about the same matter; docs/performance.md."""
SAME = 0.8
"""That of two which say the same."""
_MOST_LOOKED_AT = 5


@frozen
class Similar:
    memory: Memory
    likeness: float
    """Between 0 and 1: the share of the words of both that both have."""
    is_part: bool
    """Whether the other text has all words of this memory."""


def words_of(text: str) -> frozenset[str]:
    """Return the stems of what a text says, without stop words."""
    said = [each for each in tokens(text) if fold(each) not in STOP_WORDS]
    return frozenset(stem for token in said or tokens(text) for stem in stems(token))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return Dice's coefficient of two sets of words."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def similar(workspace: Workspace, text: str, branch: str) -> Iterator[Similar]:
    """Yield the active memories that are like a text, the most alike first."""
    said = words_of(text)
    labels = (
        (f"status:{Standing.ACTIVE}",),
        tuple(f"branch:{each}" for each in {"", branch}),
    )
    query = of_words(text, MEMORY.name, labels)
    hits = ask_index(
        workspace, lambda index: index.search(query, limit=_MOST_LOOKED_AT)
    )
    tree = workspace.store_of(MEMORY).memory()
    known = filter(None, (tree.readable(hit.id) for hit in hits))
    found = []
    for memory in known:
        words = words_of(memory.text)
        if (alike := likeness(said, words)) >= ALIKE:
            found.append(Similar(memory, alike, is_part=words <= said))
    yield from sorted(found, key=lambda each: (-each.likeness, each.memory.id))
