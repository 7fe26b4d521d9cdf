"""The statements of a session: what it decided, gave up, and has to keep to."""

from collections.abc import Iterator
from datetime import datetime

from gitmem.documents.session import statement_times
from gitmem.documents.session.fields import KINDS, STAMPED, TextLists
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen

OPEN_KINDS = frozenset(("blocker", "question"))
"""The kinds of what is not settled, and never holds."""
SAID = "said"
"""The kind of what a conversation states that nobody saved."""


@frozen
class Statement:
    """An item of a list in KINDS, which is worth recalling by itself."""

    reference: str
    """The session's id, the initial of the list, the item's place: `<id>#d1`."""
    kind: str
    text: str
    at: datetime
    by: str = ""
    """Who said what nobody saved: Person or Assistant."""


def statements(session: Session) -> Iterator[Statement]:
    """Yield the statements of a session, in the order of its document."""
    later = dict(session.stated_at)
    for name, kind in KINDS.items():
        stamp = getattr(session, STAMPED[name]) if name in STAMPED else None
        for number, text in enumerate(getattr(session, name), start=1):
            digest = statement_times.text_digest(text)
            at = stamp or later.get(digest, session.started_at)
            yield Statement(f"{session.id}#{name[0]}{number}", kind, text, at)


def times_by_digest(session: Session) -> dict[str, datetime]:
    """Return when each statement was made whose time is kept."""
    later = dict(session.stated_at)
    return {
        digest: later.get(digest, session.started_at)
        for digest in statement_times.digests(session)
    }


def with_new_times(
    session: Session, lists: TextLists, at: datetime
) -> statement_times.StatementTimes:
    """Return the `stated_at` of a session once it has the statements of `lists`."""
    digests = {*statement_times.digests(lists)}
    if not digests:  # as of most that hooks see
        return session.stated_at
    new = digests.difference(statement_times.digests(session))
    return (*session.stated_at, *((digest, at) for digest in new))
