"""What the memory holds at one commit: a document a session."""

from collections.abc import Iterator
from itertools import groupby

from gitmem.errors import Damaged
from gitmem.model.document import DOCUMENT_LIMIT, FORMAT
from gitmem.model.identity import ROOT
from gitmem.model.reader import parse
from gitmem.model.session import Session
from gitmem.store.day_tree import DayTree

REF = "refs/ocm/sessions"


class Memory(DayTree):
    """The sessions at a commit."""

    ref, root, noun = REF, ROOT, "session"
    format, most_bytes = FORMAT, DOCUMENT_LIMIT

    def newest(self) -> Iterator[Session]:
        """All sessions, the newest start first, read one day at a time."""
        for _, day in groupby(self.ids(), key=lambda session_id: session_id[:10]):
            sessions = [found for each in day if (found := self.readable(each))]
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
