"""The dates in a query: "since yesterday", "march 1 to march 15", "early may".

A word in front of a stretch of time says which side of it is meant; two stretches with
`to` between them are one, with both ends in it. All times are by the clock of `now`.
"""

import re
from datetime import datetime, timedelta
from itertools import islice

from gitmem.search.queries.context import TAKEN, Surroundings
from gitmem.search.queries.expressions import FIRST_WORD, stretch_at
from gitmem.search.queries.periods import Period
from gitmem.search.queries.stretches import Stretch, Where
from gitmem.text.patterns import pattern


def take_dates(text: str, now: datetime) -> tuple[Period, str]:
    """The period that `text` speaks of, and what is left of it as `text`.

    Words of `text` are one space apart. What was taken leaves TAKEN behind.
    """
    around = Surroundings(text)
    period, kept, done = Period(), "", 0
    for begins in islice(_BEGINS.finditer(text), _MOST_PLACES):
        at = begins.start()
        clause = _clause(around, at, now) if at >= done else None
        if clause is not None:
            kept += text[done:at] + TAKEN
            period, done = period & clause[0], clause[1]
    return period, kept + text[done:]


def beginning(text: str, now: datetime) -> datetime | None:
    """Where the stretch of time begins that `text` names, if it names nothing else."""
    words = " ".join(text.split())
    for named in (f"since {words}", words):
        period, rest = take_dates(named, now)
        if period.after and not period.before and not rest.replace(TAKEN, "").strip():
            return period.after
    return None


_MOST_PLACES = 256
"""Where a date might begin: a question has a few of them, a hostile text thousands."""

_Clause = tuple[Period, int]
"""What is meant, and where the words for it end."""


def _clause(around: Surroundings, at: int, now: datetime) -> _Clause | None:
    return _range(around, at, now) or _sided(around, at, now) or _bare(around, at, now)


def _range(around: Surroundings, at: int, now: datetime) -> _Clause | None:
    """From one stretch to another: "between march and may" ends with May."""
    lead = _LEAD.match(around.text, at)
    first = stretch_at(around.text, lead.end() if lead else at)
    if first is None:
        return None
    joint = _AND if lead and lead["word"].lower() == "between" else _TO
    joined = joint.match(around.text, first.end)
    last = stretch_at(around.text, joined.end()) if joined else None
    if last is None or not _is_range(around, first, last, led=lead is not None):
        return None
    period = _from_to(first, last, now)
    return (period, last.end) if period else None


_LEAD = pattern(r"(?P<word>between|from)(?: the)? ", re.IGNORECASE)
_AND = pattern(r" (?:and|to)(?: the)? ", re.IGNORECASE)
_TO = pattern(
    r" (?:to|until|till|through|up to)(?: the)? | ?(?:\.\.\.?|[-–—…]) ?", re.IGNORECASE
)


def _is_range(
    around: Surroundings, first: Stretch, last: Stretch, *, led: bool
) -> bool:
    if Where.ANYWHERE in first.where | last.where:
        return True
    if led:
        return Where.WITH_A_SIDE in last.where or not around.goes_on(last.end)
    return around.at_an_edge(first.match.start(), last.end)


def _from_to(first: Stretch, last: Stretch, now: datetime) -> Period | None:
    """From the beginning of one to the end of the other; None if that is no time.

    A beginning without a year is the last one before an end that has one; an end
    without a year is the first one after the beginning.
    """
    end = last.at(now)
    if end is None or end.after is None:
        return None
    start = first.at(min(end.after, now) if first.cycle and not last.cycle else now)
    if start is None or start.after is None:
        return None
    if last.cycle and end.after < start.after:
        end = last.at(start.after + last.cycle - timedelta(1)) or end
    if end.before and end.before <= start.after:
        start, end = end, start
    return Period(start.after, end.before)


def _sided(around: Surroundings, at: int, now: datetime) -> _Clause | None:
    """A stretch, with a word in front that says which side of it is meant."""
    side = _SIDE.match(around.text, at)
    stretch = stretch_at(around.text, side.end()) if side else None
    if side is None or stretch is None or not _goes_with(side, stretch, around):
        return None
    named = stretch.at(now)
    if named is None:
        return None
    if onwards := _ONWARDS.match(around.text, stretch.end):
        return _side("since", named), onwards.end()
    return _side(side["word"].lower(), named), stretch.end


_SIDE_WORDS = (
    "(?:older|newer|earlier|later) than|before|until|till|up to|after|since|from|on|in"
    "|during|within|over|around|throughout|earlier"
)
_SIDE = pattern(rf"(?P<word>{_SIDE_WORDS})(?: ?: ?| )(?P<the>the )?", re.IGNORECASE)
_ONWARDS = pattern(r" onwards?\b", re.IGNORECASE)


def _goes_with(side: re.Match[str], stretch: Stretch, around: Surroundings) -> bool:
    """Whether it is a date: "in the march update" and "in dec format" have none."""
    if stretch.where & (Where.ANYWHERE | Where.AT_AN_EDGE):
        return True
    if Where.WITH_A_SIDE in stretch.where and not side["the"]:
        return True
    sided = Where.WITH_A_SIDE | Where.AT_A_SIDES_END
    return bool(stretch.where & sided) and not around.goes_on(stretch.end)


def _side(word: str, named: Period) -> Period:
    match word:
        case "before" | "until" | "till" | "up to" | "older than" | "earlier than":
            return Period(None, named.after)
        case "after" | "later than":
            return Period(named.before or named.after)
        case "since" | "newer than":
            return Period(named.after)
        case _:
            return _around(named)


def _bare(around: Surroundings, at: int, now: datetime) -> _Clause | None:
    """A stretch that is plainly a date, by itself or by where it stands."""
    stretch = stretch_at(around.text, at)
    if stretch is None or not _stands(stretch, at, around):
        return None
    named = stretch.at(now)
    return (_around(named), stretch.end) if named else None


def _stands(stretch: Stretch, at: int, around: Surroundings) -> bool:
    return (
        Where.ANYWHERE in stretch.where
        or (Where.AT_AN_EDGE in stretch.where and around.at_an_edge(at, stretch.end))
        or (Where.ALONE in stretch.where and around.alone(at, stretch.end))
    )


def _around(named: Period) -> Period:
    """A moment is met within an hour of it."""
    if named.after and named.after == named.before:
        return Period(named.after - _HOUR, named.after + _HOUR)
    return named


_HOUR = timedelta(hours=1)


_BEGINS = pattern(
    r"(?<![\w./\\@#:$-])(?<!\bevery )(?<!\beach )"
    rf"(?={FIRST_WORD}|(?:between|{_SIDE_WORDS})\b)",
    re.IGNORECASE,
)
