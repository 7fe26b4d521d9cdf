"""Times as people read and write them."""

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.errors import InvalidInput

if TYPE_CHECKING:
    from gitmem.workspace import Workspace


def moment(workspace: "Workspace", text: str) -> datetime:
    """The time that a person means: the beginning of a day, week or month, or a time.

    Raises InvalidInput.
    """
    from gitmem.search.queries.dates import beginning

    with suppress(ValueError, OverflowError):
        return workspace.local(datetime.fromisoformat(text))
    if begins := beginning(text, workspace.now()):
        return begins
    raise InvalidInput(
        f"{text!r} is no date.", hint='Say 2026-01-31, yesterday or "3 weeks ago".'
    )


def spoken(time: datetime, now: datetime) -> str:
    """When it was, on the clock of the place where it was, as session ids have it."""
    days = (now.astimezone(time.tzinfo).date() - time.date()).days
    if days == 0:
        return f"today {time:%H:%M}"
    if days == 1:
        return f"yesterday {time:%H:%M}"
    if 1 < days < 7:
        return f"{time:%A %H:%M}"
    if -1 < days < 300:
        return f"{time.day} {time:%B %H:%M}"
    return f"{time.day} {time:%B %Y}"
