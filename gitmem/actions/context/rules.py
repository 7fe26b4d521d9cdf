"""The memories that a brief tells, first those that always hold.

It needs no index: a small file says in which order they are told, which blobs have
them, and at which commit they were looked for. What differs since then is read again.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from operator import itemgetter

from gitmem.documents.authors import Trust
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Category, Memory, MemoryStatus, precedence
from gitmem.errors import Damaged, GitmemError
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value
from gitmem.git.layout import private_dir
from gitmem.git.values import Oid, is_oid
from gitmem.redaction.redact import redact
from gitmem.store.trees.committing import present_branch
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.text.code_names import names_in
from gitmem.workspace import Workspace

_ALWAYS = (
    *(Category.CONSTRAINT, Category.CONVENTION),
    *(Category.PREFERENCE, Category.PROFILE),
)
"""The kinds of what always holds, in the order of telling; pinned ones come first."""
_ALSO = (Category.DECISION, Category.FAILED, Category.ARCHITECTURE, Category.FIX)
"""The kinds that are told behind them."""
_USUAL_COST = 40
"""Tokens of a memory in a row."""
_LATEST = datetime.max.replace(tzinfo=UTC).timestamp()
"""Seconds of a line count back from here: so they sort the newest first."""


@frozen
class _Order:
    """The memories of a commit in the order in which they are told."""

    commit: Oid = ""
    lines: tuple[str, ...] = ()
    """A line for each memory: its place in the order, seconds, its id, its blob."""


@frozen
class StandingRule:
    memory: Memory
    is_own: bool
    """True if the user or a trusted person wrote it."""

    def with_text(self, text: str | None) -> "StandingRule":
        memory = replace(self.memory, text=text or self.memory.text)
        return StandingRule(memory, self.is_own)

    @property
    def always_holds(self) -> bool:
        return self.memory.pinned or self.memory.kind in _ALWAYS


def rules(workspace: Workspace, room: int) -> list[StandingRule]:
    """Return what always holds for this branch; see `standing_memories`."""
    return [r for r in standing_memories(workspace, room) if r.always_holds]


def standing_memories(
    workspace: Workspace, room: int, conversation: str = ""
) -> list[StandingRule]:
    """Return what a brief tells on this branch: by kind, and of each the newest first.

    Of each place about as many as `room` tokens have room for.
    """
    git, spaces = workspace.repository, workspace.environment.spaces
    has_others = spaces.is_dir() or private_dir(git.common_dir).is_dir()
    if not has_others and git.resolve_ref(MEMORY.ref) is None:
        return []
    from gitmem.actions.remembering.places import places  # few starts need it

    standing_rules: list[tuple[str, StandingRule]] = []
    scopes = frozenset(
        ("", present_branch(git) or "", redact(f"session:{conversation}"))
    )
    most = room // _USUAL_COST + 2
    for place in places(workspace, None, []):
        with suppress(GitmemError, OSError):  # the others are told
            trust = place.trust(git)
            standing_rules += _of_place(place.workspace, scopes, trust, most)
    return [rule for _, rule in sorted(standing_rules, key=itemgetter(0))]


def _of_place(
    place: Workspace, scopes: frozenset[str], trust: Trust, most: int
) -> Iterator[tuple[str, StandingRule]]:
    """Yield what it has, each with its place in the order."""
    now = place.now()
    memories = _holding(place, place.store_of(MEMORY).memory())
    valid = ((at, m) for at, m in memories if m.is_current(now) and m.branch in scopes)
    first_memories = list(islice(valid, most))
    holder: dict[tuple[str, str], str] = {}
    by_precedence = sorted(
        (m for _, m in first_memories), key=partial(precedence, trust=trust)
    )
    for memory in by_precedence:
        holder.setdefault((memory.key or memory.id, memory.branch), memory.id)
    counting = {*holder.values()}
    return (
        (at, StandingRule(m, trust.covers(m.author)))
        for at, m in first_memories
        if m.id in counting
    )


def _holding(
    place: Workspace, tree: DocumentTree[Memory]
) -> Iterator[tuple[str, Memory]]:
    """The active memories that are told, in their order, each with its place."""
    if tree.commit is None:
        return
    path = place.own_dir / "rules"
    order = read_value(path, _Order) or _Order()
    if order.commit != tree.commit:
        order = _Order(tree.commit, _learned(tree, order))
        with suppress(OSError):  # then it is done again
            write_value(path, order)
    for line in order.lines:
        with suppress(Damaged, ValueError):
            at, _, blob = line.rpartition(" ")
            text = place.repository.read_blob(blob, tree.most_bytes)
            document_id = at.rpartition(" ")[2]
            yield at, tree.parsed(document_id, text.decode("utf-8", "replace"))


def _learned(tree: DocumentTree[Memory], order: _Order) -> tuple[str, ...]:
    """Return the lines for a tree, from those for an earlier commit."""
    lines, earlier_tree = order.lines, tree.at(None)
    try:
        if is_oid(order.commit):
            earlier_tree = tree.at(order.commit)
    except Damaged:  # it was pruned: all of them are new
        lines = ()
    line_by_id = {line.split(" ")[2]: line for line in lines if line.count(" ") > 1}
    for document_id in tree.differing_ids(earlier_tree):
        memory, file = tree.readable(document_id), tree.entry(document_id)
        line_by_id.pop(document_id, None)
        place = _place_in_order(memory) if memory else ""
        if file and memory and place and memory.status is MemoryStatus.ACTIVE:
            line_by_id[document_id] = f"{place} {document_id} {file.oid}"
    return tuple(sorted(line_by_id.values()))


def _place_in_order(memory: Memory) -> str:
    """Return what sorts memories as they are told; "" for one that is not.

    What names a file or a function comes last: it is told with the file.
    """
    if memory.pinned:
        rank = 0
    elif memory.kind in _ALWAYS:
        rank = 1 + _ALWAYS.index(memory.kind)
    elif memory.kind in _ALSO:
        rank = 9 if memory.files or names_in(memory.text) else 8
    else:
        return ""
    return f"{rank} {_LATEST - memory.updated_at.timestamp():012.0f}"
