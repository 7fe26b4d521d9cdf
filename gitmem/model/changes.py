"""The sessions that differ between two commits of the memory."""

from collections.abc import Iterable
from dataclasses import dataclass

from gitmem.model.session import Session


@dataclass(frozen=True, slots=True)
class Changes:
    """What an index that stands at `since` has to learn to stand at `tip`.

    `since` is None when there is no common ground (nothing indexed yet, or the commit
    is gone): then `sessions` are all there are, and whatever was known is void.
    A session that is None was removed.
    """

    since: str | None
    tip: str
    total: int
    """How many `sessions` there are; they may be read lazily."""
    sessions: Iterable[tuple[str, Session | None]]
