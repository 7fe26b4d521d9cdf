"""Each way to name a period in words, with what it means at a moment."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Flag, auto

from gitmem.search.queries.periods import (
    DAY,
    LENGTHS,
    MONTHS,
    Period,
    calendar,
    days,
    hours,
    midnight,
    on,
)


class Where(Flag):
    """Where words have to stand to be a date."""

    ANYWHERE = auto()
    AT_AN_EDGE = auto()
    """At the beginning or at the end of what is asked."""
    WITH_A_SIDE = auto()
    """Behind a word like `since` or `in`."""
    AT_A_SIDES_END = auto()
    """Behind such a word, and in front of no word that is asked for."""
    ALONE = auto()
    """When nothing else is asked."""


_EDGE_OR_SIDE = Where.AT_AN_EDGE | Where.WITH_A_SIDE
_SIDE_OR_ALONE = Where.WITH_A_SIDE | Where.ALONE
_END_OR_ALONE = Where.AT_A_SIDES_END | Where.ALONE

Said = Mapping[str, str]
"""The named parts of an expression in lower case; "" for one that was left out."""
Reader = Callable[[Said, datetime], Period]
"""Raises ValueError or OverflowError for what is no date."""


EXPRESSIONS: list[tuple[str, Reader, Where]] = []
"""What says more comes first: "march 15" is no month with a number behind it."""


def _means(where: Where, *expressions: str) -> Callable[[Reader], Reader]:
    """Say of a reader which regular expressions it reads."""

    def note(reader: Reader) -> Reader:
        EXPRESSIONS.extend((words, reader, where) for words in expressions)
        return reader

    return note


_PART = r"(?P<part>morning|afternoon|evening|night)"
_COUNT = (
    r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|(?:an? )?(?:few|couple(?: of)?)|several|some|half an(?= hour))"
)
_UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?"


@_means(
    Where.ANYWHERE,
    rf"(?:the )?(?P<near>yesterday|day before yesterday)(?: {_PART})?",
    rf"(?P<near>this|last(?= night)) {_PART}",
)
@_means(_EDGE_OR_SIDE, rf"(?P<near>today|tonight)(?: {_PART})?")
def _near(said: Said, now: datetime) -> Period:
    back = {"yesterday": 1, "last": 1, "day before yesterday": 2}.get(said["near"], 0)
    part = "night" if said["near"] == "tonight" else said["part"]
    return _part_of(now - back * DAY, part)


def _part_of(day: datetime, part: str) -> Period:
    """Return a night belongs to the day that it begins on."""
    return hours(day, *_PARTS.get(part, (0, 24)))


_PARTS = {"morning": (0, 12), "afternoon": (12, 18)}
_PARTS |= {"evening": (18, 30), "night": (18, 30)}


@_means(Where.ANYWHERE, rf"{_COUNT} {_UNIT} ago")
def _ago(said: Said, now: datetime) -> Period:
    """Return a moment, that day, month, quarter or year, or a week around it.

    Where the count is vague, everything that it may mean.
    """
    unit, (least, most) = said["unit"], _count(said)
    first, last = now - most * LENGTHS[unit], now - least * LENGTHS[unit]
    if LENGTHS[unit] < DAY:
        return Period(first, first)
    if least < most:
        return Period(midnight(first), midnight(last) + DAY)
    if unit in ("week", "fortnight"):
        return days(first - 3 * DAY, 7)
    return calendar(now, unit, int(most))


@_means(Where.ANYWHERE, r"this (?P<unit>day|week|month|quarter|year)")
def _this(said: Said, now: datetime) -> Period:
    return calendar(now, said["unit"])


@_means(Where.ANYWHERE, rf"(?:last|past|previous) {_COUNT} {_UNIT}")
def _last_few(said: Said, now: datetime) -> Period:
    return Period(now - _count(said)[1] * LENGTHS[said["unit"]])


@_means(
    Where.ANYWHERE,
    rf"(?P<how>last|past|previous) (?!minute){_UNIT}(?<!s)(?! of \w)",
)
def _last(said: Said, now: datetime) -> Period:
    """Return a month, quarter or year of the calendar; all else ends now."""
    if said["unit"] in MONTHS and said["how"] != "past":
        return calendar(now, said["unit"], 1)
    return Period(now - LENGTHS[said["unit"]])


@_means(
    Where.ANYWHERE,
    rf"(?P<age>older|newer|more|less) than {_COUNT} {_UNIT}(?: ago| old)?",
)
def _by_age(said: Said, now: datetime) -> Period:
    counted = _last_few(said, now)
    return Period(None, counted.after) if said["age"] in ("older", "more") else counted


def _count(said: Said) -> tuple[float, float]:
    """Return the least and the most that a count may mean: "a few" is 2 to 6."""
    word = re.sub(r"^an? | of$", "", said["count"])
    return (int(word), int(word)) if word.isdecimal() else _COUNTS[word]


_COUNTS = {
    "a": (1, 1), "an": (1, 1), "one": (1, 1), "two": (2, 2), "three": (3, 3),
    "four": (4, 4), "five": (5, 5), "six": (6, 6), "seven": (7, 7), "eight": (8, 8),
    "nine": (9, 9), "ten": (10, 10), "half an": (0.5, 0.5),
    "couple": (1, 3), "few": (2, 6), "some": (2, 6), "several": (2, 9),
}  # fmt: skip

_WHICH = r"(?:(?P<which>last|past|previous|this) )?"


@_means(
    _SIDE_OR_ALONE,
    rf"{_WHICH}(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: {_PART})?",
    rf"{_WHICH}(?P<weekday>weekend)(?P<part>)",
)
@_means(Where.AT_A_SIDES_END, rf"{_WHICH}(?P<weekday>mon|tues?|wed|thu|fri)(?P<part>)")
def _weekday(said: Said, now: datetime) -> Period:
    """Return the latest that has begun; with `last`, the one before today's."""
    is_weekend = said["weekday"] == "weekend"
    number = _WEEKDAYS.index("sat" if is_weekend else said["weekday"][:3])
    back = (now.weekday() - number) % 7
    if back < 1 + is_weekend and said["which"] in ("last", "past", "previous"):
        back += 7
    start = now - back * DAY
    return days(start, 2) if is_weekend else _part_of(start, said["part"])


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@_means(
    Where.ANYWHERE,
    r"(?P<date>\d{4}-\d\d-\d\d)[t ](?P<clock>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)"
    r"(?: ?(?P<zone>z|utc|gmt|[+-]\d\d:?\d\d))?",
)
def _moment(said: Said, now: datetime) -> Period:
    """Return a moment by the clock of `now`, in whatever zone it was given."""
    zone = re.sub("utc|gmt|z", "+00:00", said["zone"])
    written = datetime.fromisoformat(f"{said['date']}T{said['clock']}{zone}")
    zoned = written.astimezone(now.tzinfo) if zone else written
    moment = zoned.replace(tzinfo=now.tzinfo)
    return Period(moment, moment)


