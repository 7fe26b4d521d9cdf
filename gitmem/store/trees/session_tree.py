"""What the memory holds at one commit: a document a session."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from gitmem.documents.session.identity import ROOT
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, FORMAT
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.store.trees.day_tree import DayTree

REF = "refs/ocm/sessions"

_AT_ONCE = 100
"""More sessions of one minute than people begin."""


class SessionTree(DayTree):
    """The sessions at a commit."""

    ref, root, noun = REF, ROOT, "session"
    format, most_bytes = FORMAT, DOCUMENT_LIMIT

    def newest(self) -> Iterator[Session]:
        """All sessions, the newest start first."""
        return self.sessions(self.ids())

    def sessions(self, ids: Iterable[str]) -> Iterator[Session]:
        """The sessions of ids that come in order, read some at a time.

        The id has the minute of the start; what the header says decides within it.
        """
        for _, minute in groupby(ids, key=lambda session_id: session_id[:16]):
            while some := [*islice(minute, _AT_ONCE)]:
                sessions = [found for each in some if (found := self.readable(each))]
                yield from sorted(sessions, key=lambda s: s.started_at, reverse=True)

    def readable(self, session_id: str) -> Session | None:
        """The session, or None also where git cannot read its document.

        One document that is damaged or not there must not hide all the others.
        """
        try:
            return self.session(session_id)
        except Damaged:
            return None

    def session(self, session_id: str) -> Session | None:
        text = self.document(session_id)
        return None if text is None else parse(session_id, text)

    def document(self, session_id: str) -> str | None:
        return self.text(session_id)
