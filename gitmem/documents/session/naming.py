"""The session id of a session, which a slug completes."""

from contextlib import suppress
from dataclasses import replace

from gitmem.documents.names import fold
from gitmem.documents.session.identity import (
    SLUG_WORDS,
    clean_slug,
    new_session_id,
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
    current = slug_of(session.session_id)
    return current.startswith((provisional, derived or provisional))


def with_slug(before: Session, after: Session, slug: str | None) -> Session:
    """Return `after` with a slug, unless somebody gave `before` its slug.

    The session id that was told until then goes on naming the session.
    """
    if not slug or slug == slug_of(before.session_id) or not is_unnamed(before):
        return after
    return replace(
        after,
        session_id=new_session_id(after.started_at, after.tool, slug),
        former_ids=(*after.former_ids, after.session_id),
    )
