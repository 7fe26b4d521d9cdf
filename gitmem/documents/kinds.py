"""The kinds of documents that there are."""

from typing import Any

from gitmem.documents.conversation.kind import CONVERSATION
from gitmem.documents.kind import Kind
from gitmem.documents.memory.kind import MEMORY
from gitmem.documents.session.kind import SESSION

__all__ = ("CONVERSATION", "KINDS", "MEMORY", "SESSION", "refs")

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind for kind in (SESSION, CONVERSATION, MEMORY)
}
"""By name. Each is on a ref of its own; those of another kind come after it."""


def refs() -> list[str]:
    """Return the refs of all kinds."""
    return [kind.ref for kind in KINDS.values()]
