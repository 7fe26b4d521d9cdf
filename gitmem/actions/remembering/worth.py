"""What a memory is worth beside others that answer as well."""

from datetime import datetime

from gitmem.documents.memory.memory import Category, Memory
from gitmem.git.repository import Repository

_HALF_LIFE = 30.0
"""Days in which what a memory is worth halves, down to LEAST_WORTH."""
_LEAST_WORTH = 0.5
_LASTING = frozenset({Category.CONSTRAINT, Category.CONVENTION, Category.DECISION})
"""These are worth the same for ever, as are pinned ones."""
_STALE = 0.5
"""Factor for a memory if all of its files changed since."""


def worth(memory: Memory, changed_files: int, now: datetime) -> float:
    """Return what the score of a memory is multiplied by, between 0 and 1.

    Importance counts 0.3 of it. Its age halves it every 30 days, and files that changed
    since do as far as they are all that it is about; neither to less than a half.
    """
    days = max((now - memory.updated_at).total_seconds() / 86_400, 0.0)
    is_lasting = memory.pinned or memory.kind in _LASTING
    age = 1.0 if is_lasting else max(0.5 ** (days / _HALF_LIFE), _LEAST_WORTH)
    paths = {file.path for file in memory.files}
    stale = changed_files / len(paths) if paths else 0.0
    return (0.7 + 0.3 * memory.importance) * age * (1 - (1 - _STALE) * stale)


def changed_files(git: Repository, memory: Memory) -> int:
    """How many of its files HEAD has otherwise than at any time it was said."""
    noted_by_session: dict[str, set[str]] = {}
    for file in memory.files:
        if file.blob:
            noted_by_session.setdefault(file.path, set()).add(file.blob)
    head = git.head().commit if noted_by_session else None
    if head is None:
        return 0
    present = git.blobs(head, noted_by_session)
    return sum(
        present.get(path) not in blobs for path, blobs in noted_by_session.items()
    )
