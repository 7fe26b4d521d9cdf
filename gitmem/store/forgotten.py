"""Sessions that were forgotten, and stay so: a tombstone each, in the memory's tree.

`forgotten/<2 digits>/<62 digits>` is named by a digest of the conversation, and tells
nothing of it. Merging keeps every tombstone, and no session that has one.
"""

from gitmem.model.session import Session
from gitmem.store.memory import Memory

ROOT = "forgotten"


def tombstone_path(session: Session) -> str:
    """Where the tombstone of a session is, in the tree of the memory."""
    raise NotImplementedError


def is_forgotten(memory: Memory, tool: str, client_session_id: str) -> bool:
    """Whether this conversation has a tombstone."""
    raise NotImplementedError
