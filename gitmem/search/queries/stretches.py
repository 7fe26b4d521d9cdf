"""What an expression for a stretch of time is, before it is known which those are.

Texts are matched as `gitmem.search.queries.query` leaves them: with one space between
words.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Flag, auto
from functools import cache

from gitmem.search.queries.periods import Period, third_of


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
    AS_AN_END = auto()
    """Behind another stretch and `to`."""


Reader = Callable[[re.Match[str], datetime], Period]


@dataclass(frozen=True, slots=True)
class Expression:
    """A way to name a stretch of time."""

    words: str
    """A regular expression for them."""
    reader: Reader
    """What a match means at a moment. ValueError, OverflowError: it is no date."""
    where: Where = Where.ANYWHERE
    cycle: timedelta | None = None
    """After how long the same words name the next one, if there are several."""

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """Its words as they stand there, and not inside of `last-week.md`."""
        return _compiled(self.words).match(text, at)


@cache
def _compiled(words: str) -> re.Pattern[str]:
    """Only when it is needed: most queries name no date."""
    whole = rf"(?:{words})(?:['’]s)?(?![\w@/\\-]|[.:]\w)"
    return re.compile(whole, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """An expression as it stands in a text."""

    match: re.Match[str]
    expression: Expression
    third: int | None = None
    """Which third of it is meant: 0 for "early", 1 for "mid", 2 for "late"."""

    @property
    def end(self) -> int:
        return self.match.end()

    @property
    def where(self) -> Where:
        """More words make it surer: `monday evening`, `last march`, `q1 2026`."""
        told = self.match.groupdict()
        if self.third is not None or any(map(told.get, _TELLING)):
            return Where.ANYWHERE
        return self.expression.where

    @property
    def cycle(self) -> timedelta | None:
        return None if self.match.groupdict().get("year") else self.expression.cycle

    def at(self, now: datetime) -> Period | None:
        """What it means at `now`; None where it only looks like a date."""
        try:
            named = self.expression.reader(self.match, now)
            return named if self.third is None else third_of(named, self.third)
        except (ValueError, OverflowError):
            return None


_TELLING = ("which", "part", "suffix", "year")


DAY = r"(?P<day>\d{1,2})(?P<suffix>st|nd|rd|th)?"
COUNT = (
    r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|(?:an? )?(?:few|couple(?: of)?)|several|some)"
)


def count_of(text: str) -> tuple[int, int]:
    """The least and the most that a count may mean: "two" is 2, "a few" is 2 to 6."""
    word = re.sub(r"^an? | of$", "", text.lower())
    if word.isdecimal():
        return int(word), int(word)
    return _COUNTS[word]


_COUNTS = {
    "a": (1, 1), "an": (1, 1), "one": (1, 1), "two": (2, 2), "three": (3, 3),
    "four": (4, 4), "five": (5, 5), "six": (6, 6), "seven": (7, 7), "eight": (8, 8),
    "nine": (9, 9), "ten": (10, 10),
    "couple": (1, 3), "few": (2, 6), "some": (2, 6), "several": (2, 9),
}  # fmt: skip
