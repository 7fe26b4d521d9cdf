"""The dates in a query: `before march 15`, `since:2026-03-01`, `last week`.

All times are by the clock of `now`. Words of a text are one space apart.
"""

import re
from datetime import datetime, timedelta

from gitmem.frozen import frozen
from gitmem.search.queries.context import (
    TAKEN,
    continues_query,
    is_all_that_is_asked,
    is_at_an_edge,
)
from gitmem.text.patterns import pattern

_DAY = timedelta(1)
_LENGTHS = {
    "hour": timedelta(hours=1), "day": _DAY, "week": 7 * _DAY,
    "month": 30 * _DAY, "year": 365 * _DAY,
}  # fmt: skip
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_WEEKDAYS = (
    *("monday", "tuesday", "wednesday", "thursday"),
    *("friday", "saturday", "sunday"),
)
_DAYS_PAST = {"yesterday": 1, "day before yesterday": 2}
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip


@frozen
class Period:
    """A half-open period, [after, before); None leaves its side open."""

    after: datetime | None = None
    before: datetime | None = None

    def __and__(self, period: "Period") -> "Period":
        """Return the common part of two periods, or their span if they are apart."""
        starts, ends = _edges(self, period)
        start, end = max(starts, default=None), min(ends, default=None)
        if start and end and end <= start:
            return Period(min(starts), max(ends))
        return Period(start, end)

    def until(self, period: "Period") -> "Period":
        """Return all from one of the two periods to the other."""
        starts, ends = _edges(self, period)
        return Period(min(starts, default=None), max(ends, default=None))


def _edges(*periods: Period) -> tuple[list[datetime], list[datetime]]:
    """Return the beginnings and the ends of periods, without those that are open."""
    starts = [period.after for period in periods if period.after is not None]
    ends = [period.before for period in periods if period.before is not None]
    return starts, ends


def take_dates(text: str, now: datetime) -> tuple[Period, str]:
    """Return the period that `text` names, and the text with TAKEN for each date."""
    period, rest, end = Period(), "", 0
    earlier = first = Period()
    for match in _DATE.finditer(text):
        is_behind_date = first != Period() and text[end : match.start()] == " "
        side = _side_of(match, is_behind_date=is_behind_date)
        date = _period(match, now) if _is_meant(match, side) else None
        if date is None:
            continue
        rest += text[end : match.start()] + TAKEN
        end = match.end()
        if side in _RANGE_ENDS:
            period = earlier & first.until(date)
        else:
            earlier, first = period, date
            period &= _on_side(side, date)
    return period, rest + text[end:]


def beginning(text: str, now: datetime) -> datetime | None:
    """Return the start of the period that `text` names, if it is nothing else."""
    words = " ".join(text.split())
    for phrase in (f"since {words}", words):
        period, rest = take_dates(phrase, now)
        if period.after and not period.before and rest == TAKEN:
            return period.after
    return None


_ISO = (
    r"(?P<iso>\d{4}-\d\d(?P<day>-\d\d"
    r"(?:[t ]\d\d:\d\d(?::\d\d)?(?: ?(?:z|[+-]\d\d:?\d\d))?)?)?)"
)
_MONTH = (
    rf"(?P<month>{'|'.join(_MONTHS)})"
    r"(?: (?P<date>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,? (?P<year>20\d\d)\b)?"
)
_UNIT = "|".join(_LENGTHS)
_NUMBER = rf"\d{{1,4}}|{'|'.join(_NUMBERS)}"
_LAST = (
    rf"(?P<how>last|past|this) (?:(?P<count>{_NUMBER}) )?(?P<unit>{_UNIT})s?(?! of \w)"
)
_AGO = rf"(?P<ago>{_NUMBER}) (?P<ago_unit>{_UNIT})s? ago"
_HOURS = " (?:morning|afternoon|evening)"
_NEAR = rf"(?P<near>today|(?:day before )?yesterday|this(?={_HOURS}))"
_WEEKDAY = rf"(?P<latest>(?:last|past|this) )?(?P<weekday>{'|'.join(_WEEKDAYS)})"
_RANGE_STARTS = ("from", "between")
_RANGE_ENDS = ("to", "and")
_SIDES = (
    *("before", "until", "after", "since", "on", "in", "during"),
    *(*_RANGE_STARTS, *_RANGE_ENDS),
)
_DATE = pattern(
    r"(?<![\w/\\@#:$-])(?<!(?<!\.)\.)"
    rf"(?:(?P<side>{'|'.join(_SIDES)})(?: ?: ?| )(?:the )?)?"
    rf"(?:{_ISO}|{_MONTH}|(?:{_NEAR}|{_WEEKDAY})(?:{_HOURS})?|{_LAST}|{_AGO})"
    r"(?:['’]s)?(?![\w@/\\-]|[.:]\w)",
    re.IGNORECASE,
)
"""A date between white space or punctuation: `last-week.md` is none."""


