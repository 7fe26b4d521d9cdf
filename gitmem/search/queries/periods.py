"""Periods, and the calendar that they are cut from, by the clock on the wall."""

from datetime import datetime, timedelta

from gitmem.frozen import frozen

DAY, HOUR = timedelta(1), timedelta(hours=1)
LENGTHS = {
    "minute": timedelta(minutes=1), "hour": HOUR, "day": DAY,
    "week": 7 * DAY, "fortnight": 14 * DAY, "month": 30 * DAY,
    "quarter": 91 * DAY, "year": 365 * DAY,
}  # fmt: skip
"""Of units that are counted back from a moment; those of the calendar differ."""
MONTHS = {"month": 1, "quarter": 3, "year": 12}


@frozen
class Period:
    """A half-open period, [after, before); None leaves its side open."""

    after: datetime | None = None
    before: datetime | None = None

    def __and__(self, other: "Period") -> "Period":
        starts = [p.after for p in (self, other) if p.after is not None]
        ends = [p.before for p in (self, other) if p.before is not None]
        return Period(max(starts, default=None), min(ends, default=None))


def on(now: datetime, year: str | int, month: str | int, day: str | int) -> datetime:
    """Return midnight of a date, in the zone of `now`. Raises ValueError."""
    return midnight(now).replace(year=int(year), month=int(month), day=int(day))


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def days(start: datetime, count: int = 1) -> Period:
    """Return whole days, from the one that `start` lies in."""
    return Period(midnight(start), midnight(start) + count * DAY)


def hours(day: datetime, first: int, last: int) -> Period:
    """Return a period between full hours of a day, or of the next one."""
    return Period(midnight(day) + first * HOUR, midnight(day) + last * HOUR)


def calendar(moment: datetime, unit: str, back: int = 0) -> Period:
    """Return the day, week, month, quarter or year of `moment`, or an earlier one.

    Raises ValueError before the year 1.
    """
    first = midnight(moment)
    if unit == "day":
        return days(first - back * DAY)
    if unit == "week":
        return days(first - (first.weekday() + 7 * back) * DAY, 7)
    count = MONTHS[unit]
    start = _months_after(first, -((first.month - 1) % count) - back * count)
    return Period(start, _months_after(start, count))


def _months_after(day: datetime, count: int) -> datetime:
    """Return the first of the month that is so many months later."""
    months = day.year * 12 + day.month - 1 + count
    return day.replace(year=months // 12, month=months % 12 + 1, day=1)
