"""The kinds of documents that there are."""

from typing import Any

from gitmem.documents.conversation.kind import CONVERSATION
from gitmem.documents.kind import ChangedKind, Kind
from gitmem.documents.memory.kind import MEMORY
from gitmem.documents.session.kind import SESSION

__all__ = ("CONVERSATION", "KINDS", "MEMORY", "SESSION", "changed_kinds", "refs")

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind for kind in (SESSION, CONVERSATION, MEMORY)
}
"""By name. Each is on a ref of its own; those of another kind come after it."""


def changed_kinds() -> list[ChangedKind[Any, Any]]:
    """Return the kinds whose documents have a journal of changes each."""
    return [kind for kind in KINDS.values() if isinstance(kind, ChangedKind)]


def refs() -> list[str]:
    """Return the refs of all kinds."""
    return [kind.ref for kind in KINDS.values()]
