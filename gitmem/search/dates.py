"""Dates as people say them: "yesterday", "3 weeks ago", "before march 15".

An expression names a stretch of time, from its start up to but without its end; the
word in front of it says which side of the stretch is meant. All times are in the zone
of `now`. A date without a year is the latest one that is not ahead of `now`. What looks
like a date and is none ("february 30") stays what it is: words.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch of time, [after, before); None leaves its side open."""

    after: datetime | None = None
    before: datetime | None = None

    def __and__(self, other: "Period") -> "Period":
        starts = [p.after for p in (self, other) if p.after is not None]
        ends = [p.before for p in (self, other) if p.before is not None]
        return Period(max(starts, default=None), min(ends, default=None))


def take_dates(text: str, now: datetime) -> tuple[Period, str]:
    """The period that `text` speaks of, and what is left of it as `text`."""
    period = Period()

    def take(read: _Reader, match: re.Match[str]) -> str:
        nonlocal period
        try:
            period &= _side_of(match["side"], read(match, now))
        except (ValueError, OverflowError):
            return match[0]
        return " "

    for pattern, read in _EXPRESSIONS:
        text = pattern.sub(partial(take, read), text)
    return period, text


_Reader = Callable[[re.Match[str], datetime], Period]


def _side_of(word: str | None, named: Period) -> Period:
    match (word or "in").lower():
        case "before" | "until" | "till":
            return Period(None, named.after)
        case "after":
            return Period(named.before or named.after)
        case "since":
            return Period(named.after)
        case _:
            return named


def _near(match: re.Match[str], now: datetime) -> Period:
    back = 1 if match["name"].lower() == "yesterday" else 0
    return _days(_midnight(now) - timedelta(back), 1)


def _ago(match: re.Match[str], now: datetime) -> Period:
    """That day, the week around that day, that month, that year."""
    count, unit = _number(match["count"]), match["unit"].lower()
    match unit:
        case "day":
            return _days(_midnight(now) - timedelta(count), 1)
        case "week":
            return _days(_midnight(now) - timedelta(7 * count + 3), 7)
        case _:
            return _calendar(now, unit, back=count)


def _this(match: re.Match[str], now: datetime) -> Period:
    return _calendar(now, match["unit"].lower(), back=0)


def _last(match: re.Match[str], now: datetime) -> Period:
    """A month or year of the calendar; everything else counts back from `now`."""
    unit = match["unit"].lower()
    counted = match["count"] is not None or match["which"].lower() == "past"
    if unit in ("month", "year") and not counted:
        return _calendar(now, unit, back=1)
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    return Period(now - timedelta(days * _number(match["count"] or "1")))


def _day(match: re.Match[str], now: datetime) -> Period:
    if _may_be_words(match):
        raise ValueError(match[0])
    return _days(_latest(match, now), 1)


def _may_be_words(match: re.Match[str]) -> bool:
    """A name too short for a date without more: "we may 5 times", "hex to dec 16"."""
    is_short = re.search(r"\b(?:may|mar|dec)\b", match["date"], re.IGNORECASE)
    if match[0].strip() == match.string.strip():
        return False
    has_more = match["side"] or match["year"] or re.search(r"\d[a-z]", match["date"])
    return bool(is_short and not has_more)


def _month(match: re.Match[str], now: datetime) -> Period:
    return _calendar(_latest(match, now), "month", back=0)


def _year(match: re.Match[str], now: datetime) -> Period:
    if int(match["year"]) > now.year:
        raise ValueError(match[0])  # "batch size from 2048"
    return _calendar(now.replace(year=int(match["year"])), "year", back=0)


def _latest(match: re.Match[str], now: datetime) -> datetime:
    years = [int(match["year"])] if match["year"] else range(now.year, now.year - 5, -1)
    for year in years:
        try:
            found = _parsed(match["date"], now.replace(year=year, month=1, day=1))
        except ValueError:
            continue  # the 29th of February of a common year
        if match["year"] or found <= now:
            return found
    raise ValueError(match[0])


def _parsed(text: str, default: datetime) -> datetime:
    from dateutil import parser  # 50 ms, and most queries name no date

    return parser.parse(text, default=_midnight(default))


def _calendar(day: datetime, unit: str, back: int) -> Period:
    """The week, month or year that `day` lies in, or one that many before it."""
    first = _midnight(day)
    match unit:
        case "day":
            return _days(first - timedelta(back), 1)
        case "week":
            return _days(first - timedelta(first.weekday() + 7 * back), 7)
        case "month":
            months = first.year * 12 + first.month - 1 - back
            return Period(_first_of(first, months), _first_of(first, months + 1))
        case _:
            months = (first.year - back) * 12
            return Period(_first_of(first, months), _first_of(first, months + 12))


def _first_of(day: datetime, months: int) -> datetime:
    return day.replace(year=months // 12, month=months % 12 + 1, day=1)


def _days(start: datetime, count: int) -> Period:
    return Period(start, start + timedelta(count))


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _number(text: str) -> int:
    return _COUNTS.get(text.lower()) or int(text)


_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip

_SIDE = r"(?P<side>before|until|till|after|since|from|on|in|during)\s+(?:the\s+)?"
_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(_COUNTS)})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_OF_YEAR = r"(?:,?\s+(?P<year>\d{4}))"

_EXPRESSIONS: list[tuple[re.Pattern[str], _Reader]] = [
    (re.compile(rf"\b{pattern}\b(?![-/.]\w)", re.IGNORECASE), read)
    for pattern, read in [
        (rf"(?:{_SIDE})?(?P<name>today|yesterday)", _near),
        (rf"(?:{_SIDE})?{_COUNT}\s+{_UNIT}\s+ago", _ago),
        (rf"(?:{_SIDE})?this\s+{_UNIT}", _this),
        (
            rf"(?:{_SIDE})?(?P<which>last|past|previous)\s+(?:{_COUNT}\s+)?{_UNIT}",
            _last,
        ),
        (rf"(?:{_SIDE})?(?P<date>(?P<year>\d{{4}})-\d\d-\d\d)", _day),
        (rf"{_SIDE}(?P<date>(?P<year>\d{{4}})-\d\d)", _month),
        (rf"(?:{_SIDE})?(?P<date>{_NAME}\.?\s+{_NUMBER}){_OF_YEAR}?", _day),
        (rf"(?:{_SIDE})?(?P<date>{_NUMBER}\s+(?:of\s+)?{_NAME}){_OF_YEAR}?", _day),
        (rf"(?:{_SIDE})?(?P<date>{_NAME}){_OF_YEAR}", _month),
        (rf"{_SIDE}(?P<date>{_NAME})(?P<year>)", _month),
        (rf"{_SIDE}(?P<year>(?:19|20)\d\d)", _year),
    ]
]
