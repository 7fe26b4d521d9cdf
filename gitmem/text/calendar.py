"""Times within the range of the calendar, in every zone."""

from datetime import UTC, datetime, timedelta, timezone

_FIRST = datetime(1970, 1, 2, tzinfo=UTC)
_LAST = datetime(9998, 12, 30, tzinfo=UTC)
_DAY = 24 * 60
"""Minutes."""


def read_time(text: str) -> datetime:
    """Return the time that a text in ISO 8601 names, naive where it names no offset.

    In whole seconds, as documents have them. Raises ValueError where it names none, or
    one too near to the first and the last years: time zones overflow there.
    """
    time = datetime.fromisoformat(text)
    if not _FIRST.year <= time.year <= _LAST.year:
        raise ValueError(f"No calendar can tell {text!r} in every zone.")
    return time.replace(microsecond=0)


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


def spoken_span(first: datetime, last: datetime, now: datetime) -> str:
    """Return when something began, and when it ended if that was on a later day."""
    if last.date() <= first.date():
        return spoken(first, now)
    return f"{spoken(first, now)} to {spoken(last, now)}"


def in_calendar(moment: datetime) -> datetime:
    """Return an aware time, or the nearest in the calendar, in its zone.

    A clock that lost its time may show 1970 or earlier; saving works all the same.
    """
    return min(max(moment, _FIRST), _LAST).astimezone(moment.tzinfo)


def moment_at(seconds: int, offset: int = 0) -> datetime:
    """Return the time so many seconds after 1970, or the nearest with a date.

    `offset` is that of its zone, in minutes; one that no zone can have counts as none.
    """
    zone = timezone(timedelta(minutes=offset)) if abs(offset) < _DAY else UTC
    nearest = min(max(seconds, int(_FIRST.timestamp())), int(_LAST.timestamp()))
    return datetime.fromtimestamp(nearest, zone)
