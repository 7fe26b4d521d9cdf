"""The order and the lines of `ocm list --tree`: each session below its parent.

Documents come from anywhere: a parent may be missing, or sessions may name each other
in a circle. Every session is shown once all the same.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gitmem.documents.session.session import Session
from gitmem.frozen import frozen

_STEP = 3
"""Columns by which a child is indented."""
_DEEPEST = 10 * _STEP
"""Columns of indentation; deeper sessions stand as deep as that."""


@frozen
class Node:
    index: int
    """Of the session in the list that was given."""
    lead: str
    """What is drawn in front of its first line."""
    indent: str
    """What is drawn in front of its other lines."""


def tree(sessions: Sequence[Session]) -> Iterator[Node]:
    """Each session once, behind its parent; the order is otherwise kept.

    A tree stands where the first of its sessions does.
    """
    parents = _parents(sessions)
    children: dict[int, list[int]] = defaultdict(list)
    for child, parent in parents.items():
        children[parent].append(child)
    shown: set[int] = set()
    for index in range(len(sessions)):
        if index not in shown:
            for node in _from(_root(index, parents), children):
                shown.add(node.index)
                yield node


def _parents(sessions: Sequence[Session]) -> Mapping[int, int]:
    by_name: dict[str, int] = {}
    for index, session in enumerate(sessions):
        for name in (session.client_session_id, *session.all_ids):
            by_name.setdefault(name, index)
    parents: dict[int, int] = {}
    for index, session in enumerate(sessions):
        parent = by_name.get(session.parent) if session.parent else None
        if parent is not None and parent != index:
            parents[index] = parent
    return parents


def _root(index: int, parents: Mapping[int, int]) -> int:
    """The last ancestor; in a circle, the last one before it closes."""
    passed = {index}
    while (parent := parents.get(index)) is not None and parent not in passed:
        passed.add(parent)
        index = parent
    return index


def _from(root: int, children: Mapping[int, Sequence[int]]) -> Iterator[Node]:
    """No recursion: a chain may be as long as the list."""
    waiting = [(root, "", "")]
    while waiting:
        index, lead, indent = waiting.pop()
        below = [child for child in children.get(index, ()) if child != root]
        yield Node(index, lead, indent + ("│  " if below else "   "))
        indent = indent[: _DEEPEST - _STEP]
        for child in reversed(below):
            is_last = child == below[-1]
            branch, rest = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            waiting.append((child, indent + branch, indent + rest))
