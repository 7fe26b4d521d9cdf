"""What a user may want to clean up: memories that nobody asks for, and duplicates."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from gitmem.actions.remembering.corrections import contradicts, memory_claim
from gitmem.actions.remembering.listing import memories
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import BRANCH, PROJECT, parse_statement
from gitmem.documents.memory.memory import Memory, Relate, proposal
from gitmem.frozen import frozen
from gitmem.search.likeness import SURELY_ALIKE, likeness, says_same, words_of
from gitmem.store.recall_counts import RecallCount, recall_counts
from gitmem.store.trees.committing import present_branch
from gitmem.workspace import Workspace

_COMMON = 200
"""Memories that have a word which says nothing of their likeness."""


@frozen
class Stale:
    memory: Memory
    recalls: RecallCount | None
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


def stale(workspace: Workspace, days: int) -> list[Stale]:
    """Active memories that nobody said or recalled for so many days, the oldest first.

    A pinned memory is never stale.
    """
    counts, now = recall_counts(workspace.own_dir), workspace.now()
    since = now - timedelta(days=days)
    unchanged = (
        Stale(memory, counts.get(memory.id))
        for memory in memories(workspace)
        if memory.is_current(now) and not memory.pinned and memory.updated_at < since
    )
    unused = (
        candidate
        for candidate in unchanged
        if not candidate.recalls or candidate.recalls.last < since.date()
    )
    return sorted(
        unused, key=lambda candidate: (candidate.memory.updated_at, candidate.memory.id)
    )


def duplicates(workspace: Workspace) -> list[Duplicate]:
    """Pairs of active memories that are nearly the same, the most alike first.

    None of what is never replaced, as what is pinned.
    """
    now, branch = workspace.now(), present_branch(workspace.repository)
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
    arguments = {
        "text": pair.newer.text,
        "scope": BRANCH if pair.newer.branch else PROJECT,
        "replaces": pair.older.id,
        "relation": pair.proposal.value,
    }
    remember(workspace, parse_statement(arguments, workspace.now()), source)


def _candidates(active: Sequence[Memory]) -> Iterator[tuple[int, int]]:
    """Pairs of which the later one has half of its rare words from the earlier one."""
    numbers_by_stem: dict[str, list[int]] = defaultdict(list)
    for number, memory in enumerate(active):
        stems = words_of(memory.text)
        shared = Counter(
            earlier for stem in stems for earlier in numbers_by_stem[stem][:_COMMON]
        )
        for earlier, count in shared.items():
            if 2 * count >= len(stems):
                yield earlier, number
        for stem in stems:
            numbers_by_stem[stem].append(number)


def _pair(older: Memory, newer: Memory) -> Duplicate | None:
    older_words, newer_words = words_of(older.text), words_of(newer.text)
    share = likeness(older_words, newer_words)
    is_opposite = contradicts(memory_claim(newer), memory_claim(older))
    is_near = share >= SURELY_ALIKE or says_same(older.text, newer.text)
    if older.branch != newer.branch or not (is_opposite or is_near):
        return None
    relation = proposal(
        older, is_part=older_words <= newer_words, is_opposite=is_opposite
    )
    return Duplicate(older, newer, share, relation, is_opposite)
