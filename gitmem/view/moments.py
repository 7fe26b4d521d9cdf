"""Days of sessions on the clock of whoever looks: ids have the minute in UTC."""

from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache

from gitmem.config import local_time
from gitmem.documents.kinds import SESSION


@lru_cache(maxsize=16_384)
def day_in(session_id: str) -> date:
    """Return the day on which a session began, by its id; no calendar has some."""
    day, _, time = SESSION.moment_in(session_id).partition("_")
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(f"{day}T{time.replace('-', ':')}")
        return local_time(moment.replace(tzinfo=UTC)).date()
    return date.min


def date_in(text: str) -> date | None:
    """Return the date that a parameter names; None for none."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None
