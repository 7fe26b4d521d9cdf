"""Sessions and what they go on from: forks and handoffs below their origin."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session

_STEP = 3
"""Columns by which a child is indented in a tree."""
_DEEPEST = 10 * _STEP
"""Columns of the deepest indentation; sessions below stand as deep."""


def family_tree(sessions: Sequence[Session]) -> Iterator[tuple[int, str, str]]:
    """Yield each session once, behind its parent, in the same order otherwise.

    A row has the session's index, the drawing in front of its first line, and the
    drawing in front of the next lines. A parent may be missing, and sessions may name
    each other in a circle. A tree stands at the place of its first listed session.
    """
    parents = _parents(sessions)
    children: dict[int, list[int]] = defaultdict(list)
    for child, parent in parents.items():
        children[parent].append(child)
    drawn_indexes: set[int] = set()
    for index in range(len(sessions)):
        if index not in drawn_indexes:
            for row in _rows_below(_root(index, parents), children):
                drawn_indexes.add(row[0])
                yield row


def _parents(sessions: Sequence[Session]) -> Mapping[int, int]:
    index_by_name: dict[str, int] = {}
    for index, session in enumerate(sessions):
        for name in (session.client_session_id, *SESSION.names(session)):
            index_by_name.setdefault(name, index)
    parents = (index_by_name.get(session.parent or "") for session in sessions)
    return {
        index: parent
        for index, parent in enumerate(parents)
        if parent is not None and parent != index
    }


def _root(index: int, parents: Mapping[int, int]) -> int:
    """Return the last ancestor; in a circle, the last one before it closes."""
    passed = {index}
    while (parent := parents.get(index)) is not None and parent not in passed:
        passed.add(parent)
        index = parent
    return index


def _rows_below(
    root: int, children: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, str, str]]:
    """Yield the rows of a tree; no recursion, as a chain may be as long as the list."""
    waiting = [(root, "", "")]
    while waiting:
        index, lead, indent = waiting.pop()
        below = [child for child in children.get(index, ()) if child != root]
        yield index, lead, indent + ("│  " if below else "   ")
        indent = indent[: _DEEPEST - _STEP]
        for child in reversed(below):
            is_last = child == below[-1]
            branch, rest = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            waiting.append((child, indent + branch, indent + rest))
