"""Stretches of time by name and figures: "march 15", "q1 2026", ISO dates."""

import re
from datetime import datetime, timedelta

from gitmem.search.queries.periods import Period, calendar, days, midnight
from gitmem.search.queries.stretches import DAY, Expression, Where


def _moment(match: re.Match[str], now: datetime) -> Period:
    """A time of any zone, by the clock of `now`; without a zone it is that clock's."""
    zone = (match["zone"] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
    written = datetime.fromisoformat(f"{match['date']}T{match['clock']}{zone}")
    zoned = written.astimezone(now.tzinfo) if zone else written
    moment = zoned.replace(tzinfo=now.tzinfo)
    return Period(moment, moment)


def _date(match: re.Match[str], now: datetime) -> Period:
    return days(_on(now, match["year"], match["month"], match["day"]), 1)


def _on(now: datetime, year: str | int, month: str | int, day: str | int) -> datetime:
    return midnight(now).replace(year=int(year), month=int(month), day=int(day))


def _month_in_figures(match: re.Match[str], now: datetime) -> Period:
    return calendar(_on(now, match["of"], match["month"], 1), "month")


def _day(match: re.Match[str], now: datetime) -> Period:
    return days(_latest(match, int(match["day"]), now), 1)


def _days(match: re.Match[str], now: datetime) -> Period:
    first, last = int(match["day"]), int(match["last"])
    if last < first:
        raise ValueError(match[0])
    began = _latest(match, first, now)
    return Period(began, began.replace(day=last) + timedelta(1))


def _month(match: re.Match[str], now: datetime) -> Period:
    return calendar(_latest(match, 1, now), "month")


def _last_month(match: re.Match[str], now: datetime) -> Period:
    """Of that name, and over."""
    this_one = midnight(now).replace(day=1)
    return calendar(_latest(match, 1, this_one - timedelta(1)), "month")


def _latest(match: re.Match[str], day: int, now: datetime) -> datetime:
    """The latest such day that has begun, unless the year is said."""
    month = _MONTHS.index(match["month"][:3].lower()) + 1
    if year := match.groupdict().get("year"):
        return _on(now, year, month, day)
    for year in range(now.year, now.year - _LEAP_YEARS, -1):
        try:
            found = _on(now, year, month, day)
        except ValueError:
            continue  # the 29th of February of a common year
        if found <= now:
            return found
    raise ValueError(match[0])


_LEAP_YEARS = 9
"""So many years hold one, over the end of a century, too."""


def _quarter(match: re.Match[str], now: datetime) -> Period:
    number = _QUARTERS[match["quarter"][:2].lower()]
    began = _on(now, match["year"] or now.year, 3 * number + 1, 1)
    if began > now and not match["year"]:
        began = began.replace(year=now.year - 1)
    return calendar(began, "quarter")


_FIGURES = {"q1": 0, "q2": 1, "q3": 2, "q4": 3}
_QUARTERS = _FIGURES | {"fi": 0, "se": 1, "th": 2, "fo": 3, "la": 3}


def _year(match: re.Match[str], now: datetime) -> Period:
    if int(match["figures"]) > now.year:
        raise ValueError(match[0])  # "batch size from 2048"
    return calendar(_on(now, match["figures"], 1, 1), "year")


_MONTHS = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_LONG = (
    "january|february|march|april|june|july|august|september|october|november|december"
)
_SHORT = "jan|feb|apr|jun|jul|aug|sept?|oct|nov"
_WORDS_TOO = "mar|dec|may(?! (?:be|have|not|or)\\b)"


def _named(names: str) -> str:
    return rf"(?P<month>{names})\.?"


_SURE = _named(f"{_LONG}|{_SHORT}")
_UNSURE = _named(_WORDS_TOO)
_ANY = _named(f"{_LONG}|{_SHORT}|{_WORDS_TOO}")
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_OF_YEAR = rf"(?:,?(?: of)? {_YEAR})"
_TO_DAY = r"(?: to | ?[-–] ?)(?P<last>\d{1,2})(?:st|nd|rd|th)?"
_NTH = (
    r"(?P<quarter>q[1-4]|(?:first|second|third|fourth) quarter"
    r"|last quarter(?= of (?:19|20)\d\d))"
)
_YEARLY = timedelta(365)
_SIDE_OR_ALONE = Where.WITH_A_SIDE | Where.ALONE
_END_OR_ALONE = Where.AT_A_SIDES_END | Where.ALONE

ABSOLUTE: list[Expression] = [
    Expression(
        r"(?P<date>\d{4}-\d\d-\d\d)[t ](?P<clock>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)"
        r"(?: ?(?P<zone>z|utc|gmt|[+-]\d\d:?\d\d))?",
        _moment,
    ),
    Expression(r"(?P<year>\d{4})(?P<_>[-/])(?P<month>\d\d)(?P=_)(?P<day>\d\d)", _date),
    Expression(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>20\d\d)", _date),
    Expression(r"(?P<of>20\d\d)-(?P<month>\d\d)", _month_in_figures, _SIDE_OR_ALONE),
    Expression(rf"{_SURE} {DAY}{_TO_DAY}{_OF_YEAR}?", _days),
    Expression(rf"{_SURE} {DAY}{_OF_YEAR}?", _day, cycle=_YEARLY),
    Expression(rf"{_UNSURE} {DAY}{_OF_YEAR}?", _day, _SIDE_OR_ALONE, _YEARLY),
    Expression(rf"{DAY} (?:of )?{_SURE}{_OF_YEAR}?", _day, cycle=_YEARLY),
    Expression(rf"{DAY} (?:of )?{_UNSURE}{_OF_YEAR}?", _day, _SIDE_OR_ALONE, _YEARLY),
    Expression(rf"{_ANY}{_OF_YEAR}", _month),
    Expression(rf"last {_ANY}", _last_month),
    Expression(rf"this {_named(_LONG)}", _month),
    Expression(_named(_LONG), _month, Where.WITH_A_SIDE, _YEARLY),
    Expression(_ANY, _month, Where.AT_A_SIDES_END, _YEARLY),
    Expression(rf"{_NTH}(?:(?: of)? {_YEAR})?", _quarter, _END_OR_ALONE, _YEARLY),
    Expression(rf"{_YEAR}[- ]?(?P<quarter>q[1-4])", _quarter),
    Expression(r"(?P<figures>20\d\d)", _year, _END_OR_ALONE),
]
