"""What a user may want to clean up: memories that nobody asks for, and duplicates."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from gitmem.actions.any_kind import current
from gitmem.actions.remembering.corrections import contradicts, memory_claim
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import BRANCH, PROJECT, parse_statement
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Memory, Relate, proposal
from gitmem.frozen import frozen
from gitmem.search.likeness import SURELY_ALIKE, likeness, says_same, words_of
from gitmem.store.reads import Reads, reads
from gitmem.workspace import Workspace

_COMMON = 200
"""Memories that have a word which tells nothing of their likeness."""


@frozen
class Stale:
    memory: Memory
    reads: Reads | None
    """None where it was never recalled here."""


@frozen
class Duplicate:
    """Two memories that are nearly the same, of which the newer one shall stay."""

    older: Memory
    newer: Memory
    likeness: float
    proposal: Relate
    is_opposite: bool
    """True if both cannot hold; their author decides then."""


def memories(workspace: Workspace) -> list[Memory]:
    """All memories of this repository."""
    tree = current(workspace, MEMORY)
    return [*filter(None, map(tree.readable, tree.ids()))]


def stale(workspace: Workspace, days: int) -> list[Stale]:
    """Active memories that nobody said or recalled for so many days, the oldest first.

    A pinned memory is never stale.
    """
    reads_by_id, now = dict(reads(workspace.own_dir)), workspace.now()
    since = now - timedelta(days=days)
    candidates = [
        Stale(memory, reads_by_id.get(memory.id))
        for memory in memories(workspace)
        if memory.is_current(now) and not memory.pinned and memory.updated_at < since
    ]
    quiet = (
        unread
        for unread in candidates
        if not unread.reads or unread.reads.last < since.date()
    )
    return sorted(
        quiet, key=lambda unread: (unread.memory.updated_at, unread.memory.id)
    )


def duplicates(workspace: Workspace) -> list[Duplicate]:
    """Pairs of active memories that are nearly the same, the most alike first.

    None of what is never replaced, as what is pinned.
    """
    now, branch = workspace.now(), workspace.repository.head().branch
    active = [
        memory
        for memory in memories(workspace)
        if memory.is_current(now) and memory.branch in ("", branch)
    ]
    active.sort(key=lambda memory: (memory.updated_at, memory.id))
    candidates = (_pair(active[a], active[b]) for a, b in _candidates(active))
    pairs = (
        pair for pair in candidates if pair and pair.proposal is not Relate.CONTEXT
    )
    return sorted(pairs, key=lambda pair: (-pair.likeness, pair.older.id))


def replace_older(workspace: Workspace, pair: Duplicate, source: str) -> None:
    """Do what is proposed for a pair. Raises as `remember`."""
    changes = {
        "text": pair.newer.text,
        "scope": BRANCH if pair.newer.branch else PROJECT,
        "replaces": pair.older.id,
        "relation": pair.proposal.value,
    }
    remember(workspace, parse_statement(changes, workspace.now()), source)


def _candidates(active: Sequence[Memory]) -> Iterator[tuple[int, int]]:
    """Pairs that have at least half of their telling words in common, each once."""
    words = [words_of(memory.text) for memory in active]
    having: dict[str, list[int]] = defaultdict(list)
    for number, stems in enumerate(words):
        shared = Counter(at for stem in stems for at in having[stem][:_COMMON])
        yield from ((at, number) for at, n in shared.items() if 2 * n >= len(stems))
        for stem in stems:
            having[stem].append(number)


def _pair(older: Memory, newer: Memory) -> Duplicate | None:
    before, after = words_of(older.text), words_of(newer.text)
    alike = likeness(before, after)
    is_opposite = contradicts(memory_claim(newer), memory_claim(older))
    is_near = alike >= SURELY_ALIKE or says_same(older.text, newer.text)
    if older.branch != newer.branch or not (is_opposite or is_near):
        return None
    relation = proposal(older, is_part=before <= after, is_opposite=is_opposite)
    return Duplicate(older, newer, alike, relation, is_opposite)
