"""What two clones know of sessions, put together without asking anybody.

Commutative, associative and idempotent: in whatever order clones hear of each other,
they end with the same documents.
"""

from collections.abc import Iterable

from gitmem.model.session import Session


def stem_of(session_id: str) -> str:
    """The part of an id that no slug changes: when the session began, and the tool."""
    return session_id.rpartition("_")[0]


def merged(one: Session, other: Session) -> Session:
    """What both know of one session: lists are unions, the rest follows the newer."""
    raise NotImplementedError


def settled(sessions: Iterable[Session]) -> list[Session]:
    """All versions of sessions whose ids have one stem -> each session once, by its id.

    Versions of one conversation, whatever ids clones gave it, are merged; where two
    conversations have the same id, one of them gets another.
    """
    raise NotImplementedError
