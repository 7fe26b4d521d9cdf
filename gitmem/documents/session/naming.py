"""How a session is named that nobody gave a slug."""

from contextlib import suppress

from gitmem.documents.names import fold
from gitmem.documents.session.identity import (
    SLUG_WORDS,
    clean_slug,
    provisional_slug,
    slug_of,
)
from gitmem.documents.session.session import GoalSource, Session
from gitmem.errors import InvalidInput
from gitmem.text.small_talk import SMALL_TALK


def slug_from(goal: str | None) -> str | None:
    """Return up to four words of a goal that tell what it is about; None for none.

    A slug is a name, which is not redacted, so that a secret makes none.
    """
    words = [word for word in fold(goal or "").split("-") if word not in SMALL_TALK]
    with suppress(InvalidInput):
        return clean_slug("-".join(words[:SLUG_WORDS]))
    return None


def is_unnamed(session: Session) -> bool:
    """Tell whether its slug was derived, and waits for a better one."""
    provisional = provisional_slug(session.client_session_id)
    is_derived = session.goal_source is GoalSource.DERIVED
    derived = slug_from(session.goal) if is_derived else None
    current = slug_of(session.id)
    return current.startswith((provisional, derived or provisional))
