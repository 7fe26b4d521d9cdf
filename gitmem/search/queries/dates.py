"""The dates in a query: "since yesterday", "march 1 to march 15".

A word before a period says which side of it is meant; two periods with `to` between
them are one, with both ends in it. All times are by the clock of `now`.
"""

import re
from datetime import datetime
from functools import cache
from itertools import islice

from gitmem.frozen import frozen
from gitmem.search.queries.context import TAKEN, goes_on, is_alone, is_at_an_edge
from gitmem.search.queries.expressions import EXPRESSIONS, Reader, Said, Where
from gitmem.search.queries.periods import DAY, HOUR, Period
from gitmem.text.patterns import pattern


def take_dates(text: str, now: datetime) -> tuple[Period, str]:
    """Return the period that `text` speaks of, and what is left of it as `text`.

    Words of `text` are one space apart. What was taken leaves TAKEN behind.
    """
    period, kept, done = Period(), "", 0
    for begins in islice(_BEGINS.finditer(text), _MOST_PLACES):
        at = begins.start()
        clause = _clause(text, at, now) if at >= done else None
        if clause is not None:
            kept += text[done:at] + TAKEN
            period, done = period & clause[0], clause[1]
    return period, kept + text[done:]


def beginning(text: str, now: datetime) -> datetime | None:
    """Return where the period begins that `text` names, if it names nothing else."""
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


@frozen
class _Named:
    """A period as a text names it."""

    said: Said
    reader: Reader
    where: Where
    text: str
    start: int
    end: int

    @property
    def cycle(self) -> int:
        """After how many days the same words name the next one; 0 if never."""
        if self.said.get("weekday"):
            return 7
        is_yearly = self.said.get("name") or self.said.get("quarter")
        is_one = self.said.get("year") or self.said.get("which")
        return 365 if is_yearly and not is_one else 0

    def at(self, now: datetime) -> Period | None:
        """Return what it means at `now`; None where it only looks like a date."""
        try:
            return self.reader(self.said, now)
        except (ValueError, OverflowError):
            return None


def _period_at(text: str, at: int) -> _Named | None:
    """Return what may name a period at an offset of `text`."""
    if not _MAY_BEGIN.match(text, at):
        return None
    for words, reader, where in EXPRESSIONS:
        if match := _compiled(words).match(text, at):
            parts = match.groupdict().items()
            said = {name: (part or "").lower() for name, part in parts}
            is_sure = any(map(said.get, _TELLING))
            sure = Where.ANYWHERE if is_sure else where
            return _Named(said, reader, sure, text, at, match.end())
    return None


_FIRST_WORD = r"\d+[-/.]?\d|\d+(?:st|nd|rd|th)? [a-z]|q[1-4]|an? [a-z]|" + "|".join(
    """
    one two three four five six seven eight nine ten few couple several some half today
    tonight yesterday day this last past previous older newer more less the mon tue wed
    thu fri sat sun weekend jan feb mar apr may jun jul aug sep oct nov dec
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""How an expression may begin: most words are passed over by this alone."""
_MAY_BEGIN = pattern(_FIRST_WORD, re.IGNORECASE)
_TELLING = ("which", "part", "suffix", "year")
"""Parts that make an expression surer: `monday evening`, `last march`, `q1 2026`."""


@cache
def _compiled(words: str) -> re.Pattern[str]:
    """Compile on demand; `last-week.md` names no period."""
    whole = rf"(?:{words})(?:['’]s)?(?![\w@/\\-]|[.:]\w)"
    return re.compile(whole, re.IGNORECASE)


def _clause(text: str, at: int, now: datetime) -> _Clause | None:
    """Return a range, one side of a period, or a period that is plainly meant."""
    if found := _range(text, at, now):
        return found
    side = _SIDE.match(text, at)
    named = _period_at(text, side.end()) if side else None
    if not side or not named or not _is_meant(named, side):
        side, named = None, _period_at(text, at)
        if not named or not _is_meant(named, side):
            return None
    period = named.at(now)
    word = side["word"].lower() if side else ""
    return (_side(word, period), named.end) if period else None


def _is_meant(named: _Named, side: re.Match[str] | None) -> bool:
    """Return whether it is a date: "in the march update" has none."""
    where, place = named.where, (named.text, named.start, named.end)
    if Where.ANYWHERE in where:
        return True
    if not side:
        at_an_edge = Where.AT_AN_EDGE in where and is_at_an_edge(*place)
        return at_an_edge or (Where.ALONE in where and is_alone(*place))
    if Where.AT_AN_EDGE in where or (Where.WITH_A_SIDE in where and not side["the"]):
        return True
    sided = Where.WITH_A_SIDE | Where.AT_A_SIDES_END
    return bool(where & sided) and not goes_on(named.text, named.end)


def _range(text: str, at: int, now: datetime) -> _Clause | None:
    """Read a range: "between march and may" ends with May."""
    lead = _LEAD.match(text, at)
    first = _period_at(text, lead.end() if lead else at)
    if first is None:
        return None
    joint = _AND if lead and lead["word"].lower() == "between" else _TO
    joined = joint.match(text, first.end)
    last = _period_at(text, joined.end()) if joined else None
    if last is None or not _is_range(first, last, led=lead is not None):
        return None
    period = _from_to(first, last, now)
    return (period, last.end) if period else None


_LEAD = pattern(r"(?P<word>between|from)(?: the)? ", re.IGNORECASE)
_AND = pattern(r" (?:and|to)(?: the)? ", re.IGNORECASE)
_TO = pattern(
    r" (?:to|until|till|through|up to)(?: the)? | ?(?:\.\.\.?|[-–—…]) ?", re.IGNORECASE
)


def _is_range(first: _Named, last: _Named, *, led: bool) -> bool:
    if Where.ANYWHERE in first.where | last.where:
        return True
    if led:
        return Where.WITH_A_SIDE in last.where or not goes_on(last.text, last.end)
    return is_at_an_edge(first.text, first.start, last.end)


def _from_to(first: _Named, last: _Named, now: datetime) -> Period | None:
    """Join the beginning of one and the end of the other; None if that is no time.

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
        end = last.at(start.after + (last.cycle - 1) * DAY) or end
    if end.before and end.before <= start.after:
        start, end = end, start
    return Period(start.after, end.before)


_SIDE_WORDS = (
    "(?:older|newer|earlier|later) than|before|until|till|up to|after|since|from|on|in"
    "|during|within|over|around|throughout|earlier"
)
_SIDE = pattern(rf"(?P<word>{_SIDE_WORDS})(?: ?: ?| )(?P<the>the )?", re.IGNORECASE)


def _side(word: str, period: Period) -> Period:
    match word:
        case "before" | "until" | "till" | "up to" | "older than" | "earlier than":
            return Period(None, period.after)
        case "after" | "later than":
            return Period(period.before or period.after)
        case "since" | "newer than":
            return Period(period.after)
    if period.after and period.after == period.before:  # a moment, give or take
        return Period(period.after - HOUR, period.after + HOUR)
    return period


_BEGINS = pattern(
    r"(?<![\w./\\@#:$-])(?<!\bevery )(?<!\beach )"
    rf"(?={_FIRST_WORD}|(?:between|{_SIDE_WORDS})\b)",
    re.IGNORECASE,
)
