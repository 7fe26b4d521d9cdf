"""The times that documents and journals can tell, in every zone."""

from datetime import UTC, datetime

_FIRST = datetime(1970, 1, 2, tzinfo=UTC)
_LAST = datetime(9998, 12, 30, tzinfo=UTC)


def in_calendar(moment: datetime) -> datetime:
    """An aware time, or the nearest that can be told, in its zone.

    A clock that has lost its time may stand at 1970, or before it; what is saved then
    is saved all the same.
    """
    return min(max(moment, _FIRST), _LAST).astimezone(moment.tzinfo)
