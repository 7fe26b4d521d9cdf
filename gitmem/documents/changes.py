"""The sessions that differ between two states of a repository's memory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gitmem.documents.conversation import conversation
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session import parsing
from gitmem.documents.session.session import Session


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """All that an index is told of a session."""

    session: Session
    turns: tuple[Turn, ...] = ()
    """Of its conversation, where that was kept."""


@dataclass(frozen=True, slots=True)
class StoredTexts:
    """The same as it is kept, for whoever has the time to read it."""

    session_id: str
    document: str
    said: str = ""
    """As `gitmem.documents.conversation.conversation` renders it."""

    def told(self) -> IndexEntry:
        return IndexEntry(
            parsing.parse(self.session_id, self.document), conversation.parse(self.said)
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """What an index that stands at `since` has to learn to stand at `tip`.

    Both are names of a state, which the index keeps and does not look into. `since` is
    None when there is no common ground (nothing indexed yet, or the state is gone):
    then `sessions` are all there are, and whatever was known is void. A session that is
    None was removed.
    """

    since: str | None
    tip: str
    total: int
    """How many `sessions` there are; they may be read lazily, and end early."""
    sessions: Iterable[tuple[str, StoredTexts | None]]
    so_far: Callable[[str], str | None] = lambda _: None
    """The name of the state of an index that has learned them up to this one.

    None where that state has no name.
    """