@_means(
    Where.ANYWHERE,
    r"(?P<year>\d{4})(?P<_>[-/])(?P<month>\d\d)(?P=_)(?P<day>\d\d)",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>20\d\d)",
)
def _date(said: Said, now: datetime) -> Period:
    return days(on(now, said["year"], said["month"], said["day"]))


@_means(_SIDE_OR_ALONE, r"(?P<of>20\d\d)-(?P<month>\d\d)")
def _month_in_figures(said: Said, now: datetime) -> Period:
    return calendar(on(now, said["of"], said["month"], 1), "month")


_LONG = (
    "january|february|march|april|june|july|august|september|october|november|december"
)
_MAYBE = r"mar|dec|may(?! (?:be|have|not|or)\b)"
_SURE = rf"(?P<name>{_LONG}|jan|feb|apr|jun|jul|aug|sept?|oct|nov)\.?"
_UNSURE = rf"(?P<name>{_MAYBE})\.?"
_ANY = _SURE.replace("nov)", f"nov|{_MAYBE})")
_OF_YEAR = r"(?:,?(?: of)? (?P<year>(?:19|20)\d\d))?"
_NTH = r"(?P<day>\d{1,2})(?P<suffix>st|nd|rd|th)?"
_TO_DAY = r"(?:(?: to | ?[-–] ?)(?P<last>\d{1,2})(?:st|nd|rd|th)?)?"


@_means(
    _SIDE_OR_ALONE,
    rf"{_UNSURE} {_NTH}{_TO_DAY}{_OF_YEAR}",
    rf"{_NTH} (?:of )?{_UNSURE}{_OF_YEAR}",
)
@_means(
    Where.ANYWHERE,
    rf"{_SURE} {_NTH}{_TO_DAY}{_OF_YEAR}",
    rf"{_NTH} (?:of )?{_SURE}{_OF_YEAR}",
)
def _days_of_month(said: Said, now: datetime) -> Period:
    first = int(said["day"])
    last = int(said.get("last") or first)
    if last < first:
        raise ValueError(said)
    began = _latest(said, first, now)
    return Period(began, began.replace(day=last) + DAY)


@_means(Where.AT_A_SIDES_END, rf"{_ANY}{_OF_YEAR}")
@_means(Where.WITH_A_SIDE, rf"(?P<name>{_LONG}){_OF_YEAR}")
@_means(Where.ANYWHERE, rf"(?P<which>last) {_ANY}(?P<year>)")
def _month(said: Said, now: datetime) -> Period:
    """Return the latest that has begun; with `last` the latest that is over."""
    until = now.replace(day=1) - DAY if said.get("which") else now
    return calendar(_latest(said, 1, until), "month")


def _latest(said: Said, day: int, now: datetime) -> datetime:
    """Return the latest such day that has begun, unless the year is said."""
    month = _MONTH_NAMES.index(said["name"][:3]) + 1
    if said["year"]:
        return on(now, said["year"], month, day)
    found = on(now, now.year, month, day)
    return found if found <= now else found.replace(year=now.year - 1)


_MONTH_NAMES = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)


@_means(_END_OR_ALONE, r"(?P<quarter>q[1-4])(?:(?: of)? (?P<year>20\d\d))?")
def _quarter(said: Said, now: datetime) -> Period:
    began = on(now, said["year"] or now.year, 3 * int(said["quarter"][1]) - 2, 1)
    if began > now and not said["year"]:
        began = began.replace(year=now.year - 1)
    return calendar(began, "quarter")


@_means(_END_OR_ALONE, r"(?P<figures>20\d\d)")
def _year(said: Said, now: datetime) -> Period:
    if int(said["figures"]) > now.year:
        raise ValueError(said)  # "batch size from 2048"
    return calendar(on(now, said["figures"], 1, 1), "year")
