"""A rule of redaction: what one shape of secret is called, and how it is found.

There are some hundreds of rules and mostly no secret, so a rule says what its pattern
cannot do without (`clue`), and whether all it finds is one long word. Most patterns are
then never run over a text, and never even compiled.
"""

import re
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, Self

from gitmem.model.gate.judging import is_no_stand_in

ANY_MARK = re.compile(r"\[REDACTED(?::(?P<rule>[\w-]+))?\]")
"""What stands in the place of a secret; of `<private>` text, without a rule's name."""

_LETTERS = string.ascii_letters + string.digits + "_.+/=~:|@%$!\\[-"
_RARE = 4
"""Shorter clues may stand so often that a pattern finds them in less time."""
_LONG = b"x" * 18
_MASK = bytes(b"x"[0] if chr(byte) in _LETTERS else b" "[0] for byte in range(256))


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    """What stands in the place of the secret: `[REDACTED:<name>]`."""
    shape: str
    """What such a secret looks like, for people."""
    source: str
    """The pattern. Its group `secret` is replaced; the rest of a match stays."""
    is_secret: Callable[[re.Match[str]], bool] = is_no_stand_in
    """Has the last word on a match, where the pattern alone would be too greedy."""
    clue: str = ""
    """What each match contains, in these letters (of ASCII)."""
    heads: tuple[str, ...] = ()
    """What matches begin with, in small letters; it is then looked for there alone."""
    is_word: bool = False
    """Whether each match lies within one of `Glance.long_words`, as far as it looks."""
    nests: bool = False
    """Whether what is no secret after all may hold one: a quoted text may."""

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.source)

    def secrets(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the secrets of this rule begin and end, in order and apart."""
        find, look_from = self._finder(text), 0
        while match := find(look_from):
            start, end = match.span("secret")
            is_secret = self.is_secret(match)
            if is_secret:
                yield start, end
            inside = self.nests and not is_secret and match["quote"]
            look_from = max(start if inside else match.end(), match.start() + 1)

    def _finder(self, text: str) -> Callable[[int], re.Match[str] | None]:
        """What finds the next match that begins at a place or behind it."""
        if self.heads:
            return _matches_at(_places(text, self.heads), self.pattern, text)
        if len(self.clue) >= _RARE and self.source.startswith(self.clue):
            return _matches_at(_places(text, (self.clue,)), self.pattern, text)
        return lambda look_from: self.pattern.search(text, look_from)


class Glance(NamedTuple):
    """A text as it is seen at first, to tell which rules need not look closer."""

    plain: str
    """The text with something else for all that is not ASCII: quickly searched.

    No bytes: `in` takes several times as long in them where a text is short.
    """
    small: str
    """The same in small letters."""

    @classmethod
    def at(cls, text: str) -> Self:
        plain = text.encode("ascii", "replace").decode()
        return cls(plain, plain.lower())

    def long_words(self, text: str) -> str:
        """The words of `text` that are long enough for a token, a line each."""
        return "\n".join(_long_words(text, self.plain.encode()))


@lru_cache(maxsize=1)
def glance_at(text: str) -> Glance:
    """Most rules look at the same text as the one before."""
    return Glance.at(text)


def _long_words(text: str, plain: bytes) -> Iterator[str]:
    """Ten times as fast as a pattern: the words are looked up in a mask of the text."""
    mask = plain.translate(_MASK) + b" "
    start = mask.find(_LONG)
    while start >= 0:
        end = mask.find(b" ", start)
        yield text[start:end]
        start = mask.find(_LONG, end)


def _matches_at(
    places: Sequence[int], pattern: re.Pattern[str], text: str
) -> Callable[[int], re.Match[str] | None]:
    ahead = iter(places)

    def find(look_from: int) -> re.Match[str] | None:
        for place in ahead:
            match = place >= look_from and pattern.match(text, place)
            if match:
                return match
        return None

    return find


def _places(text: str, heads: tuple[str, ...]) -> Sequence[int]:
    """Where any of `heads` is: in small letters each, or one as it stands."""
    seen = glance_at(text)
    within = seen.small if len(heads) > 1 else seen.plain
    found: list[int] = []
    for head in heads:
        place = within.find(head)
        while place >= 0:
            found.append(place)
            place = within.find(head, place + 1)
    return sorted(found)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)
