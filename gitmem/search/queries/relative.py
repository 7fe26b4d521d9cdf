"""Stretches of time that are told from now: "yesterday", "3 weeks ago", "on monday"."""

import re
from datetime import datetime, timedelta

from gitmem.search.queries.periods import (
    LENGTHS,
    Period,
    calendar,
    days,
    hours,
    midnight,
)
from gitmem.search.queries.stretches import COUNT, Expression, Where, count_of

_DAY = timedelta(1)


def _near(match: re.Match[str], now: datetime) -> Period:
    name = match["near"].lower()
    back = {"today": 0, "tonight": 0, "yesterday": 1}.get(name, 2)
    part = "night" if name == "tonight" else match["part"]
    return _part_of(midnight(now) - back * _DAY, part)


def _part_of(day: datetime, part: str | None) -> Period:
    return hours(day, *_PARTS[part.lower()]) if part else days(day, 1)


_PARTS = {
    "morning": (0, 12),
    "afternoon": (12, 18),
    "evening": (18, 30),
    "night": (18, 30),
}
"""From hour to hour; a night belongs to the day that it begins on."""


def _this_part(match: re.Match[str], now: datetime) -> Period:
    return _part_of(now, match["part"])


def _last_night(_: re.Match[str], now: datetime) -> Period:
    return _part_of(midnight(now) - _DAY, "night")


def _moment_ago(match: re.Match[str], now: datetime) -> Period:
    moment = now - count_of(match["count"])[1] * LENGTHS[match["unit"].lower()]
    return Period(moment, moment)


def _half_an_hour_ago(_: re.Match[str], now: datetime) -> Period:
    moment = now - LENGTHS["hour"] / 2
    return Period(moment, moment)


def _ago(match: re.Match[str], now: datetime) -> Period:
    """That day, month, quarter or year; of weeks, the seven days around that day.

    Where the count is vague, everything that it may mean.
    """
    unit, (least, most) = match["unit"].lower(), count_of(match["count"])
    length = LENGTHS[unit]
    if least < most:
        first, last = now - most * length, now - least * length
        return Period(midnight(first), midnight(last) + _DAY)
    if unit in ("week", "fortnight"):
        return days(now - most * length - 3 * _DAY, 7)
    return calendar(now, unit, most)


def _this(match: re.Match[str], now: datetime) -> Period:
    return calendar(now, match["unit"].lower())


def _last(match: re.Match[str], now: datetime) -> Period:
    """A month, quarter or year of the calendar; all else counts back from now."""
    unit = match["unit"].lower()
    if unit in ("month", "quarter", "year") and match["how"].lower() != "past":
        return calendar(now, unit, 1)
    return Period(now - LENGTHS[unit])


def _last_few(match: re.Match[str], now: datetime) -> Period:
    return Period(now - count_of(match["count"])[1] * LENGTHS[match["unit"].lower()])


def _by_age(match: re.Match[str], now: datetime) -> Period:
    counted = _last_few(match, now)
    if match["age"].lower() in ("older", "more"):
        return Period(None, counted.after)
    return counted


def _the_other_day(_: re.Match[str], now: datetime) -> Period:
    return Period(midnight(now) - 7 * _DAY, midnight(now))


def _now(_: re.Match[str], now: datetime) -> Period:
    return Period(now)


def _recently(_: re.Match[str], now: datetime) -> Period:
    return Period(now - 14 * _DAY)


def _weekday(match: re.Match[str], now: datetime) -> Period:
    back = (now.weekday() - _WEEKDAYS.index(match["weekday"][:3].lower())) % 7
    if back == 0 and _is_last(match):
        back = 7
    return _part_of(midnight(now) - back * _DAY, match["part"])


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _weekend(match: re.Match[str], now: datetime) -> Period:
    back = (now.weekday() - _WEEKDAYS.index("sat")) % 7
    if back < 2 and _is_last(match):
        back += 7
    return days(now - back * _DAY, 2)


def _is_last(match: re.Match[str]) -> bool:
    return (match["which"] or "").lower() in ("last", "past", "previous")


_PART = r"(?P<part>morning|afternoon|evening|night)"
_WHICH = r"(?:(?P<which>last|past|previous|this) )?"
_BY_THE_CLOCK = r"(?P<unit>minute|hour)s?"
_BY_THE_DAY = r"(?P<unit>day|week|fortnight|month|quarter|year)s?"
_UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?"

RELATIVE: list[Expression] = [
    Expression(
        rf"(?:the )?(?P<near>yesterday|day before yesterday)(?: {_PART})?", _near
    ),
    Expression(
        rf"(?P<near>today|tonight)(?: {_PART})?",
        _near,
        Where.AT_AN_EDGE | Where.WITH_A_SIDE,
    ),
    Expression(rf"this {_PART}", _this_part),
    Expression(r"last night", _last_night),
    Expression(rf"{COUNT} {_BY_THE_CLOCK} ago", _moment_ago),
    Expression(r"half an hour ago", _half_an_hour_ago),
    Expression(rf"{COUNT} {_BY_THE_DAY} ago", _ago),
    Expression(r"this (?P<unit>day|week|month|quarter|year)", _this),
    Expression(rf"(?:last|past|previous) {COUNT} {_UNIT}", _last_few),
    Expression(
        r"(?P<how>last|past|previous) "
        r"(?P<unit>hour|day|week|fortnight|month|quarter|year)(?! of \w)",
        _last,
    ),
    Expression(
        rf"(?P<age>older|newer|more|less) than {COUNT} {_UNIT}(?: ago| old)?", _by_age
    ),
    Expression(r"(?:the )?other day", _the_other_day),
    Expression(r"now", _now, Where.AS_AN_END),
    Expression(r"recent|recently|lately", _recently, Where.ALONE),
    Expression(
        rf"{_WHICH}(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
        rf"(?: {_PART})?",
        _weekday,
        Where.WITH_A_SIDE | Where.ALONE,
        timedelta(7),
    ),
    Expression(
        rf"{_WHICH}(?P<weekday>mon|tues?|wed|thu(?:rs?)?|fri)(?P<part>)",
        _weekday,
        Where.AT_A_SIDES_END,
        timedelta(7),
    ),
    Expression(
        rf"{_WHICH}weekend",
        _weekend,
        Where.WITH_A_SIDE | Where.ALONE,
        timedelta(7),
    ),
]