def _side_of(match: re.Match[str], *, is_behind_date: bool) -> str:
    """Return the word before a date; `to` and `and` count behind another date."""
    side = (match["side"] or "").lower()
    return side if is_behind_date or side not in _RANGE_ENDS else ""


def _is_meant(match: re.Match[str], side: str) -> bool:
    """Return whether a match is meant as a date, not as in "add today button".

    A month needs a word such as `in` before it, a weekday one such as `on`, unless
    nothing else is asked for.
    """
    place = (match.string, match.start(), match.end())
    if match["weekday"]:
        if side or match["latest"]:
            is_start = side in _RANGE_STARTS
            return is_start or not continues_query(match.string, match.end())
        return is_all_that_is_asked(*place)
    if match["month"] and not match["date"]:
        return bool(side) and not continues_query(match.string, match.end())
    if match["month"] or (match["iso"] and not match["day"]):
        return bool(side)
    is_today = (match["near"] or "").lower().startswith(("today", "this"))
    return not is_today or bool(side) or is_at_an_edge(*place)


def _period(match: re.Match[str], now: datetime) -> Period | None:
    """Return the period of a match at `now`; None for dates such as February 30."""
    try:
        if match["iso"]:
            return _iso_period(match["iso"], now)
        if match["month"]:
            return _month_period(match, now)
        if match["near"] or match["weekday"]:
            return _day(now - _days_past(match, now) * _DAY)
        if match["ago"]:
            return _period_ago(match, now)
        return Period(_start(match, now))
    except (ValueError, OverflowError):
        return None


def _iso_period(iso: str, now: datetime) -> Period:
    """Return the month or day, or a period without length for a moment."""
    if len(iso) == len("2026-03"):
        return _month_of(_midnight(now).replace(int(iso[:4]), int(iso[5:]), 1))
    moment = datetime.fromisoformat(iso.upper().replace(" +", "+"))
    zoned = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    local = zoned.replace(tzinfo=now.tzinfo)
    return Period(local, local) if ":" in iso else _day(local)


def _month_period(match: re.Match[str], now: datetime) -> Period:
    """Return the latest such month that has begun, unless the year is written."""
    number = _MONTHS.index(match["month"].lower()) + 1
    year, day = int(match["year"] or now.year), int(match["date"] or 1)
    start = _midnight(now).replace(year, number, day)
    if start > now and not match["year"]:
        start = start.replace(year - 1)
    return _day(start) if match["date"] else _month_of(start)


def _days_past(match: re.Match[str], now: datetime) -> int:
    """Return how long ago the day is; `last friday` is not the day of `now`."""
    if match["near"]:
        return _DAYS_PAST.get(match["near"].lower(), 0)
    days = (now.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7
    is_before = (match["latest"] or "").lower() == "last "
    return days or 7 * is_before


def _period_ago(match: re.Match[str], now: datetime) -> Period:
    """Return the day that was so long ago, amid a week, month or year of days.

    With a word such as `since` it is the day alone.
    """
    length = _length(match["ago_unit"])
    moment = now - _number(match["ago"]) * length
    breadth = _DAY if match["side"] else max(length, _DAY)
    start = _midnight(moment - (breadth - _DAY) / 2)
    return Period(start, start + breadth)


def _start(match: re.Match[str], now: datetime) -> datetime:
    """Return when `last 3 weeks` begin, or `this week`: on its Monday."""
    unit, midnight = match["unit"].lower(), _midnight(now)
    if match["how"].lower() != "this" or match["count"]:
        return now - _number(match["count"]) * _length(unit)
    beginnings = {
        "hour": now.replace(minute=0, second=0, microsecond=0),
        "day": midnight,
        "week": midnight - now.weekday() * _DAY,
        "month": midnight.replace(day=1),
        "year": midnight.replace(month=1, day=1),
    }
    return beginnings[unit]


def _number(text: str | None) -> int:
    word = (text or "one").lower()
    return _NUMBERS.get(word) or int(word)


def _length(unit: str) -> timedelta:
    return _LENGTHS[unit.lower()]


def _month_of(first: datetime) -> Period:
    return Period(first, (first + 31 * _DAY).replace(day=1))


def _day(moment: datetime) -> Period:
    return Period(_midnight(moment), _midnight(moment) + _DAY)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _on_side(side: str, period: Period) -> Period:
    match side:
        case "before" | "until":
            return Period(None, period.after)
        case "after":
            return Period(period.before or period.after)
        case "since" | "from" | "between":
            return Period(period.after)
    if period.after and period.after == period.before:
        return _day(period.after)
    return period
