"""What becomes of a statement beside what is known already; nobody asks a model.

Of each two statements there are seven ways to go on: `create` and `skip` are ours, the
others are what the assistant or the user says with `replaces`.
"""

from enum import StrEnum

from gitmem.documents.memory.memory import Category, Memory, same_words


class Relate(StrEnum):
    """What a statement is to a memory that it names."""

    SUPERSEDE = "supersede"
    MERGE = "merge"
    SUPPORT = "support"
    CONTEXT = "context"
    CONTRADICT = "contradict"


_ONLY_ADDED = frozenset({Category.FIX, Category.DISCOVERY})
"""What happened stays true, whatever happens later."""
_LASTING = frozenset({Category.PATTERN, Category.ARCHITECTURE})
"""Of which two that contradict each other may both be told."""


def allowed(asked: Relate, known: Memory) -> Relate:
    """Return what may become of a known memory, where something else was asked for.

    A pinned one is never replaced, nor what happened once; a profile is only added to;
    and of two that contradict each other the newer one counts, but for what may be
    true in one place and not in another.
    """
    if asked in (Relate.SUPPORT, Relate.CONTEXT):
        return asked
    if known.pinned or known.kind in _ONLY_ADDED:
        return Relate.CONTEXT
    if known.kind is Category.PROFILE:
        return Relate.MERGE
    if asked is Relate.CONTRADICT and known.kind not in _LASTING:
        return Relate.SUPERSEDE
    return asked


def proposal(known: Memory, *, is_part: bool) -> Relate:
    """Return what to propose for a new statement that is like a known one.

    `is_part` where the new one has all words of the known one.
    """
    return allowed(Relate.MERGE if is_part else Relate.SUPERSEDE, known)


def merged_text(known: str, new: str) -> str:
    """Return one text that says both, the known one first."""
    if same_words(known) in same_words(new):
        return new
    return known if same_words(new) in same_words(known) else f"{known}\n{new}"
