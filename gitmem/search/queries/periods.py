"""Stretches of time, and the calendar that they are cut from.

All arithmetic is by the clock on the wall in the zone of the moment given: a day is a
day, over summer time, too.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(1),
    "week": timedelta(7),
    "fortnight": timedelta(14),
    "month": timedelta(30),
    "quarter": timedelta(91),
    "year": timedelta(365),
}
"""Of units that are counted back from a moment; those of the calendar differ."""

_MONTHS = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch of time, [after, before); None leaves its side open."""

    after: datetime | None = None
    before: datetime | None = None

    def __and__(self, other: "Period") -> "Period":
        starts = [p.after for p in (self, other) if p.after is not None]
        ends = [p.before for p in (self, other) if p.before is not None]
        return Period(max(starts, default=None), min(ends, default=None))


def midnight(moment: datetime) -> datetime:
    """The beginning of that day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def days(start: datetime, count: int) -> Period:
    """Whole days, from the one that `start` lies in."""
    first = midnight(start)
    return Period(first, first + timedelta(count))


def hours(day: datetime, first: int, last: int) -> Period:
    """From one full hour of a day to another, which may be one of the next day."""
    start = midnight(day)
    return Period(start + timedelta(hours=first), start + timedelta(hours=last))


def third_of(period: Period, third: int) -> Period:
    """The first (0), second (1) or last (2) third of a month, a quarter or a year.

    A month is cut at full days, and its last third has what is over. Raises ValueError
    for a shorter time, and for one with an open side.
    """
    if period.after is None or period.before is None:
        raise ValueError(period)
    length = period.before - period.after
    if length < timedelta(28):
        raise ValueError(period)
    months = length // timedelta(90)
    edges = [period.after + timedelta(length.days // 3 * n) for n in range(3)]
    if months:
        begun = period.after.year * 12 + period.after.month - 1
        edges = [_first_of(period.after, begun + months * n) for n in range(3)]
    return Period(edges[third], (*edges, period.before)[third + 1])


def calendar(moment: datetime, unit: str, back: int = 0) -> Period:
    """The day, week, month, quarter or year that `moment` lies in, or an earlier one.

    Raises ValueError before the year 1.
    """
    first = midnight(moment)
    match unit:
        case "day":
            return days(first - timedelta(back), 1)
        case "week":
            return days(first - timedelta(first.weekday() + 7 * back), 7)
        case _:
            count = _MONTHS[unit]
            months = (first.year * 12 + first.month - 1) // count - back
            return Period(
                _first_of(first, months * count), _first_of(first, (months + 1) * count)
            )


def _first_of(day: datetime, months: int) -> datetime:
    return day.replace(year=months // 12, month=months % 12 + 1, day=1)
