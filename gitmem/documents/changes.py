"""The documents that differ between two states of a repository's memory."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gitmem.documents.conversation.stated import stated_in
from gitmem.documents.index_entry import IndexEntry
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.index import stating
from gitmem.frozen import frozen


class Changed(NamedTuple):
    """A document that an index has to learn, or to forget."""

    kind: str
    id: str
    entry: Callable[[], IndexEntry | None]
    """Makes the entry of the texts as stored, for whoever has the time: picklable, such
    as a `partial` of a function here. It gives None for a document that was removed."""


def session_entry(
    session_id: str, document: str | None, said: str = ""
) -> IndexEntry | None:
    """Read the entry of a session from its document and its conversation."""
    if document is None:
        return None
    turns = CONVERSATION.parse(session_id, said)
    session = SESSION.parse(session_id, document)
    entry = SESSION.entry(session, tuple(turn.text for turn in turns))
    if entry.stated:
        return entry
    return stating(entry, stated_in(session_id, turns, session.started_at))


def entry_of(kind: Kind[Any], document_id: str, text: str | None) -> IndexEntry | None:
    """Read the entry of a document of any other kind."""
    return None if text is None else kind.entry(kind.parse(document_id, text))


@frozen
class Changes:
    """What an index that stands at `since` has to learn to stand at `tip`.

    Both are names of a state, which the index keeps and does not look into. `since` is
    None when there is no common ground (nothing indexed yet, or the state is gone):
    then `documents` are all there are, and whatever was known is void.
    """

    since: str | None
    tip: str
    total: int
    """How many `documents` there are; they may be read lazily, and end early."""
    documents: Iterable[Changed]
    so_far: Callable[[str], str | None] = lambda _: None
    """The state of an index that has learned them up to the one with this id.

    None where that state has no name.
    """
